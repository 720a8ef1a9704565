"""Searching agents: choosing, guessing what is hidden, and specs that make no sense."""

import numpy as np
import pytest

from search.growing import CONNECT_FOUR, HashEvaluator, batch, play
from stratagem.agents import make_agent
from stratagem.agents.kinds.mcts import MctsAgent, choose
from stratagem.core.errors import BadCheckpoint, BadSetting, UnknownName
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seeds
from stratagem.search import PlayoutEvaluator, RootReport, SearchSettings

CARDS = load_game("cards?ranks=6")


def report_of(visits, values=None, actions=None):
    """A report of one root with two empty places at the end of its row."""
    count = len(visits)
    width = count + 2

    def row(numbers, dtype):
        return np.array([[*numbers, 0, 0]], dtype)

    policy = np.array(visits, float) / sum(visits)
    return RootReport(
        actions=row(actions or range(count), np.int32),
        visits=row(visits, np.int32),
        values=row(values or [0] * count, np.float32),
        priors=np.full((1, width), 1 / width, np.float32),
        counts=np.array([count], np.int32),
        root_values=np.zeros(1, np.float32),
        policy=row(policy, np.float32),
    )


def repeated(report, times):
    parts = {name: np.repeat(getattr(report, name), times, axis=0) for name in vars(report)}
    return RootReport(**parts)


# -- choosing --------------------------------------------------------------------------------


@pytest.mark.parametrize("temperature", [0.3, 1.0, 2.0])
def test_actions_are_sampled_by_visits_to_the_power_of_inverse_temperature(temperature):
    visits = np.array([50, 0, 30, 15, 5])
    times = 20_000
    report = repeated(report_of(visits.tolist(), actions=[9, 8, 7, 6, 5]), times)
    picked = choose(report, derive_seeds(1, count=times), np.full(times, temperature))
    weights = (visits / visits.sum()) ** (1 / temperature)
    wanted = weights / weights.sum()
    found = np.array([np.mean(picked == action) for action in (9, 8, 7, 6, 5)])
    assert np.all(np.abs(found - wanted) <= 4 * np.sqrt(wanted * (1 - wanted) / times))
    assert found.sum() == pytest.approx(1)
    assert found[1] == 0  # never visited, never played


def test_temperature_zero_plays_the_most_visited():
    seeds = derive_seeds(1, count=1)
    cold = np.zeros(1)
    assert choose(report_of([3, 9, 8], [0.9, -0.9, 0.9]), seeds, cold) == 1
    # Ties go to the better value, on whichever side it stands.
    assert choose(report_of([9, 9, 8], [-0.2, 0.1, 0.9]), seeds, cold) == 1
    assert choose(report_of([9, 9, 8], [0.1, -0.2, 0.9]), seeds, cold) == 0
    # One more visit outweighs any value; an empty place at the end is no action.
    assert choose(report_of([9, 10], [1.0, -1.0]), seeds, cold) == 1
    assert choose(report_of([1], [-1.0], [4]), seeds, cold) == 4


def test_each_state_has_its_own_temperature():
    report = repeated(report_of([60, 40]), 1000)
    temperatures = np.where(np.arange(1000) % 2, 1.0, 0.0)
    picked = choose(report, derive_seeds(2, count=1000), temperatures)
    assert np.all(picked[::2] == 0)
    assert 0.3 < np.mean(picked[1::2]) < 0.5


# -- acting ----------------------------------------------------------------------------------


def test_it_wins_and_blocks():
    agent = make_agent("mcts:none?sims=800", CONNECT_FOUR)
    states = batch([play(moves) for moves in ("121213", "1212323", "12121", "121232")])
    actions = agent.act(states, derive_seeds(1, count=4))
    assert actions.tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize("spec", ["mcts:none?sims=40&temperature=1", "mcts:none?sims=24&cache=0"])
