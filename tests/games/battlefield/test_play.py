"""Whole games: conformance, invariants, golden playthrough, scripted players, measures."""

from math import isnan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.battlefield.playthrough import FILE, playthrough
from games.battlefield.positions import draw, move
from interpreted import assert_interpreted_equals_compiled
from stratagem.core.conformance import check_game
from stratagem.core.registry import load_game
from stratagem.core.seats import OVER
from stratagem.core.seeding import derive_generator, derive_seeds
from stratagem.games.battlefield.board import cover_of_holder, crossfire
from stratagem.games.battlefield.measures import _shared_targets

SPECS = [
    "battlefield", "battlefield/duel", "battlefield/squad", "battlefield/large", "battlefield/open",
    "battlefield/default?height=6&width=9",
]  # fmt: skip


@pytest.mark.parametrize("spec", SPECS)
def test_conforms(spec):
    check_game(load_game(spec), games=4)


def test_interpreted_equals_compiled():
    specs = ["battlefield", "battlefield/duel", "battlefield/squad"]
    assert_interpreted_equals_compiled(specs, (0, 1))


def test_golden_playthrough():
    assert playthrough() == FILE.read_text(), "rules or players changed: run playthrough.py"


@settings(deadline=None, max_examples=60)
@given(
    height=st.integers(5, 15),
    width=st.integers(5, 15),
    team_size=st.integers(1, 3),
    obstacles=st.integers(0, 30),
    health=st.integers(1, 4),
    ammo=st.integers(0, 8),
    shot_range=st.integers(1, 14),
    shrink_every=st.integers(1, 20),
    hold_turns=st.integers(1, 8),
    seed=st.integers(0, 2**32),
)
def test_invariants_of_random_games(seed, **fields):
    game = load_game("battlefield/default?" + "&".join(f"{k}={v}" for k, v in fields.items()))
    longest = 2 * fields["shrink_every"] * ((min(fields["height"], fields["width"]) + 1) // 2)
    choice = derive_generator(seed, "invariants")
    state = game.new_states(derive_seeds(seed, "invariants", count=1))
    while state["seat"][0] != OVER:
        before = state[0].copy()
        legal = game.legal_actions(state[0])
        assert 0 in legal  # everybody may wait
        game.kernels.step(state, np.array([choice.choice(legal)], np.int32))
        check_position(before, state[0], longest)
    assert state["ply"][0] <= longest
    assert sum(game.returns(state)[0]) == 0.0


def check_position(before, after, longest):
    seat = int(before["seat"])
    assert after["ply"] == before["ply"] + 1 <= longest
    assert np.all(after["health"] <= before["health"])
    assert np.all(after["ammo"] <= before["ammo"])
    assert np.array_equal(after["walls"], before["walls"])
    alive = after["cells"] != 255
    assert np.array_equal(alive, after["health"] > 0)
    assert not np.any(alive & (before["cells"] == 255))
    stood = np.array_equal(after["cells"][1 - seat][alive[1 - seat]],
                           before["cells"][1 - seat][alive[1 - seat]])  # fmt: skip
    assert stood
    cells = after["cells"][alive]
    assert len(set(cells.tolist())) == len(cells)
    margin = int(after["margin"])
    for cell in cells.tolist():
        row, column = divmod(cell, 16)
        assert margin <= row < after["height"] - margin
        assert margin <= column < after["width"] - margin
        assert not int(after["walls"][row]) >> column & 1


def score_against(game, first: str, second: str, games: int) -> float:
    """Mean return of `first` in seat 0 for half of the games and in seat 1 for the other half."""
    total = 0.0
    for seat in range(2):
        states = game.new_states(derive_seeds(8, "duels", count=games // 2))
        for ply in range(400):
            going = np.flatnonzero(states["seat"] != OVER)
            if not len(going):
                break
            now = states[going]
            seeds = derive_seeds(8, "moves", seat, ply, count=len(going))
            actions = np.empty(len(going), np.int32)
            mover = first if now["seat"][0] == seat else second
            if mover == "random":
                ids, counts = game.legal(now)
                actions[:] = ids[np.arange(len(now)), seeds % counts.astype(np.uint64)]
            else:
                game.rules.bot_kernels[mover](now, seeds, game.width, actions)
            game.kernels.step(now, actions)
            states[going] = now
        total += float(game.returns(states)[:, seat].sum())
    return total / games


@pytest.mark.parametrize("spec", ["battlefield", "battlefield/duel", "battlefield/squad"])
def test_scripted_players_are_ranked(spec):
    game = load_game(spec)
    assert score_against(game, "goal-rush", "random", 200) > 0.9
    assert score_against(game, "scripted", "random", 200) > 0.9
    assert score_against(game, "scripted", "goal-rush", 400) > 0.0


def test_bots_shoot_hold_and_keep_in_the_zone():
    game, state = draw(
        """
        . . . . .
        . . A . .
        . . . . .
        . . a . .
        . . . . .
        """
    )
    for bot in ("scripted", "goal-rush"):
        assert chosen(game, state, bot) == "xS"
    state["ammo"] = 0
    assert chosen(game, state, "goal-rush") == "S"
    state["cells"][0, :, 0] = [2 * 16 + 2, 0]
    assert chosen(game, state, "goal-rush") == "."


def chosen(game, state, bot: str) -> str:
    action = np.empty(1, np.int32)
    game.rules.bot_kernels[bot](state, derive_seeds(1, "bot", count=1), game.width, action)
    return game.rules.notation.format_action(state[0], int(action[0]))


def played(game, state, *texts: str):
    states, actions = [state[0].copy()], []
    for text in texts:
        actions.append(game.rules.notation.parse_action(state[0], text))
        states.append(move(game, state, text).copy())
    return game.rules.measures(np.array(states), actions)


def test_measures_of_a_short_game():
    game, state = draw(
        """
        . . . . .
        . B . . .
        A . . a .
        . . . . b
        . . . . .
        """,
        ply=6,
        seat=0,
    )
    found = played(game, state, "xE .", ". .", "xE xE", ". .", ". .", ". .")
    assert found["seat0/ammo_efficiency"] == pytest.approx(2 / 3)
    assert isnan(found["seat1/ammo_efficiency"])
    assert found["ammo_efficiency"] == pytest.approx(2 / 3)
    assert found["seat0/focus_fire_rate"] == 0.0
    assert isnan(found["seat1/focus_fire_rate"])
    assert found["seat0/centre_control"] == 0.0
    assert found["seat0/shrink_losses"] == 1.0  # A stood on the rim at ply 12
    assert found["seat1/shrink_losses"] == 1.0  # so did b; a was shot
    assert found["shrink_losses"] == 1.0
    assert found["seat0/cohesion"] == pytest.approx(1 / 2)


def test_focus_fire_and_centre_are_counted():
    game, state = draw(
        """
        . . . . .
        . . . . B
        . . A . a
        . . . . .
        b . . . .
        """,
        health=3,
    )
    found = played(game, state, "xE xS", ". .", "xE xN", ". .")
    assert found["seat0/focus_fire_rate"] == 0.5
    assert found["seat0/centre_control"] == 1.0
    assert found["seat0/ammo_efficiency"] == pytest.approx(3 / 4)
    assert found["seat0/threats"] == pytest.approx((2 + 2 + 2 + 0) / 4)  # a falls at the third ply


CROSSED = """
. . . . . . .
. . . . . . .
. A . a . . .
. . . B . . .
. . . . . . .
. . . . . . .
b . . . . . .
"""


def test_teamwork_is_seen():
    """A and B both reach a; B holds the goal, and A could answer a, the only one who reaches it."""
    _, state = draw(CROSSED)
    assert crossfire(state[0], 0) == (1, 1)
    assert cover_of_holder(state[0], 0) == 1
    assert cover_of_holder(state[0], 1) == -1
    _, alone = draw(CROSSED.replace("A", "#").replace("# . . . . .", "# . . . . .", 1))
    assert crossfire(alone[0], 0) == (1, 0)
    assert cover_of_holder(alone[0], 0) == 0


def test_hits_of_two_agents_on_one_enemy_are_a_shared_target():
    assert _shared_targets([(0, 0, 1), (2, 1, 1), (4, 1, 1), (9, 0, 1)]) == [
        False, True, True, False,
    ]  # fmt: skip
    assert _shared_targets([(0, 0, 0), (0, 1, 1)]) == [False, False]
