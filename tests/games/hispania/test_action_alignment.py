"""Decisions that follow history, against what was legal."""

import math

import numpy as np
import pytest

from games.hispania.positions import position
from games.hispania.test_play import play
from stratagem.core.registry import load_game
from stratagem.games.hispania.actions import BUY, RETREAT, TO
from stratagem.games.hispania.board.arrays import CODES, GAME_DATA, NAMES, NEAR
from stratagem.games.hispania.board.data import HISTORY
from stratagem.games.hispania.measures.alignment import measures
from stratagem.games.hispania.measures.decisions import followed_history, follows, lift, wishes


def row_of(kind):
    """(nation code, round, first target) of some row of history."""
    row = next(r for r in GAME_DATA.history if HISTORY[r.kind] == kind and r.first_round > 1)
    return CODES[row.nation], row.first_round, row


def test_a_destination_on_the_list_follows():
    nation, when, row = row_of("take")
    there = position({"Toletum": f"{nation} INF1"}, nation, when=when)
    there.s["phase"] = 3  # destination
    wanted = wishes().own[CODES.index(nation), when]
    listed = [follows(there.s, TO + region) for region in range(55)]
    assert listed == [bool(int(wanted) >> region & 1) for region in range(55)]
    assert all(listed[region] for region in row.regions)


def test_attacking_a_nation_on_the_list_follows():
    nation, when, row = row_of("hit")
    foe = CODES[row.nations[0]]
    target = next(
        name for at, name in enumerate(NAMES)
        if not int(wishes().own[CODES.index(nation), when]) >> at & 1
    )  # fmt: skip
    there = position({target: f"{foe} INF1", "Toletum": f"{nation} INF1"}, nation, when=when)
    there.s["phase"] = 3
    assert follows(there.s, TO + NAMES.index(target))
    there.s["owner"][NAMES.index(target)] = -1
    assert not follows(there.s, TO + NAMES.index(target))


def test_purchases_beside_a_target_follow():
    nation, when, row = row_of("take")
    there = position({"Toletum": f"{nation} INF1"}, nation, when=when)
    there.s["phase"] = 0
    beside = int(NEAR[row.regions[0]])
    assert all(follows(there.s, BUY + region) for region in range(55) if beside >> region & 1)
    assert not all(follows(there.s, BUY + region) for region in range(55))


def test_retreating_does_not_follow():
    there = position({"Toletum": "VAC INF1", "Complutum": "CEL INF1"}, "VAC")
    there.move("Toletum", "Complutum").dice(1, 1)
    assert follows(there.s, RETREAT + NAMES.index("Complutum"))
    assert not follows(there.s, RETREAT + NAMES.index("Cauca"))


@pytest.mark.parametrize(
    ("sums", "expected"), [((3, 1, 4), 2 / 3), ((1, 1, 4), 0.0), ((4, 2, 4), 1.0)]
)
def test_lift_corrects_for_opportunity(sums, expected):
    assert lift(np.array(sums, float)) == pytest.approx(expected)
    assert math.isnan(lift(np.zeros(3)))


def test_random_play_is_not_lifted():
    """Who chooses at random follows history as often as chance has it."""
    game = load_game("hispania/punic55")
    sums = sum(followed_history(*one) for one in play(game, ["random"] * 4, 4))
    assert (sums[:, 2] > 50).all() and (sums[:, :2] <= sums[:, 2:]).all()
    aligned, by_chance, counted = sums.sum(axis=0)
    assert abs(aligned - by_chance) / counted < 0.05


def test_measures_tell_it_by_seat():
    game = load_game("hispania/iberus20")
    states, actions = play(game, ["scripted", "random"], 1)[0]
    found = measures(states, actions)
    for seat in range(2):
        for name in ("action_alignment", "action_lift", "incentive_alignment"):
            assert f"seat{seat}/{name}" in found
    assert 0 < found["action_alignment"] <= 1
    assert found["trajectory_error"] >= 0
