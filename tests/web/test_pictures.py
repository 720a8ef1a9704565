"""Every game that ships has a small picture; one from elsewhere may bring its own."""

import pytest

from stratagem.core.registry import game_folders
from stratagem.web import pictures
from stratagem.web.problems import NotFound


def test_games_that_ship_have_pictures(server):
    for game in server.get("games").json():
        answer = server.get("picture", game=game["name"])
        assert game["picture"] == (answer.status_code == 200)
        if game["picture"]:
            assert answer.headers["content-type"] == "image/png"
            assert answer.content.startswith(b"\x89PNG") and len(answer.content) < 10_000
    assert {game["name"] for game in server.get("games").json() if game["picture"]} >= {
        "battlefield", "catan", "connect_four", "hexwar", "hispania", "terra_mystica"
    }  # fmt: skip


def test_an_unknown_game_is_named(server):
    answer = server.get("picture", game="../catan")
    assert answer.status_code == 404
    assert "choose one of" in answer.json()["detail"]


@pytest.mark.parametrize("content", [b"GIF89a", b"\x89PNG\r\n\x1a\n" + bytes(200_000)])
def test_a_file_that_is_no_small_png_is_refused(tmp_path, monkeypatch, content):
    (tmp_path / pictures.FILE).write_bytes(content)
    monkeypatch.setattr(pictures, "game_folders", lambda: {**game_folders(), "own": tmp_path})
    with pytest.raises(NotFound, match=r"picture\.png of own is not a PNG"):
        pictures.read_picture("own")