def test_a_decision_does_not_depend_on_its_company(spec):
    states = batch([play("1" * n) for n in range(6)])
    seeds = derive_seeds(3, count=6)
    agent = make_agent(spec, CONNECT_FOUR)
    together = agent.act(states, seeds)
    for n in (5, 0, 3):
        assert agent.act(states[n : n + 1], seeds[n : n + 1])[0] == together[n]
    np.testing.assert_array_equal(make_agent(spec, CONNECT_FOUR).act(states, seeds), together)


def test_gumbel_chooses_without_noise_and_by_more_than_value():
    """Of two actions visited alike the policy decides, in which the prior has its say."""
    game = load_game("dice/three")
    states = np.repeat(game.new_states(derive_seeds(1, count=1)), 30)
    game.kernels.step(states, game.draw(states, np.repeat(derive_seeds(2, count=1), 30)))
    agent = MctsAgent(game, HashEvaluator(game), SearchSettings(sims=2, root="gumbel"), "test")
    report = agent.analyse(states, derive_seeds(1, count=30))
    assert np.all(report.visits == 1)  # two actions, tried once each; what was rolled differs
    assert np.ptp(report.values, axis=0).max() > 0.1
    rows = np.arange(30)
    played = agent.act(states, derive_seeds(1, count=30))
    np.testing.assert_array_equal(played, report.actions[rows, report.policy.argmax(axis=1)])


def test_gumbel_plays_the_winning_move():
    agent = make_agent("mcts:none?sims=64&root=gumbel&rollouts=8", CONNECT_FOUR)
    states = batch([play("121213")] * 20)
    assert np.mean(agent.act(states, derive_seeds(1, count=20)) == 0) > 0.9


def test_legal_in_every_game():
    for name in ("dice/three", "cards", "connect_four"):
        game = load_game(name)
        states = game.new_states(derive_seeds(1, count=20))
        agent = make_agent("mcts:none?sims=8", game)
        for step in range(60):
            rolling = states["seat"] == -1
            rolled = states[rolling]
            seeds = derive_seeds(step, count=len(states))
            game.kernels.step(rolled, game.draw(rolled, seeds[rolling]))
            states[rolling] = rolled
            states = states[states["seat"] != -2]
            deciding = np.flatnonzero(states["seat"] >= 0)
            if len(deciding):
                moved = states[deciding]
                actions = agent.act(moved, seeds[: len(deciding)])
                for state, action in zip(moved, actions, strict=True):
                    assert action in game.legal_actions(state)
                game.kernels.step(moved, actions)
                states[deciding] = moved
        assert not len(states)  # every game came to its end


# -- hidden information ----------------------------------------------------------------------


def dealt(*cards, moves=()):
    state = CARDS.new_state(0)
    for event in (*cards, *moves):
        state = CARDS.after(state, event)
    return state


@pytest.mark.parametrize("guesses", [1, 4])
@pytest.mark.parametrize("root", ["puct", "gumbel"])
def test_the_other_hand_changes_nothing(guesses, root):
    settings = SearchSettings(sims=200, determinizations=guesses, root=root)
    agent = MctsAgent(CARDS, PlayoutEvaluator(CARDS, 1), settings, "test")
    seeds = derive_seeds(1, count=2)
    reports = [
        agent.analyse(batch([dealt(3, other), dealt(other, 3, moves=(0,))]), seeds)
        for other in (1, 6)
    ]
    for name in vars(reports[0]):
        np.testing.assert_array_equal(getattr(reports[0], name), getattr(reports[1], name))
    own = agent.analyse(batch([dealt(4, 1), dealt(1, 4, moves=(0,))]), seeds)
    assert np.any(own.values != reports[0].values)  # the own card does matter


