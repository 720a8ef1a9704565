"""Whole games: sequences, what is written down, and that what was played can be computed again."""

import numpy as np
import pytest
import torch

from stratagem.backend import ThreadBackend
from stratagem.core.game import as_batch
from stratagem.core.record import record_game
from stratagem.core.registry import load_game
from stratagem.core.seats import OVER
from stratagem.train.named_tensors import named_arrays
from stratagem.train.population import Population
from stratagem.train.ppo.collect import Collector
from stratagem.train.ppo.learner import Learner
from stratagem.train.ppo.losses import run_network
from stratagem.train.ppo.playing import sample
from stratagem.train.ppo.samples import Samples
from stratagem.train.progress import RunProgress
from train.ppo.tiny import DUEL, tiny_settings


@pytest.fixture(scope="module")
def learner():
    made = Learner(load_game(DUEL), tiny_settings(duel=True), 1)
    with torch.no_grad():  # a fresh policy is nearly even everywhere
        for parameter in made.module.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return made


def play(learner, iteration=1, **changes):
    settings = tiny_settings(duel=True, **{"play": {"precision": "float32"}, **changes})
    collector = Collector(settings, ThreadBackend())
    weights = named_arrays(learner.module)
    draw = Population(settings.opponents, settings.seed).draw(RunProgress())
    return collector.play(weights, {}, draw, settings.play.games, iteration)


SELF = {"opponents": {"self_play": 1.0, "past": 0.0, "agents": {}}}


@pytest.mark.parametrize("sequence", [1, 4])
def test_log_probabilities_can_be_computed_again(learner, sequence):
    episodes = play(
        learner, play={"sequence": sequence, "games": 4, "precision": "float32"}, **SELF
    )
    nothing = np.zeros(episodes.num_sequences, np.float32)
    samples = Samples(episodes, nothing, np.zeros((episodes.num_sequences, 1), np.float32), nothing)
    order = np.random.default_rng(3).permutation(episodes.num_sequences)
    batch = samples.tensors(learner.observer, order)
    with torch.no_grad():
        log_p, values = run_network(learner.module.eval(), batch)
    taken = (batch.legal == batch.actions[:, None]) & batch.is_legal
    assert (taken.sum(1) == 1).all()
    assert torch.allclose((log_p * taken).sum(1), batch.old, atol=1e-4)
    assert np.allclose(values[:, 0].numpy(), episodes.values[order], atol=1e-4)


def test_sequences_are_runs_of_one_seats_decisions(learner):
    episodes = play(learner, play={"sequence": 5, "games": 6, "renew": 0.0}, **SELF)
    lengths = np.diff(episodes.starts)
    assert lengths.min() >= 1 and lengths.max() == 5 and episodes.starts[-1] == len(episodes.states)
    game = learner.game
    for k in range(episodes.num_sequences):
        rows = range(episodes.starts[k], episodes.starts[k + 1])
        for row in rows:
            assert episodes.states[row]["seat"] == episodes.seats[k]
            assert episodes.actions[row] in game.legal_actions(episodes.states[row])
            if row > rows[0]:  # nothing happened in between
                after = game.after(episodes.states[row - 1], int(episodes.actions[row - 1]))
                assert after.tobytes() == episodes.states[row].tobytes()
    order = list(zip(episodes.games, episodes.seats, strict=True))
    assert order == sorted(order)


def test_renewing_makes_short_sequences(learner):
    always = play(learner, play={"renew": 1.0}, **SELF)
    assert always.num_sequences == len(always.states)


def test_only_the_learner_is_written_down(learner):
    episodes = play(learner)
    seats = episodes.learners[episodes.games, episodes.seats]
    assert seats.all()
    assert not episodes.learners.all()


def test_the_same_seed_plays_the_same_games(learner):
    one, two, other = (
        play(learner, **SELF),
        play(learner, **SELF),
        play(learner, iteration=2, **SELF),
    )
    assert one.actions.tobytes() == two.actions.tobytes()
    assert one.states.tobytes() == two.states.tobytes()
    assert one.actions.tobytes() != other.actions.tobytes()


def test_the_first_game_can_be_recorded(learner):
    episodes = play(learner, **SELF)
    record = record_game(learner.game, episodes.setup_seed, list(episodes.events), ("a", "b"))
    assert np.allclose(record.returns, episodes.returns[0])


def test_a_teachers_games_follow_the_teacher(learner):
    settings = tiny_settings(
        duel=True, imitation={"share": 1.0, "teacher": "scripted", "others": ["random"]}
    )
    episodes = Collector(settings, ThreadBackend()).demonstrate(settings.play.games, 1)
    assert not episodes.learners.all() and episodes.learners.any()
    assert (np.diff(episodes.starts) > 0).all()
    state = episodes.states[0]
    assert int(state["seat"]) != OVER
    assert int(episodes.actions[0]) in learner.game.legal_actions(as_batch(state)[0])


def test_the_learner_sits_in_every_seat_in_turn(learner):
    episodes = play(learner, play={"games": 6, "workers": 1})
    homes = np.arange(6) % 2
    assert (episodes.lineups[np.arange(6), homes] == 0).all()
    assert (episodes.lineups == 1).any()  # and somewhere the bot


def test_sampling_follows_the_odds_of_legal_actions():
    logits = np.tile(np.array([5.0, 0.0, np.log(3.0), 9.0], np.float32), (4000, 1))
    ids = np.tile(np.array([2, 1, 3], np.int32), (4000, 1))
    counts = np.full(4000, 2, np.int32)
    actions, log_p = sample(logits, ids, counts, np.random.default_rng(1))
    assert set(actions) == {1, 2}
    assert np.mean(actions == 2) == pytest.approx(0.75, abs=0.02)
    assert np.allclose(log_p, np.where(actions == 2, np.log(0.75), np.log(0.25)))
