"""The learner: repeatable, resumable, and it learns."""

import numpy as np
import pytest
import torch

from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_generator
from stratagem.train.alphazero.learner import Learner
from stratagem.train.alphazero.replay import Replay, Samples
from train.alphazero.tiny import TINY, self_play, tiny_settings


@pytest.fixture(scope="module")
def game():
    return load_game(TINY)


@pytest.fixture(scope="module")
def replay(game):
    kept = Replay([game])
    kept.add(1, self_play(game, 160).samples)
    return kept


def learner(game, seed=1, **learn):
    settings = tiny_settings(learning=learn)
    return Learner([game], settings.network, settings.learning, seed)


def weights(module):
    return {name: tensor.clone() for name, tensor in module.state_dict().items()}


def equal(one, other):
    return all(torch.equal(one[name], other[name]) for name in one)


def test_the_same_seed_gives_the_same_weights(game, replay):
    one, other, third = (learner(game, seed) for seed in (1, 1, 2))
    for each in (one, other, third):
        each.train(replay, 5, 1e-2, derive_generator(3))
    assert equal(weights(one.module), weights(other.module))
    assert equal(weights(one.playing), weights(other.playing))
    assert not equal(weights(one.module), weights(third.module))


def test_an_exported_learner_goes_on_exactly(game, replay):
    one = learner(game)
    one.train(replay, 4, 1e-2, derive_generator(3))
    saved = one.export()
    other = learner(game, seed=7)
    other.restore(saved)
    for each in (one, other):
        each.train(replay, 4, 1e-3, derive_generator(4))
    assert equal(weights(one.module), weights(other.module))
    assert equal(weights(one.playing), weights(other.playing))
    assert equal(one.export(), other.export())
    # What was exported does not follow the training.
    assert saved["steps"] == 4
    assert not equal(_part(saved, "module."), weights(one.module))


def _part(tensors, prefix):
    return {k.removeprefix(prefix): t for k, t in tensors.items() if k.startswith(prefix)}


def test_a_fresh_learner_can_be_exported_too(game, replay):
    one, other = learner(game), learner(game, seed=7)
    other.restore(one.export())
    for each in (one, other):
        each.train(replay, 2, 1e-2, derive_generator(4))
    assert equal(weights(one.module), weights(other.module))


def test_the_playing_weights_are_a_running_average(game, replay):
    one = learner(game, average_decay=0.99)
    before = weights(one.playing)
    assert equal(before, weights(one.module))
    one.train(replay, 1, 1e-2, derive_generator(3))
    trained, playing = weights(one.module), weights(one.playing)
    decay = 1 / 11  # of the first step; later ones approach average_decay
    for name, tensor in playing.items():
        if tensor.is_floating_point():
            expected = decay * before[name] + (1 - decay) * trained[name]
            assert torch.allclose(tensor, expected, atol=1e-6), name
        else:
            assert torch.equal(tensor, trained[name])
    assert not equal(playing, trained)
    one.train(replay, 1, 1e-2, derive_generator(4))
    assert not equal(playing, weights(one.playing))


def test_without_an_average_the_trained_weights_play(game, replay):
    one = learner(game, average_decay=0.0)
    one.train(replay, 3, 1e-2, derive_generator(3))
    assert equal(weights(one.module), weights(one.playing))


def test_losses_fall_on_a_fixed_replay(game, replay):
    one = learner(game, batch_size=64)
    first = one.train(replay, 3, 1e-2, derive_generator(3))
    one.train(replay, 80, 1e-2, derive_generator(4))
    last = one.train(replay, 3, 1e-3, derive_generator(3))
    assert last["policy"] < first["policy"] - 0.05
    assert last["value"] < 0.7 * first["value"]
    assert last["total"] == pytest.approx(last["policy"] + last["value"])


def test_no_steps_change_nothing(game, replay):
    one = learner(game)
    before = weights(one.module)
    assert one.train(replay, 0, 1e-2, derive_generator(3)) == {}
    assert equal(before, weights(one.module))


def test_short_searches_teach_the_value_but_not_the_policy(game, replay):
    samples = self_play(game, 160).samples
    silent = Samples(**{**vars(samples), "policy_weights": np.zeros(len(samples), np.float32)})
    fast = Replay([game])
    fast.add(1, silent)
    one = learner(game, weight_decay=0.0)
    before = weights(one.module)
    losses = one.train(fast, 3, 1e-2, derive_generator(3))
    after = weights(one.module)
    assert losses["policy"] == 0
    assert losses["value"] > 0
    assert torch.equal(before["policy_logits.weight"], after["policy_logits.weight"])
    assert not torch.equal(before["value_out.weight"], after["value_out.weight"])


def test_a_learner_can_start_from_another_network(game, replay):
    one, other = learner(game), learner(game, seed=7)
    one.train(replay, 3, 1e-2, derive_generator(3))
    other.start_from(one.playing)
    assert equal(weights(other.module), weights(one.playing))
    assert equal(weights(other.playing), weights(one.playing))
    one.train(replay, 1, 1e-2, derive_generator(3))
    assert not equal(weights(other.module), weights(one.playing))
