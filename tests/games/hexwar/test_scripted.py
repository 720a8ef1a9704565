"""The scripted player: what it must see in small positions, and how it fares against Goal Rush."""

import numpy as np
import pytest

from games.hexwar.positions import army, battle, move
from stratagem.agents.kinds.scripted import ScriptedAgent
from stratagem.core.registry import load_game
from stratagem.core.seats import OVER
from stratagem.evaluate.matches import play_match


def play_turn(game, state, seat=0):
    """Let the scripted player make its decisions until another seat is to decide."""
    player = ScriptedAgent(game, "scripted", "scripted")
    texts = []
    while state["seat"][0] == seat:
        action = player.act(state, np.array([1], np.uint64))
        assert action[0] in game.legal_actions(state[0])
        texts.append(game.rules.notation.format_action(state[0], int(action[0])))
        game.kernels.step(state, action)
    return texts


def test_two_strike_together_where_one_is_not_enough():
    game, state = battle({"a2": "I", "b1": "I"}, {"c2": "I"})
    play_turn(game, state)
    assert army(game, state, 1) == {}
    assert sum(map(len, army(game, state, 0).values())) == 2


def test_it_leaves_a_stronger_enemy_alone():
    game, state = battle({"b2": "I"}, {"c2": "A"})
    texts = play_turn(game, state)
    assert not [text for text in texts if text.startswith("attack")]
    assert army(game, state, 1) == {"c2": "A"}


def test_a_good_trade_is_made_and_a_bad_one_is_not():
    """Two infantry and armour are equally strong: each side loses one, and armour is worth more."""
    game, state = battle({"b2": "II"}, {"b1": "A"})
    play_turn(game, state)
    assert army(game, state, 1) == {}
    game, state = battle({"b2": "A"}, {"b1": "II"})
    texts = play_turn(game, state)
    assert not [text for text in texts if text.startswith("attack")]


def test_no_more_attackers_than_it_takes():
    game, state = battle({"a2": "I", "b1": "A"}, {"b2": "I"})
    texts = play_turn(game, state)
    assert sum(text.startswith("with") for text in texts) == 1


def test_an_enemy_on_its_victory_hex_is_driven_off():
    game, state = battle({"a1": "A", "b3": "I"}, {"a2": "A"}, turns=1)
    play_turn(game, state)
    assert army(game, state, 1) == {}


def test_nobody_is_late():
    """Alone on the board it spends its time as it likes, but stands there at the end."""
    game, state = battle({"a1": "I"}, {}, turns=4)
    while state["seat"][0] != OVER:
        play_turn(game, state)
    assert army(game, state, 0) == {"e4": "I"}
    assert game.returns(state)[0].tolist() == [1, -1]


def test_one_runs_and_the_other_guards():
    """Until the enemy, who waits, can no longer come in time."""
    game, state = battle({"a2": "I", "b2": "I"}, {"e1": "I"}, turns=3)
    armies = []
    for _ in range(3):
        play_turn(game, state)
        armies.append(army(game, state, 0))
        while state["seat"][0] == 1:
            text = "stay" if state["phase"][0] == 1 else "hold"
            move(game, state, f"{text} e1/1")
    assert [where.get("a2") for where in armies[:2]] == ["I", "I"]
    assert armies[2]["e4"] == "I"


@pytest.mark.parametrize("scenario", ["randomized", "randomized-10", "crossroads"])
def test_it_beats_goal_rush(scenario):
    """It wins some 90 % of thousands."""
    game = load_game(f"hexwar/{scenario}")
    players = [ScriptedAgent(game, name, name) for name in ("scripted", "goal-rush")]
    result = play_match(game, players, 200, seed=11)
    tally = result.agents[0].tally
    assert tally.wins > 0.8 * 200
    assert tally.losses < 0.05 * 200
