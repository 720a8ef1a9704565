"""`warm` compiles ahead."""

import json

import pytest

from stratagem.evaluate import bench


@pytest.mark.slow
def test_what_was_compiled_ahead_need_not_be_compiled_again(cli, tmp_path, monkeypatch):
    monkeypatch.setenv("STRATAGEM_CACHE", str(tmp_path))
    (warmed,) = json.loads(cli("warm", "dice", "--json").out)
    assert warmed["game"] == "dice/default"
    # `bench` asks a new process the same: how long until all that a search needs is there?
    assert 0 < bench.compile_in_new_process("dice", str(tmp_path)) < warmed["seconds"] / 2


def test_an_unknown_game_is_named(cli):
    answer = cli("warm", "chess")
    assert answer.code == 2
    assert "unknown game 'chess'" in answer.err
