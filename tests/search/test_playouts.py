"""Leaves evaluated by a bot's games: fair samples of what it achieves, and the same every time."""

import numpy as np
import pytest

from stratagem.agents.kinds.scripted import ScriptedAgent
from stratagem.agents.spec import make_agent
from stratagem.core.errors import BadSetting, UnknownName
from stratagem.core.registry import load_game
from stratagem.core.seats import OVER
from stratagem.core.seeding import derive_seeds
from stratagem.search import BlendedEvaluator, BotPlayouts, Evaluation, expand_seeds, play_out


@pytest.fixture(scope="module")
def game():
    return load_game("hexwar/symmetric")


@pytest.fixture(scope="module")
def positions(game):
    """Twelve positions in the middle of Goal Rush's games."""
    states = game.new_states(derive_seeds(3, count=12))
    agent = ScriptedAgent(game, "goal-rush", "goal-rush")
    for ply in range(10):
        game.kernels.step(states, agent.act(states, derive_seeds(3, str(ply), count=12)))
    assert (states["seat"] >= 0).all()
    return states


def _played_one_by_one(game, state, seed):
    """What the bot achieves, asked for one move at a time."""
    agent = ScriptedAgent(game, "goal-rush", "goal-rush")
    states = np.array([state])
    ply = 0
    while states["seat"][0] != OVER:
        game.kernels.step(states, agent.act(states, derive_seeds(seed, str(ply), count=1)))
        ply += 1
    return game.returns(states)[0]


def test_values_are_what_the_bot_achieves(game, positions):
    values = BotPlayouts(game, "goal-rush", 0, playouts=200).evaluate(positions, np.arange(4))
    for row in range(4):
        played = np.array([_played_one_by_one(game, positions[row], seed) for seed in range(200)])
        error = np.sqrt(played.var(0) / 200 + 1e-4)
        assert (np.abs(values.values[row] - played.mean(0)) < 4 * error).all()
    assert values.logits.size == 0


def test_a_playout_does_not_depend_on_its_company(game, positions):
    playouts = BotPlayouts(game, "goal-rush", 0, playouts=3)
    together = playouts.evaluate(positions, np.arange(12)).values
    alone = [playouts.evaluate(positions, np.array([row])).values[0] for row in range(12)]
    assert np.array_equal(together, np.array(alone))
    assert len(np.unique(together, axis=0)) > 1


def test_chance_is_drawn():
    """Catan's dice: the same position ends in different ways."""
    game = load_game("catan/colonist1v1")
    states = game.new_states(derive_seeds(1, count=1))
    results = [
        BotPlayouts(game, "weighted-random", seed).evaluate(states, np.arange(1)).values[0, 0]
        for seed in range(8)
    ]
    assert {-1.0, 1.0} <= set(np.round(results))


@pytest.mark.parametrize(
    ("spec", "bot"), [("catan/colonist1v1", "weighted-random"), ("hexwar/symmetric", "goal-rush")]
)
def test_playing_on_is_asking_the_bot_again_and_again(spec, bot):
    """Dice and decisions alike draw from the game's own stream, one word further each time."""
    game = load_game(spec)
    begun = game.new_states(derive_seeds(2, count=5))
    seeds = derive_seeds(3, count=5)
    for length in (0, 1, 17):
        states, words = begun.copy(), seeds
        for _ in range(length):
            actions = game.draw(states, words)
            chosen = np.empty(5, np.int32)
            deciding = np.flatnonzero(states["seat"] >= 0)
            game.rules.bot_kernels[bot](
                states[deciding], words[deciding], game.width, chosen[: len(deciding)]
            )
            actions[deciding] = chosen[: len(deciding)]
            game.kernels.step(states, actions)
            words = expand_seeds(words, 2)[1::2]
        played = play_out(game, bot, begun, seeds, length)
        assert played.tobytes() == states.tobytes()
    ends = play_out(game, bot, begun, seeds)
    assert (ends["seat"] == OVER).all()
    assert play_out(game, bot, played, words).tobytes() == ends.tobytes()


