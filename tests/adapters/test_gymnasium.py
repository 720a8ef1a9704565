"""Gymnasium's own checker, and what it does not look at: opponents, hidden things, rewards."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from stratagem.adapters.gymnasium import ENV_ID, SeatEnv
from stratagem.core.errors import BadSetting, UnknownName

# What the checker says about every board game: observations have no bounds that are worth naming.
pytestmark = [
    pytest.mark.filterwarnings("ignore:.*A Box observation space m"),
    pytest.mark.filterwarnings("ignore:.*For Box action spaces"),
    pytest.mark.filterwarnings("ignore:.*not having a spec"),
    pytest.mark.filterwarnings("ignore:.*The environment .* is different from the unwrapped"),
]


def play(env, seed=None):
    """(rewards, last info, observations) of an episode of last legal actions."""
    observation, info = env.reset(seed=seed)
    rewards, seen, over = [], [observation.tobytes()], False
    while not over:
        action = np.flatnonzero(info["action_mask"])[-1]
        observation, reward, over, cut, info = env.step(action)
        assert not cut
        rewards.append(reward)
        seen.append(observation.tobytes())
    return rewards, info, seen


@pytest.mark.parametrize("spec", ["connect_four", "battlefield", "dice/three", "cards"])
def test_gymnasiums_checker(spec):
    check_env(SeatEnv(spec, render_mode="ansi"))


@pytest.mark.parametrize("spec", ["connect_four", "dice/three", "cards"])
def test_the_reward_is_the_learners_return_and_comes_last(spec):
    env = SeatEnv(spec, seat=None)
    for seed in range(6):
        rewards, info, _ = play(env, seed)
        assert not any(rewards[:-1])
        assert rewards[-1] == env._session.returns[env.learner]
        assert not info["action_mask"].any()
        assert info["seat"] == env.learner


def test_the_learner_alone_decides_in_its_seat():
    env = SeatEnv("connect_four", opponents=["scripted"], seat=1)
    env.reset(seed=3)
    assert [event.seat for event in env._session.events] == [0]
    play(env, 3)
    agents = env._session.setup.agents
    assert agents == ("scripted", "human")


def test_episodes_of_a_seed_differ_and_repeat():
    def episodes():
        env = SeatEnv("dice", seat=None)
        return [play(env, 9)[2], *(play(env)[2] for _ in range(5))]

    assert episodes() == episodes()
    assert len(set(map(tuple, episodes()))) > 1


def test_both_seats_are_drawn():
    env = SeatEnv("connect_four", seat=None)
    env.reset(seed=0)
    seats = {env.learner}
    for _ in range(12):
        env.reset()
        seats.add(env.learner)
    assert seats == {0, 1}


def test_hidden_cards_are_not_observed():
    env = SeatEnv("cards", seat=0)
    before, _ = env.reset(seed=2)
    cards = env._session.state["card"]
    cards[1] = next(card for card in (1, 2, 3) if card not in cards)
    assert np.array_equal(env._observation(env._session), before)


def test_an_illegal_action_loses():
    env = SeatEnv("connect_four?rows=3")  # a column that is full before anybody can win in it
    _, info = env.reset(seed=1)
    while info["action_mask"][0]:
        _, _, over, _, info = env.step(0)
        assert not over
    _, reward, over, _, info = env.step(0)
    assert (reward, over, info["illegal"]) == (-1.0, True, True)
    with pytest.raises(BadSetting, match="reset"):
        env.step(1)


def test_made_by_name():
    env = gymnasium.make(ENV_ID, game="dice/three", opponents=["random", "random"], seat=2)
    _, info = env.reset(seed=1)
    assert info["seat"] == 2


def test_render():
    env = SeatEnv("connect_four", render_mode="ansi")
    env.reset(seed=0)
    assert env.render().splitlines()[-1] == "1 2 3 4 5 6 7"
    assert SeatEnv("dice").render() is None


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"opponents": "random"}, "a list"),
        ({"opponents": ["random", "random"]}, "a list of one agent, or of 1"),
        ({"seat": 2}, "seats 0 to 1"),
        ({"render_mode": "rgb"}, "write 'ansi'"),
    ],
)
def test_mistakes(arguments, reason):
    with pytest.raises(BadSetting, match=reason):
        SeatEnv("connect_four", **arguments)
    with pytest.raises(UnknownName, match="unknown game"):
        SeatEnv("chess")
