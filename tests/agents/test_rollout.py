"""Rollouts: a player that looks where its moves lead, with dice that are fair to all of them."""

import numpy as np
import pytest

from stratagem.agents import make_agent
from stratagem.agents.kinds.rollout import RolloutAgent, RolloutSettings
from stratagem.agents.kinds.scripted import ScriptedAgent
from stratagem.core.errors import BadSetting, UnknownName
from stratagem.core.registry import load_game
from stratagem.core.seats import OVER
from stratagem.core.seeding import derive_seeds
from stratagem.core.state_arrays import take
from stratagem.evaluate.matches import play_match
from stratagem.search import Evaluation, play_out

SEATS = 2


class Opinion:
    """An evaluator that likes actions by a fixed order; its values are never asked for."""

    def __init__(self, logits):
        self._logits = np.asarray(logits, np.float32)

    def evaluate(self, states, rows):
        logits = np.repeat(self._logits[None], len(rows), 0)
        return Evaluation(logits, np.full((len(rows), SEATS), np.nan, np.float32))


@pytest.fixture(scope="module")
def game():
    return load_game("hexwar/symmetric")


@pytest.fixture(scope="module")
def positions(game):
    """Sixteen positions in the middle of Goal Rush's games, each with a choice."""
    states = game.new_states(derive_seeds(4, count=64))
    bot = ScriptedAgent(game, "goal-rush", "goal-rush")
    for ply in range(30):
        going = np.flatnonzero(states["seat"] != OVER)
        states = take(states, going)
        game.kernels.step(states, bot.act(states, derive_seeds(4, str(ply), count=len(states))))
    choices = game.legal(states)[1]
    states = take(states, np.flatnonzero((states["seat"] >= 0) & (choices > 2)))[:16]
    assert len(states) == 16
    return states


def _agent(game, logits=None, **settings):
    evaluator = None if logits is None else Opinion(logits)
    return RolloutAgent(game, evaluator, "goal-rush", RolloutSettings(length=0, **settings), "test")


def test_it_beats_the_bot_that_it_thinks_with():
    game = load_game("hexwar/symmetric")
    specs = ("rollout:none?bot=goal-rush&length=0", "goal-rush")
    mine = play_match(game, [make_agent(spec, game) for spec in specs], 40, seed=1).agents[0].tally
    assert mine.wins > 10 and mine.losses <= 2


def test_without_a_difference_the_first_choice_is_played(game, positions):
    """Playouts that stop at once see nothing: the network's likeliest legal move it is."""
    logits = np.random.default_rng(1).normal(size=game.actions.size)
    seeds = derive_seeds(5, count=len(positions))
    agent = RolloutAgent(game, Opinion(logits), "goal-rush", RolloutSettings(length=1), "test")
    moves = agent._moves(positions, seeds)
    ids, counts = game.legal(positions)
    for row, listed in enumerate(moves):
        legal = ids[row, : counts[row]]
        assert listed[0] == legal[np.argmax(logits[legal])]
    after = [_points(game, positions, moves[:, k], seeds) for k in range(2)]
    same = np.flatnonzero((after[0] == after[1]).all(1))
    assert len(same) > 8
    two = RolloutAgent(game, Opinion(logits), "goal-rush", RolloutSettings(2, length=1), "test")
    assert (two.act(positions, seeds)[same] == moves[same, 0]).all()


def test_with_one_move_nothing_is_thought_about(game, positions):
    logits = np.random.default_rng(2).normal(size=game.actions.size)
    seeds = derive_seeds(5, count=len(positions))
    several = _agent(game, logits)._moves(positions, seeds)
    assert (_agent(game, logits, moves=1).act(positions, seeds) == several[:, 0]).all()


def _points(game, states, actions, seeds):
    after = states.copy()
    game.kernels.step(after, actions)
    return game.scores(play_out(game, "goal-rush", after, seeds, 1))


def test_the_move_that_leads_furthest_is_found(game, positions):
    """Every legal move is compared: the choice is as good as the best by many games of its own."""
    seeds = derive_seeds(6, count=len(positions))
    agent = _agent(game, moves=game.width, playouts=64, doubt=0.0)
    chosen = agent.act(positions, seeds)
    gains = []
    for row, action in enumerate(chosen):
        state = positions[row : row + 1]
        seat = int(state["seat"][0])
        worth = {move: _worth(game, state, move, seat) for move in game.legal_actions(state[0])}
        gains.append((worth[int(action)], max(worth.values()), np.mean(list(worth.values()))))
    mine, best, mean = np.mean(gains, axis=0)
    assert best - mine < 0.2 * (best - mean)


