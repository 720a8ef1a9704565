"""Recorded games replay with every traced number equal; the recorded move is always legal."""

import json
from itertools import pairwise

import numpy as np
import pytest

from games.terra_mystica.recorded import ELSEWHERE, kept_games, more_games
from oracles.ledger.__main__ import main
from oracles.ledger.compare import replay_game
from stratagem.core.registry import load_game
from stratagem.games.terra_mystica import state as kinds
from stratagem.games.terra_mystica.board.factions import FACTIONS


def check(games):
    moves = 0
    for name, game in games.items():
        found = replay_game(game)
        assert found.differences == (), f"{name}: {found.differences[0]}"
        moves += found.moves
    return moves


def test_kept_games_replay_equal():
    games = kept_games()
    assert len(games) == 74
    assert check(games) == 9879
    played = {faction for game in games.values() for faction in game["final"]["factions"]}
    assert played == set(FACTIONS), "every faction is covered"


def test_games_elsewhere_replay_equal():
    if not ELSEWHERE:
        pytest.skip("set STRATAGEM_TERRA_MYSTICA_RECORDS to a folder of recorded games")
    games = more_games()
    assert games, f"no games in {ELSEWHERE}"
    assert check(games) > 0


def test_recorded_moves_and_step():
    """Each recorded decision is legal, and `step` does what the replay's single events do."""
    game = load_game("terra_mystica/5p?conversions=explicit&conversion_cap=250")
    for name in ("g04006_nomads-giants-darklings-swarmlings-cultists.json",):
        seen = []

        def watch(states, action, seen=seen):
            ids = game.legal_actions(states[0])
            assert action in ids
            seen.append((states.copy(), action))

        replay_game(kept_games()[name], watch)
        assert len(seen) > 200
        for (state, action), (after, _) in pairwise(seen):
            game.kernels.step(state, np.array([action], np.int32))
            assert state.tobytes() == after.tobytes()


def test_command_line(tmp_path, capsys):
    games = kept_games()
    file = tmp_path / "game.json"
    name = "g00001_halflings-engineers.json"
    file.write_text(json.dumps(games[name]))
    assert main([str(file), str(file)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("2 files, ")
    games[name]["trace"][40]["vp"] += 1
    file.write_text(json.dumps(games[name]))
    assert main([str(file)]) == 1
    shown = capsys.readouterr().out.splitlines()
    assert "trace 40" in shown[0] and "vp is" in shown[0] and "in the trace" in shown[0]
    assert shown[-1].endswith("moves compared, 1 differences")
    file.write_text("{}")
    assert main([str(file)]) == 1
    assert "no list of `rows`" in capsys.readouterr().out


def test_kinds_met():
    """The kept games meet every kind of decision that a ledger can hold."""
    met = set()
    for game in kept_games().values():
        replay_game(game, lambda states, action: met.add(int(states["kind"][0])))
    assert met >= set(range(kinds.TO_PRIESTS + 1)), sorted(set(range(15)) - met)
