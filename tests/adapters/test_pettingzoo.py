"""PettingZoo's own tests, and what they do not look at: chance, hidden cards, rewards."""

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from stratagem.adapters.pettingzoo import StratagemEnv, env
from stratagem.core.errors import BadSetting, UnknownName
from stratagem.core.registry import game_folders

GAMES = ["connect_four", "dice", "dice/three", "cards", *({"battlefield"} & set(game_folders()))]

# What PettingZoo says about its own board games too: they observe a dictionary with a mask, which
# is empty for whoever is not to move, and a seat may have nothing to see yet.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
    pytest.mark.filterwarnings("ignore:Observation numpy array is all zeros"),
]


def play(game, seed):
    """(agents in order, rewards by agent, last observations) of a game of first legal actions."""
    game.reset(seed=seed)
    turns, rewards, seen = [], {}, []
    for agent in game.agent_iter():
        observation, reward, over, _, info = game.last()
        assert np.array_equal(observation["action_mask"], info["action_mask"])
        seen.append(observation["observation"].tobytes())
        rewards[agent] = rewards.get(agent, 0) + reward
        if over:
            game.step(None)
            continue
        turns.append(agent)
        game.step(int(np.flatnonzero(observation["action_mask"])[-1]))
    return turns, rewards, seen


@pytest.mark.parametrize("spec", GAMES)
def test_api(spec):
    api_test(env(spec), num_cycles=50)
    api_test(StratagemEnv(spec), num_cycles=50)


@pytest.mark.parametrize("spec", GAMES)
def test_seeds(spec):
    seed_test(lambda: env(spec), num_cycles=100)
    seed_test(lambda: StratagemEnv(spec), num_cycles=100)


@pytest.mark.parametrize("spec", GAMES)
def test_rewards_are_the_returns_and_come_once(spec):
    game = StratagemEnv(spec)
    _, rewards, _ = play(game, seed=5)
    returns = game._session.returns
    assert list(rewards) != []
    assert [rewards[agent] for agent in game.possible_agents] == pytest.approx(returns)


def test_a_seat_may_move_many_times_in_a_row():
    turns, _, _ = play(StratagemEnv("dice/three"), seed=1)
    assert turns[:3] == ["player_0"] * 3
    assert set(turns) == {"player_0", "player_1", "player_2"}


def test_dice_come_from_the_seed():
    game = StratagemEnv("dice")
    games = [play(game, seed)[2] for seed in range(12)]
    assert len(set(map(tuple, games))) > 6
    assert play(game, 3)[2] == games[3]


def test_episodes_of_one_seed_differ_and_repeat():
    def five_episodes():
        game = StratagemEnv("dice", seed=9)
        episodes = []
        for _ in range(5):
            game.reset()
            episodes.append(game._session.state.tobytes())
        return episodes

    assert five_episodes() == five_episodes()
    assert len(set(five_episodes())) > 1


def test_a_hidden_card_is_never_observed():
    game = StratagemEnv("cards")
    game.reset(seed=2)
    mine = int(game._session.state["card"][0])
    before = game.observe("player_0")["observation"]
    assert before[mine - 1] == 1
    swapped = next(card for card in (1, 2, 3) if card not in game._session.state["card"])
    game._session.state["card"][1] = swapped
    assert np.array_equal(game.observe("player_0")["observation"], before)


def test_only_the_mover_has_a_mask():
    game = StratagemEnv("connect_four")
    game.reset(seed=0)
    assert game.observe("player_0")["action_mask"].sum() == 7
    assert game.observe("player_1")["action_mask"].sum() == 0
    assert game.observe("player_0")["action_mask"].dtype == np.int8


def test_illegal_moves():
    game = StratagemEnv("connect_four")
    game.reset(seed=0)
    for _ in range(6):
        game.step(0)
    with pytest.raises(BadSetting, match="action 0 is illegal for player_0"):
        game.step(0)
    guarded = env("connect_four")
    guarded.reset(seed=0)
    for _ in range(7):
        guarded.last()
        guarded.step(0)
    assert guarded.terminations["player_0"]
    assert guarded.rewards["player_0"] == -1


def test_render():
    game = StratagemEnv("connect_four", render_mode="ansi")
    game.reset(seed=0)
    game.step(2)
    assert game.render().splitlines()[-2:] == [". . X . . . .", "1 2 3 4 5 6 7"]
    assert StratagemEnv("dice").render() is None
    with pytest.raises(BadSetting, match="write 'ansi'"):
        StratagemEnv("dice", render_mode="rgb")


def test_unknown_game():
    with pytest.raises(UnknownName, match="unknown game"):
        env("chess")