@pytest.mark.parametrize("share", [0.3, 0.9])
def test_the_bot_gets_its_share_of_the_prior(game, positions, share):
    rows = np.arange(12)
    playouts = BotPlayouts(game, "goal-rush", 0, prior_share=share)
    ids, counts = game.legal(positions)
    drawn = np.random.default_rng(1).normal(size=(12, game.actions.size)).astype(np.float32)
    before = drawn.copy()
    for given in (np.empty((0, 0), np.float32), drawn):
        raised = playouts.favour(given, positions, rows)
        shares = []
        for row in rows:
            legal = ids[row, : counts[row]]
            prior = np.exp(raised[row, legal] - raised[row, legal].max())
            prior /= prior.sum()
            if given.size:  # the others keep their order among themselves
                changed = raised[row, legal] != given[row, legal]
                assert changed.sum() <= 1
            if counts[row] > 1:
                shares.append(np.abs(prior - share).min())
        assert np.max(shares) < 1e-5
    assert np.array_equal(drawn, before)
    silent = BotPlayouts(game, "goal-rush", 0)
    assert silent.favour(drawn, positions, rows) is drawn


def test_blending_weighs_the_values_and_keeps_the_opinion_on_actions(game, positions):
    class Fixed:
        def evaluate(self, states, rows):
            logits = np.ones((len(rows), game.actions.size), np.float32)
            return Evaluation(logits, np.full((len(rows), 2), 0.4, np.float32))

    playouts = BotPlayouts(game, "goal-rush", 0)
    rows = np.arange(12)
    played = playouts.evaluate(positions, rows).values
    blended = BlendedEvaluator(Fixed(), playouts, 0.25).evaluate(positions, rows)
    assert np.allclose(blended.values, 0.3 + 0.25 * played)
    assert (blended.logits == 1).all()


def test_a_search_with_playouts_finds_more_than_the_bot_knows(game):
    """Few simulations over Goal Rush's own games never choose a losing way."""
    agent = make_agent("mcts:none?sims=32&playout=goal-rush", game)
    states = game.new_states(derive_seeds(5, count=6))
    bot = ScriptedAgent(game, "goal-rush", "goal-rush")
    ply = 0
    while len(rows := np.flatnonzero(states["seat"] != OVER)):
        live, seeds = states[rows], derive_seeds(5, str(ply), count=len(rows))
        first = live["seat"] == 0
        actions = bot.act(live, seeds)
        if first.any():
            actions[first] = agent.act(live[first], seeds[first])
        game.kernels.step(live, actions)
        states[rows] = live
        ply += 1
    results = game.returns(states)[:, 0]
    assert (results >= 0).all()
    assert results.sum() > 0


@pytest.mark.parametrize(
    ("spec", "error", "words"),
    [
        ("mcts:none?sims=8&playout=nobody", UnknownName, "scripted player 'nobody' of hexwar"),
        ("mcts:none?sims=8&playout_share=0.5", BadSetting, "there is no playout_share"),
        ("best:?playout_share=0.5", BadSetting, "playout_share needs playout=BOT"),
        ("best:?playout=goal-rush&playout_share=2", BadSetting, "write a share from 0 to 1"),
        ("best:?playout=goal-rush&playout_share=x", BadSetting, "write a share from 0 to 1"),
        ("best:?playout=goal-rush&prior_share=-1", BadSetting, "write a share from 0 to 1"),
        ("mcts:none?playout=goal-rush&prior_share=1", BadSetting, "leaves no choice"),
        ("mcts:none?sims=8&prior_share=0.5", BadSetting, "prior_share needs playout=BOT"),
    ],
)
def test_bad_options_are_refused(game, spec, error, words):
    with pytest.raises(error, match=words):
        make_agent(spec, game)
