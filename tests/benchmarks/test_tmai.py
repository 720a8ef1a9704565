"""The bridge's own half, which needs neither Node nor tmai: turns written for it and read back."""

import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from stratagem.core.registry import load_game
from stratagem.core.seats import OVER
from stratagem.core.seeding import derive_generator, derive_seeds
from stratagem.games.terra_mystica.board.factions import FACTIONS, GIANTS, HOME, SPADES

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks" / "tmai"
MODULES = ("translate", "follow", "link", "lockstep", "match")


@pytest.fixture(scope="module")
def bridge():
    """The modules as the scripts import each other: by their plain names."""
    kept = {name: sys.modules.pop(name) for name in MODULES if name in sys.modules}
    sys.path.insert(0, str(FOLDER))
    try:
        import follow
        import link
        import match
        import translate

        yield translate, follow, match, link
    finally:
        sys.path.remove(str(FOLDER))
        for name in MODULES:
            sys.modules.pop(name, None)
        sys.modules.update(kept)


def written_turns(translate, scenario, seed, games):
    """Random games: each turn as it began, what was written for it, and how it ended."""
    game, choice = load_game(scenario), derive_generator(seed, "tmai")
    for start in game.new_states(derive_seeds(seed, "tmai", count=games)):
        states = np.array([start])
        turn, began = translate.Turn(), states.copy()
        while states["seat"][0] != OVER:
            before, seat = states.copy(), int(states["seat"][0])
            in_turn = translate.due(before[0])[1] == "turn"
            offered = translate.legal(states)
            # Random players pass too soon to meet much of the game.
            busy = [action for action in offered if not 2129 <= action < 2138]
            pool = busy if busy and choice.random() < 0.9 else offered
            action = pool[int(choice.random() * len(pool))]
            translate.step(states, action)
            if not in_turn:
                began = states.copy()
                continue
            try:
                turn.add(before, action, states[0])
            except translate.Diverged:  # a choice that tmai does not offer
                break
            if turn.is_over(states[0], seat):
                yield began, turn, states.copy()
                turn, began = translate.Turn(), states.copy()


@pytest.mark.parametrize("scenario", ["halflings-engineers", "2p-random"])
def test_turns_written_for_tmai_read_back_as_the_same_turns(bridge, scenario):
    translate, follow, _, _ = bridge
    met = Counter()
    for began, turn, ended in written_turns(translate, f"terra_mystica/{scenario}", 3, 8):
        moves = [{"type": "chaosdouble"}, *turn.moves] if turn.double else turn.moves
        again = began.copy()
        unused = follow.follow(again, "turn", moves)
        assert translate.describe(again[0]) == translate.describe(ended[0]), moves
        assert translate.due(again[0]) == translate.due(ended[0])
        assert unused == turn.unused
        assert not again["explicit"][0]
        met.update(move["type"] for move in turn.moves)
    assert {"burn", "spade", "build", "upgradetp", "pass", "cult1"} <= set(met)


def test_a_difference_is_named_with_both_values(bridge):
    translate, _, _, _ = bridge
    state = load_game("terra_mystica/halflings-engineers").new_state(1)
    table = translate.describe(state)
    assert translate.differences(state, table) == []
    who = FACTIONS[int(state["faction"][1])]
    table["seats"][1]["points"] += 1
    table["land"][5][0] = 6 - table["land"][5][0]
    named = translate.differences(state, table)
    assert f"{who}: points: 20 here, 21 there" in named
    assert any(text.startswith("hex 5 (terrain, building, owner)") for text in named)
    assert len(named) == 2


def test_spades_go_the_way_that_does_not_cross_the_home(bridge):
    translate, _, _, _ = bridge
    for faction in range(len(FACTIONS)):
        for before in range(7):
            for after in range(7):
                if SPADES[faction, before, after] > 6:
                    continue
                steps = translate.transforms(faction, before, after, 0)
                if faction == GIANTS:
                    assert len(steps) == (before != after)
                    continue
                at = before
                for k, move in enumerate(steps):
                    at = (at + {"transformcw": 1, "transformccw": -1}[move["type"]]) % 7
                    assert at != HOME[faction] or k == len(steps) - 1
                assert at == after
                assert len(steps) == SPADES[faction, before, after]


def test_without_tmai_the_command_says_how_to_name_it(tmp_path):
    command = [sys.executable, str(FOLDER / "match.py"), "--tmai", str(tmp_path), "--games", "2"]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert ended.returncode == 2
    assert ended.stderr.startswith("no tmai: name its folder with --tmai or TMAI_PATH")


@pytest.mark.slow
@pytest.mark.parametrize("opponent", ["AI_Lode", "Level5"])
def test_games_against_tmai_stay_in_step(bridge, opponent):
    _, _, match, link = bridge
    if shutil.which("node") is None or link.find_tmai(None) is None:
        pytest.skip("needs Node, and the folder of tmai in TMAI_PATH")
    with link.start_tmai() as other:
        report = match.play(other, "random", opponent, games=2, seed=1).report()
    assert report["games"] == 2
    assert not report["divergences"]
