"""OpenSpiel's own tests and algorithms on our games, and ours on its games."""

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import mcts

from stratagem.adapters.open_spiel import AgentBot, from_open_spiel, to_open_spiel
from stratagem.agents import make_agent
from stratagem.core.conformance import check_game
from stratagem.core.errors import BadSetting, NotAllowed, StratagemError, UnknownName
from stratagem.core.record import replay
from stratagem.core.registry import load_game
from stratagem.evaluate.matches import play_match

SHORT_CATAN = "catan/colonist1v1?turn_limit=12"
# (spec, set-ups): without chance; a drawn set-up; dice, cards and a drawn island
GAMES = [("connect_four", 1), ("battlefield", 3), (SHORT_CATAN, 2)]
SMALL = [("dice/three", 1), ("cards", 1)]

# OpenSpiel's agents in PyTorch, and what they import, are not ours to correct.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
]


def first_decision(game):
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    return state


# -- our games there ------------------------------------------------------------------------------


@pytest.mark.parametrize(("spec", "setups"), [*GAMES, *SMALL])
def test_openspiels_random_simulations(spec, setups):
    """Clones, legal lists, masks, observations, chance, returns and serialisation, by its test."""
    game = to_open_spiel(spec, seed=1, setups=setups)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize(("spec", "setups"), GAMES)
def test_serialisation(spec, setups):
    game = to_open_spiel(spec, seed=1, setups=setups)
    state = first_decision(game)
    state.apply_action(state.legal_actions()[-1])
    text = pyspiel.serialize_game_and_state(game, state)
    other_game, other = pyspiel.deserialize_game_and_state(text)
    assert str(other_game) == str(game)
    assert other.history() == state.history()
    assert other.record == state.record
    assert other.legal_actions() == state.legal_actions()


@pytest.mark.parametrize(("spec", "setups"), GAMES)
def test_openspiels_searches_play(spec, setups):
    """The one in Python and the one in C++, whose `step` crashes with any game in Python."""
    game = to_open_spiel(spec, seed=1, setups=setups)
    state = first_decision(game)
    source = np.random.RandomState(5)
    bot = mcts.MCTSBot(game, 2.0, 4, mcts.RandomRolloutEvaluator(1, source), random_state=source)
    assert bot.step(state) in state.legal_actions()
    in_cpp = pyspiel.MCTSBot(
        game, pyspiel.RandomRolloutEvaluator(1, 5), 2.0, 4, 100, False, 5, False
    )
    assert in_cpp.mcts_search(state).best_child().action in state.legal_actions()


def test_openspiels_search_finds_the_win():
    game = to_open_spiel("connect_four")
    state = game.new_initial_state()
    for action in (3, 0, 3, 1, 3, 1):  # three in a column, and it is their turn again
        state.apply_action(action)
    source = np.random.RandomState(5)
    bot = mcts.MCTSBot(game, 2.0, 40, mcts.RandomRolloutEvaluator(1, source), random_state=source)
    assert bot.step(state) == 3


@pytest.mark.filterwarnings("ignore")  # PyTorch warns about how OpenSpiel's agents use it
@pytest.mark.parametrize(("spec", "setups"), GAMES)
def test_openspiels_policy_gradient_learns(spec, setups):
    """Its advantage actor-critic trains on what our encodings, masks and returns tell it."""
    import torch
    from open_spiel.python import rl_environment
    from open_spiel.python.pytorch import policy_gradient

    torch.manual_seed(0)
    np.random.seed(0)  # OpenSpiel's agents draw from the global generator
    environment = rl_environment.Environment(to_open_spiel(spec, seed=1, setups=setups))
    environment.seed(1)
    size = int(np.prod(environment.observation_spec()["info_state"]))
    actions = environment.action_spec()["num_actions"]
    agents = [
        policy_gradient.PolicyGradient(
            player, size, actions, hidden_layers_sizes=(8,), batch_size=4, num_critic_before_pi=1
        )
        for player in range(environment.num_players)
    ]
    before = [weight.detach().clone() for weight in agents[0]._pi_network.parameters()]
    for _ in range(2):
        step = environment.reset()
        while not step.last():
            player = step.observations["current_player"]
            step = environment.step([agents[player].step(step).action])
        for agent in agents:
            agent.step(step)
    losses = [float(loss) for agent in agents for loss in agent.loss]
    assert np.isfinite(losses).all()
    after = list(agents[0]._pi_network.parameters())
    assert any(not torch.equal(old, new) for old, new in zip(before, after, strict=True))


def test_regret_minimisation_solves_our_poker():
    """`cards` is Kuhn's poker at half the stakes: it is worth -1/36 to the first player."""
    from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

    game = to_open_spiel("cards")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    values = expected_game_score.policy_value(game.new_initial_state(), [policy] * 2)
    assert values[0] == pytest.approx(-1 / 36, abs=0.003)
    assert exploitability.exploitability(game, policy) < 0.01


def test_a_player_knows_its_own_card_and_no_other():
    game = to_open_spiel("cards")

    def dealt(first, second):
        state = game.new_initial_state()
        state.apply_action(first)
        state.apply_action([k for k in range(3) if k != first].index(second))
        return state

    one, two, three = dealt(0, 1), dealt(0, 2), dealt(1, 2)
    for text in ("information_state_string", "observation_string"):
        assert getattr(one, text)(0) == getattr(two, text)(0) != getattr(three, text)(0)
        assert getattr(one, text)(1) != getattr(two, text)(1) == getattr(three, text)(1)
    assert one.observation_tensor(0) == two.observation_tensor(0) != three.observation_tensor(0)


