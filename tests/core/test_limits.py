"""Positions from outside: what a game cannot have is refused before a kernel sees it."""

import subprocess
import sys

import numpy as np
import pytest

from stratagem.core.driver.retracing import check_retraced, retrace_games
from stratagem.core.errors import BadCheckpoint, BadState
from stratagem.core.registry import load_game
from stratagem.core.seats import OVER

GAMES = {
    "connect_four": "height",
    "battlefield": "cells",
    "hexwar/symmetric": "stack",
    "catan/colonist1v1": "terrain",
    "hispania/duel8": "owner",
    "terra_mystica/2p-random": "terrain",
}


@pytest.mark.parametrize(("spec", "field"), GAMES.items())
def test_a_value_outside_its_limits_is_refused_by_name(spec, field):
    game = load_game(spec)
    states = game.new_states(np.arange(1, 4, dtype=np.uint64))
    game.check_states(states)
    states[field][1].flat[0] = 211 if states[field].dtype == np.uint8 else 101
    with pytest.raises(BadState, match=f"see {field}"):
        game.check_states(states)


@pytest.mark.parametrize("seat", [-1, 2, 100, -3])
def test_a_seat_that_nobody_has_is_refused(seat):
    game = load_game("connect_four")
    states = game.new_states(np.arange(1, 3, dtype=np.uint64))
    states["seat"][0] = seat
    with pytest.raises(BadState, match="see seat"):
        game.check_states(states)


def test_a_finished_game_has_no_deciding_seat_to_observe():
    game = load_game("connect_four")
    states = game.new_states(np.arange(1, 3, dtype=np.uint64))
    states["seat"][1] = OVER
    with pytest.raises(BadState, match="no seat decides in one of these positions"):
        game.observer()(states)


def test_a_field_that_a_scenario_fixes_stays_what_it_is():
    game = load_game("connect_four")
    states = game.new_states(np.arange(1, 3, dtype=np.uint64))
    states["columns"] = 6
    with pytest.raises(BadState, match="see columns"):
        game.check_states(states)


def test_units_that_stand_on_each_other_in_a_circle_are_refused():
    game = load_game("hexwar/symmetric")
    states = game.new_states(np.arange(1, 2, dtype=np.uint64))
    states["cell"][0, :2] = 5
    states["stack"][0, 5] = 1
    states["above"][0, 0], states["above"][0, 1] = 2, 1
    with pytest.raises(BadState, match="contradict each other"):
        game.check_states(states)


def test_an_agent_beyond_its_team_is_refused():
    game = load_game("battlefield")  # two agents a team; a third would have moves without room
    states = game.new_states(np.arange(1, 2, dtype=np.uint64))
    states["cells"][0, 1, 2] = 0
    with pytest.raises(BadState, match="contradict each other"):
        game.check_states(states)


# Random bytes are changed in positions of random games; whatever passes is shown to the kernels
# that a replay is shown to. A process of its own, because a mistake here ends it.
FUZZ = """
import sys
import numpy as np
from stratagem.core.errors import BadState
from stratagem.core.registry import load_game
from stratagem.core.seats import OVER
game = load_game(sys.argv[1])
dice = np.random.default_rng(int(sys.argv[2]))
states = game.new_states(dice.integers(1, 2**60, 40).astype(np.uint64))
passed = refused = 0
for ply in range(int(sys.argv[3])):
    game.check_states(states)
    for _ in range(10):
        changed = states[dice.integers(len(states))].tobytes()
        raw = bytearray(changed)
        for _ in range(dice.integers(1, 3)):
            raw[dice.integers(len(raw))] = dice.integers(256)
        one = np.frombuffer(raw, states.dtype)
        try:
            game.check_states(one)
        except BadState:
            refused += 1
            continue
        passed += 1
        for encoding in game.rules.encodings:
            observer = game.observer(encoding.name)
            out = np.zeros((1, observer.spec.size), np.float32)
            observer.observe_into(one, np.zeros(1, np.int64), np.maximum(one["seat"], 0), out)
        if one["seat"][0] != OVER:
            game.legal(one)
        if game.num_symmetries > 1:
            game.kernels.symmetry(one, np.ones(1, np.int64), one.copy())
    live = np.flatnonzero(states["seat"] != OVER)
    if not len(live):
        break
    moved = states[live]
    actions = game.draw(moved, dice.integers(1, 2**60, len(live)).astype(np.uint64))
    ids, counts = game.legal(moved)
    choices = ids[np.arange(len(live)), (dice.random(len(live)) * counts).astype(int)]
    game.kernels.step(moved, np.where(actions < 0, choices, actions).astype(np.int32))
    states[live] = moved
print(passed, refused)
"""


@pytest.mark.parametrize(
    "spec",
    [*list(GAMES)[:3], *(pytest.param(spec, marks=pytest.mark.slow) for spec in list(GAMES)[3:])],
)
def test_whatever_passes_does_no_harm(spec):
    command = [sys.executable, "-c", FUZZ, spec, "1", "60"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    passed, refused = map(int, done.stdout.split())
    assert refused > 50
    assert passed > 5 or spec == "connect_four"  # whose positions have hardly a byte to spare


def test_games_are_played_again_and_must_come_to_the_same_positions():
    game = load_game("connect_four")
    seeds = np.arange(1, 3, dtype=np.uint64)
    events = [[3, 3, 2], [0]]
    states = retrace_games(game, seeds, events)
    assert states["ply"].tolist() == [3, 1]
    check_retraced(game, seeds, events, states)
    with pytest.raises(BadCheckpoint, match="does not allow"):
        retrace_games(game, seeds, [[3], [7]])
    with pytest.raises(BadCheckpoint, match="does not allow"):
        retrace_games(game, seeds, [[3], [-1]])
    states["discs"][0, 0] ^= np.uint64(1)
    with pytest.raises(BadCheckpoint, match="does not lead to"):
        check_retraced(game, seeds, events, states)