def test_guesses_share_the_simulations_and_are_added_up_by_action():
    """Merging equals adding the trees of single guesses by hand."""
    guesses, sims = 5, 100
    settings = SearchSettings(sims=sims, determinizations=guesses)
    evaluator = HashEvaluator(CARDS)
    agent = MctsAgent(CARDS, evaluator, settings, "test")
    seeds = derive_seeds(7, count=3)
    states = batch([dealt(2, 5), dealt(1, 3), dealt(6, 2, moves=(0,))])
    merged = agent.analyse(states, seeds)
    single = agent._forest.report(np.arange(3 * guesses))
    assert np.all(single.visits.sum(axis=1) == sims // guesses)
    assert np.any(single.actions[:, 0] != single.actions[0, 0])  # orders differ between trees
    for n in range(3):
        mine = slice(n * guesses, (n + 1) * guesses)
        for action in (0, 1):
            columns = [order.index(action) for order in single.actions[mine, :2].tolist()]
            at = (np.arange(mine.start, mine.stop), columns)
            here = (n, merged.actions[n, :2].tolist().index(action))
            visits = single.visits[at]
            assert merged.visits[here] == visits.sum()
            weighted = (single.values[at] * visits).sum() / max(visits.sum(), 1)
            assert merged.values[here] == pytest.approx(weighted, abs=1e-6)
            assert merged.policy[here] == pytest.approx(single.policy[at].mean(), abs=1e-6)
            assert merged.priors[here] == pytest.approx(single.priors[at].mean(), abs=1e-6)
        assert merged.root_values[n] == pytest.approx(single.root_values[mine].mean(), abs=1e-6)
    assert np.all(merged.visits.sum(axis=1) == sims)


def test_a_sure_winner_bets_and_a_sure_loser_folds():
    agent = make_agent("mcts:none?sims=400&determinizations=10", CARDS)
    states = batch([dealt(6, 3, moves=(0, 1)), dealt(1, 3, moves=(0, 1))])
    assert agent.act(states, derive_seeds(1, count=2)).tolist() == [1, 0]


# -- specs -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("mcts", BadSetting, "mcts:none"),
        ("mcts?sims=5", BadSetting, "mcts:PATH"),
        ("mcts:none?sim=5", UnknownName, "unknown option 'sim' of agent .*did you mean 'sims'"),
        ("mcts:none?sims=0", BadSetting, "'sims'.*greater than or equal to 1.*'0'"),
        ("mcts:none?sims=many", BadSetting, "'sims'.*integer.*'many'"),
        ("mcts:none?sims=1.5", BadSetting, "'sims'"),
        ("mcts:none?root=best", BadSetting, "'root'.*'puct' or 'gumbel'"),
        ("mcts:none?c_init=-1", BadSetting, "'c_init'"),
        ("mcts:none?temperature=hot", BadSetting, "hot"),
        ("mcts:none?temperature=-1", BadSetting, "temperature=0 or more"),
        ("mcts:none?temperature=nan", BadSetting, "temperature=0 or more"),
        ("mcts:none?rollouts=0", BadSetting, "rollouts=1 to"),
        ("mcts:none?rollouts=x", BadSetting, "x"),
        ("mcts:no/such/folder?sims=5", BadCheckpoint, "no/such/folder"),
        ("policy:no/such/folder", BadCheckpoint, "no/such/folder"),
    ],
)
def test_specs_that_make_no_sense(spec, error, message):
    with pytest.raises(error, match=message) as caught:
        make_agent(spec, CONNECT_FOUR)
    assert "\n" not in str(caught.value)


def test_options_reach_the_search():
    agent = make_agent("mcts:none?sims=17&leaves_per_tree=3&reuse=false&c_base=0", CONNECT_FOUR)
    assert agent.settings == SearchSettings(
        sims=17, leaves_per_tree=3, reuse=False, c_base=0, fpu_reduction=-1
    )
    chosen = make_agent("mcts:none?fpu_reduction=0.5", CONNECT_FOUR)
    assert chosen.settings.fpu_reduction == 0.5
    assert agent.spec == "mcts:none?sims=17&leaves_per_tree=3&reuse=false&c_base=0"
    report = make_agent("mcts:none?sims=33", CONNECT_FOUR).analyse(
        batch([play("")]), derive_seeds(1, count=1)
    )
    assert report.visits.sum() == 33
