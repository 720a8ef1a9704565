"""`warm` compiles ahead."""

import json

import pytest


@pytest.mark.slow
def test_what_was_compiled_ahead_need_not_be_compiled_again(cli, tmp_path, monkeypatch):
    monkeypatch.setenv("STRATAGEM_CACHE", str(tmp_path))
    (first,), (second,) = (json.loads(cli("warm", "dice", "--json").out) for _ in range(2))
    assert first["game"] == "dice/default"
    assert second["seconds"] < first["seconds"] / 3


def test_an_unknown_game_is_named(cli):
    answer = cli("warm", "chess")
    assert answer.code == 2
    assert "unknown game 'chess'" in answer.err
