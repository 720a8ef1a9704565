"""Points soon scored: who gains, how far a decision looks ahead, and what is usual."""

import dataclasses

import numpy as np

from stratagem.core.registry import load_game
from stratagem.train.ppo.points import points_gained
from train.ppo.test_episodes import episodes
from train.ppo.tiny import DUEL

GAME = load_game(DUEL)
NATION = 8  # the nation of seat 0 on this map
FAR = 1e9  # so far ahead that every later point counts


def scored(leads, finals):
    """Games with decisions of seat 0, which leads by so many points at each, and at the end."""
    flat = [lead for game in leads for lead in game]
    games = [number for number, game in enumerate(leads) for _ in game]
    states = GAME.new_states(np.arange(1, len(flat) + 1, dtype=np.uint64))
    states["handicap"][:] = 0
    states["vp"][:, NATION] = flat
    found = episodes([0.0] * len(flat), games, [0] * len(flat), [[0, 0]] * len(leads))
    final = np.array([[points, 0] for points in finals], np.float32)
    return dataclasses.replace(found, states=states, scores=final)


def test_what_is_won_from_a_decision_on_is_compared_with_the_other_game():
    both = scored([[0, 4], [0, 0]], finals=[4, 2])
    # First decisions win 4 and 2 points in the end, second ones 0 and 2.
    assert np.allclose(points_gained(GAME, both, FAR), [1, -1, -1, 1])


def test_a_short_horizon_sees_the_next_points_alone():
    both = scored([[0, 4, 4], [0, 0, 0]], finals=[4, 9])
    soon = points_gained(GAME, both, 1e-3)
    assert np.allclose(soon, [2, 0, -4.5, -2, 0, 4.5])


def test_a_horizon_in_between_fades():
    both = scored([[0, 0, 0], [0, 0, 0]], finals=[8, 0])
    half = 1 / np.log(2)  # each sequence later counts half
    assert np.allclose(points_gained(GAME, both, half), [1, 2, 4, -1, -2, -4])


def test_the_others_points_count_against():
    both = scored([[0], [0]], finals=[0, 0])
    both.scores[0, 1] = 6  # the opponent's
    assert np.allclose(points_gained(GAME, both, FAR), [-3, 3])
