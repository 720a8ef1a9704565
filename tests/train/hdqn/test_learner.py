"""One optimisation step is the thesis's, number by number."""

import copy

import numpy as np
import pytest
import torch

from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_generator, derive_seeds
from stratagem.core.specs import ActionSpec
from stratagem.nets.build import build_network
from stratagem.train.hdqn.learner import QLearner
from stratagem.train.hdqn.replay import Replay
from stratagem.train.hdqn.settings import LearningSection
from train.hdqn.small import GAME

OUTPUTS = 5


@pytest.fixture
def game():
    return load_game(GAME)


def filled_replay(game, count=40):
    """Decisions in fresh positions with random choices, masks and goals."""
    replay = Replay(game.rules.dtype, 64, OUTPUTS, 2, 0.9, "gain")
    dice = derive_generator(4)
    for number in range(count):
        states = game.new_states(derive_seeds(number, "s", count=1))
        legal = dice.random((1, OUTPUTS)) < 0.5
        legal[0, number % OUTPUTS] = True
        replay.add(
            np.array([number % 2]), states, legal, np.array([number % OUTPUTS]),
            dice.random(1).astype(np.float32), np.array([number // 2]),
        )  # fmt: skip
    replay.end(np.array([0]), np.array([2.0], np.float32))
    return replay


def make(game, **changes):
    torch.manual_seed(1)
    observer = game.observer("thesis")
    module = build_network("feedforward", {"hidden": [6]}, observer.spec, ActionSpec(OUTPUTS), 0)
    settings = LearningSection(
        batch_size=8, tau=0.1, learning_rate=0.01, weight_decay=0.05, **changes
    )
    return QLearner(module, filled_replay(game), observer, settings)


@pytest.mark.parametrize("double", [False, True])
def test_steps_equal_a_slow_twin(game, double):
    learner = make(game, double=double, reward_scale=0.5)
    module, target = copy.deepcopy(learner.module), copy.deepcopy(learner.module)
    optimiser = torch.optim.AdamW(module.parameters(), lr=0.01, weight_decay=0.05)
    replay, observer = learner.replay, game.observer("thesis")
    loss, steps = learner.learn(2, derive_generator(7))
    assert steps == 2

    places = replay.draw(16, derive_generator(7))
    total = 0.0
    for rows in (places[:8], places[8:]):
        wanted = []
        for place in rows:
            after = replay.following[place]
            seen = torch.from_numpy(observer(replay.states[after : after + 1]))
            with torch.no_grad():
                ahead = target(seen).logits[0].tolist()
                mine = module(seen).logits[0].tolist()
            legal = [k for k in range(OUTPUTS) if replay.legal[after, k]]
            best = (
                ahead[max(legal, key=lambda k: mine[k])] if double else max(ahead[k] for k in legal)
            )
            wanted.append(0.5 * replay.rewards[place] + replay.discounts[place] * best)
        seen = torch.from_numpy(observer(replay.states[rows]))
        values = module(seen).logits[torch.arange(8), torch.from_numpy(replay.choices[rows])]
        away = (values - torch.tensor(wanted, dtype=torch.float32)).abs()
        mean = torch.where(away < 1, 0.5 * away**2, away - 0.5).mean()
        optimiser.zero_grad()
        mean.backward()
        optimiser.step()
        total += mean.item()
        with torch.no_grad():
            for slow, fast in zip(target.parameters(), module.parameters(), strict=True):
                slow.copy_(0.9 * slow + 0.1 * fast)
    assert loss == pytest.approx(total, rel=1e-4)
    for one, other in zip(learner.module.parameters(), module.parameters(), strict=True):
        assert torch.allclose(one, other, atol=1e-5)
    for one, other in zip(learner._target.parameters(), target.parameters(), strict=True):
        assert torch.allclose(one, other, atol=1e-5)


def test_steps_follow_decisions(game):
    learner = make(game, steps_per_decision=0.4)
    assert [learner.learn(1, derive_generator(1))[1] for _ in range(5)] == [0, 0, 1, 0, 1]
    empty = make(game)
    empty.replay = Replay(game.rules.dtype, 64, OUTPUTS, 2, 0.9, "gain")
    assert empty.learn(3, derive_generator(1)) == (0.0, 0)


def test_a_restored_learner_goes_on_alike(game):
    one = make(game)
    one.learn(3, derive_generator(1))
    other = make(game)
    other.restore(one.export())
    for learner in (one, other):
        learner.learn(3, derive_generator(2))
    for name, tensor in one.export().items():
        assert torch.equal(tensor, other.export()[name]), name