def test_the_type_says_what_the_rules_allow():
    kinds = pyspiel.GameType
    four, dice = to_open_spiel("connect_four").get_type(), to_open_spiel("dice/three").get_type()
    assert four.chance_mode == kinds.ChanceMode.DETERMINISTIC
    assert four.information == kinds.Information.PERFECT_INFORMATION
    assert (four.utility, dice.utility) == (kinds.Utility.ZERO_SUM, kinds.Utility.GENERAL_SUM)
    assert dice.chance_mode == kinds.ChanceMode.EXPLICIT_STOCHASTIC
    cards = to_open_spiel("cards").get_type()
    assert cards.information == kinds.Information.IMPERFECT_INFORMATION
    assert not cards.provides_information_state_tensor


def test_set_ups_are_drawn_or_fixed():
    drawn = to_open_spiel("battlefield", seed=4, setups=3)
    state = drawn.new_initial_state()
    assert state.chance_outcomes() == [(k, pytest.approx(1 / 3)) for k in range(3)]
    assert [state.action_to_string(k) for k in range(3)] == ["set-up 0", "set-up 1", "set-up 2"]
    first = {state.child(k).record for k in range(3)}
    assert len(first) == 3
    fixed = to_open_spiel("battlefield", seed=4).new_initial_state()
    assert not fixed.is_chance_node()
    assert fixed.record == load_game("battlefield").new_state(4).tobytes()


def test_games_are_loaded_by_text():
    game = pyspiel.load_game("stratagem(spec=battlefield/duel?ammo%3D2,seed=3)")
    assert game.game.spec == "battlefield/duel?ammo=2"
    assert str(pyspiel.load_game(str(game))) == str(game)


def test_mistakes():
    with pytest.raises(UnknownName, match="unknown game"):
        to_open_spiel("chess")
    with pytest.raises(BadSetting, match="from 1 to"):
        to_open_spiel("connect_four", setups=0)
    state = to_open_spiel("connect_four").new_initial_state()
    with pytest.raises(NotAllowed, match="action 9"):
        state.apply_action(9)


# -- players ---------------------------------------------------------------------------------------


def test_our_agents_as_their_bots():
    from open_spiel.python.algorithms import evaluate_bots

    game = to_open_spiel("cards")
    bots = [AgentBot("mcts:none?sims=8", game, 0, seed=1), AgentBot("random", game, 1)]
    returns = evaluate_bots.evaluate_bots(game.new_initial_state(), bots, np.random.RandomState(1))
    assert returns[0] == -returns[1] != 0


def test_a_bot_is_not_shown_what_is_hidden():
    """The spy of tests/games bets when it sees a position that was not hidden from others."""
    game = to_open_spiel("spy")
    state = first_decision(game)
    assert AgentBot("spy", game, state.current_player()).step(state) == 0


def test_their_search_as_our_agent():
    game = load_game("connect_four")
    agents = [
        make_agent("stratagem.adapters.open_spiel.mcts?sims=20", game),
        make_agent("random", game),
    ]
    first = play_match(game, agents, games=2, seed=1)
    assert first.agents[0].tally.score == 1.0
    assert play_match(game, agents, games=2, seed=1).outcomes == first.outcomes
    with pytest.raises(BadSetting, match="sims=1"):
        make_agent("stratagem.adapters.open_spiel.mcts?sims=0", game)
    with pytest.raises(UnknownName, match="option"):
        make_agent("stratagem.adapters.open_spiel.mcts?depth=0", game)


# -- its games here --------------------------------------------------------------------------------

THEIRS = ["tic_tac_toe", "kuhn_poker(players=3)", "leduc_poker", "pig(winscore=10,horizon=60)"]


@pytest.mark.parametrize("text", THEIRS)
def test_their_games_pass_our_kit(text):
    check_game(from_open_spiel(text), games=2)


def test_our_search_plays_their_game():
    game = from_open_spiel("tic_tac_toe")
    agents = [make_agent("mcts:none?sims=60", game), make_agent("random", game)]
    result = play_match(game, agents, games=6, seed=1, keep=True)
    assert result.agents[0].tally.losses == 0
    states = replay(result.records[0], game)
    assert states["seat"][-1] < 0 and len(states) > 5


def test_results_are_scaled_and_points_are_not():
    game = from_open_spiel("leduc_poker")
    agents = [make_agent("random", game)] * 2
    (outcome,) = play_match(game, agents, games=1, seed=3).outcomes
    assert outcome.returns == pytest.approx([points / 13 for points in outcome.scores])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("chess", "17695 events"),
        ("liars_dice", "cannot resample"),
        ("goofspiel", "simultaneously"),
        ("2048", "single player"),
        ("negotiation", "no probabilities"),
        ("lewis_signaling", "zero sum"),
        ("no_such_game", "has no game"),
        ("breakthrough(speed=3)", "speed"),
    ],
)
def test_what_does_not_fit_is_refused(text, reason):
    with pytest.raises(StratagemError, match=reason):
        from_open_spiel(text)
