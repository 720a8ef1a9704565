"""Results mixed with points, advantages from sequence to sequence, parts joined."""

import dataclasses

import numpy as np
import pytest

from stratagem.core.registry import load_game
from stratagem.search.outcomes import outcome_values
from stratagem.train.ppo.episodes import Episodes, advantages, join_episodes
from stratagem.train.ppo.settings import OutcomeSection
from train.ppo.tiny import DUEL


def episodes(values, games, seats, outcomes):
    count = len(values)
    return Episodes(
        lineups=np.zeros((1, 2), np.int64),
        states=np.zeros(count, [("seat", "i1")]),
        actions=np.arange(count, dtype=np.int32),
        log_probabilities=np.zeros(count, np.float32),
        starts=np.arange(count + 1),
        games=np.array(games),
        seats=np.array(seats),
        values=np.array(values, np.float32),
        outcomes=np.array(outcomes, np.float32),
        returns=np.array(outcomes, np.float32),
        scores=np.array(outcomes, np.float32),
        learners=np.ones(np.shape(outcomes), bool),
        setup_seed=1,
        events=(),
    )


def test_without_a_trace_a_value_is_compared_with_the_next():
    one = episodes([0.1, 0.4, -0.2], [0, 0, 0], [1, 1, 1], [[0, 1]])
    assert np.allclose(advantages(one, 0.0), [0.3, -0.6, 1.2])


def test_with_a_full_trace_every_value_is_compared_with_the_outcome():
    one = episodes([0.1, 0.4, -0.2], [0, 0, 0], [1, 1, 1], [[0, 1]])
    assert np.allclose(advantages(one, 1.0), [0.9, 0.6, 1.2])


def test_seats_and_games_do_not_mix():
    both = episodes([0.5, 0.5, 0.5], [0, 0, 1], [0, 1, 1], [[1, -1], [-1, 0]])
    assert np.allclose(advantages(both, 0.9), [0.5, -1.5, -0.5])


def test_a_trace_in_between_decays_along_the_sequences():
    one = episodes([0.0, 0.0, 0.0], [0, 0, 0], [0, 0, 0], [[1, -1]])
    assert np.allclose(advantages(one, 0.5), [0.25, 0.5, 1.0])


def test_joined_parts_keep_their_places():
    one = episodes([0.1, 0.2], [0, 1], [0, 1], [[1, -1], [-1, 1]])
    two = dataclasses.replace(episodes([0.3], [0], [1], [[-1, 1]]), setup_seed=9)
    both = join_episodes([one, two])
    assert both.starts.tolist() == [0, 1, 2, 3]
    assert both.games.tolist() == [0, 1, 2]
    assert both.setup_seed == 1
    assert np.allclose(advantages(both, 0.9), [0.9, 0.8, 0.7])


@pytest.mark.parametrize("weight", [0.0, 0.5, 1.0])
def test_outcomes_mix_results_and_leads(weight):
    game = load_game(DUEL)
    states = game.new_states(np.array([1, 2], np.uint64))
    states["vp"][0, 3], states["handicap"][:] = 12, 0
    found = outcome_values(game, states, OutcomeSection(margin_share=weight, margin_scale=12.0))
    scores, returns = game.scores(states), game.returns(states)
    lead = np.tanh((scores[:, 0] - scores[:, 1]) / 12.0)
    assert np.allclose(found[:, 0], (1 - weight) * returns[:, 0] + weight * lead)
    assert np.allclose(found[:, 0], -found[:, 1])