def _worth(game, state, action, seat):
    states = take(state, np.zeros(200, np.int64))
    game.kernels.step(states, np.full(200, action, np.int32))
    scores = game.scores(play_out(game, "goal-rush", states, derive_seeds(7, count=200)))
    return float((scores[:, seat] - scores[:, 1 - seat]).mean())


def test_a_decision_does_not_depend_on_its_company(game, positions):
    agent = _agent(game)
    seeds = derive_seeds(8, count=len(positions))
    together = agent.act(positions, seeds)
    alone = [agent.act(positions[k : k + 1], seeds[k : k + 1])[0] for k in range(len(positions))]
    assert together.tolist() == alone
    assert agent.act(positions, seeds).tolist() == alone


def test_what_the_bot_would_do_is_always_looked_at(game, positions):
    """However little the network thinks of it."""
    bot = ScriptedAgent(game, "goal-rush", "goal-rush")
    seeds = derive_seeds(9, count=len(positions))
    suggested = bot.act(positions, seeds)
    logits = np.zeros(game.actions.size)
    logits[suggested] = -10.0
    moves = _agent(game, logits, moves=2)._moves(positions, seeds)
    assert (moves == suggested[:, None]).any(axis=1).all()
    ids, counts = game.legal(positions)
    for row, listed in enumerate(moves):
        kept = listed[listed >= 0]
        assert len(set(kept)) == len(kept) == min(2, counts[row])
        assert set(kept) <= set(ids[row, : counts[row]])


def test_a_playout_stops_where_it_is_told(game, positions):
    dice = derive_seeds(10, count=len(positions))
    before = positions.tobytes()
    nowhere = play_out(game, "goal-rush", positions, dice, 0)
    assert nowhere.tobytes() == before
    whole = play_out(game, "goal-rush", positions, dice)
    assert (whole["seat"] == OVER).all()
    assert play_out(game, "goal-rush", whole, dice).tobytes() == whole.tobytes()
    two = play_out(game, "goal-rush", positions, dice, 2)
    assert two.tobytes() not in (nowhere.tobytes(), whole.tobytes())
    assert positions.tobytes() == before  # nobody played on the caller's board


def test_hidden_cards_do_not_change_the_decision():
    """The agent guesses what it cannot see; the other seat's real hand makes no difference."""
    game = load_game("catan/colonist1v1")
    states = game.new_states(derive_seeds(11, count=8))
    bot = ScriptedAgent(game, "weighted-random", "weighted-random")
    for ply in range(120):
        words = derive_seeds(11, str(ply), count=len(states))
        actions = game.draw(states, words)
        decides = np.flatnonzero(states["seat"] >= 0)
        actions[decides] = bot.act(take(states, decides), words[decides])
        game.kernels.step(states, actions)
    states = take(states, np.flatnonzero(states["seat"] >= 0))
    assert len(states) > 2
    agent = make_agent("rollout:none?bot=weighted-random&playouts=8&length=20", game)
    seeds = derive_seeds(12, count=len(states))
    guesses = [
        game.hidden_from(states, states["seat"], derive_seeds(13, str(k), count=len(states)))
        for k in range(2)
    ]
    assert guesses[0].tobytes() != guesses[1].tobytes()
    assert agent.act(guesses[0], seeds).tolist() == agent.act(guesses[1], seeds).tolist()


def test_wrong_specs_are_refused(game):
    with pytest.raises(BadSetting, match="write rollout:PATH, or rollout:none"):
        make_agent("rollout", game)
    with pytest.raises(UnknownName, match="goal-rush"):
        make_agent("rollout:none?bot=goal-rusch", game)
    with pytest.raises(BadSetting, match="playouts=2 or more"):
        make_agent("rollout:none?playouts=1", game)
    with pytest.raises(BadSetting, match="invalid literal"):
        make_agent("rollout:none?moves=many", game)
    with pytest.raises(UnknownName, match=r"unknown option .* of agent"):
        make_agent("rollout:none?sims=4", game)
    with pytest.raises(BadSetting, match="declares no scripted players"):
        make_agent("rollout:none", load_game("cards?ranks=6"))
