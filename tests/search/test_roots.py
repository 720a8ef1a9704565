"""What happens at the root only: noise, Gumbel's candidates, and the policy that comes out."""

import numpy as np
import pytest

from search.growing import CONNECT_FOUR, HashEvaluator, batch, check_tree, grow, play
from search.table_game import Place, TableEvaluator, TableGame, ended
from stratagem.core.seeding import derive_seeds
from stratagem.search import Forest, SearchSettings, UniformEvaluator
from stratagem.search.halving import halving_plan


def rooted(trees=1, seed=1, evaluator=None, **options):
    forest = Forest(CONNECT_FOUR, SearchSettings(**options), trees)
    everyone = np.arange(trees)
    states = batch([play("4")] * trees)
    asked = evaluator or HashEvaluator(CONNECT_FOUR)
    forest.set_roots(everyone, states, derive_seeds(seed, count=trees), asked)
    return forest, everyone


# -- noise -----------------------------------------------------------------------------------


def noisy_priors(fraction, seed=1, trees=1, **options):
    forest, everyone = rooted(trees, seed, noise_fraction=fraction, **options)
    before = forest.report(everyone)
    forest.prepare_roots(everyone, noise=True)
    after = forest.report(everyone)
    np.testing.assert_array_equal(before.actions, after.actions)
    return before.priors, after.priors


def test_noise_keeps_a_distribution():
    before, after = noisy_priors(0.25, trees=50)
    np.testing.assert_allclose(after.sum(axis=1), 1, atol=1e-5)
    assert np.all(after >= 0.75 * before - 1e-6)  # at most the noise's share is taken away
    assert np.all(np.abs(after - before).max(axis=1) > 1e-4)


def test_noise_depends_on_the_seed_alone():
    _, first = noisy_priors(0.25, seed=1)
    _, again = noisy_priors(0.25, seed=1)
    _, other = noisy_priors(0.25, seed=2)
    np.testing.assert_array_equal(first, again)
    assert np.abs(first - other).max() > 1e-3


def test_no_noise_where_none_is_asked_for():
    before, after = noisy_priors(0.0)
    np.testing.assert_array_equal(before, after)
    forest, everyone = rooted(noise_fraction=0.25)
    forest.prepare_roots(everyone, noise=False)
    np.testing.assert_array_equal(forest.report(everyone).priors, before)


@pytest.mark.parametrize("total", [3.5, 10.0, 50.0])
def test_noise_has_the_moments_of_dirichlet(total):
    """Pure noise over 7 actions: mean 1/7 and variance (1/7)(6/7)/(total + 1)."""
    forest, everyone = rooted(
        4000, evaluator=UniformEvaluator(CONNECT_FOUR), noise_fraction=1, noise_total=total, sims=1
    )
    forest.prepare_roots(everyone, noise=True)
    noise = forest.report(everyone).priors
    variance = (1 / 7) * (6 / 7) / (total + 1)
    np.testing.assert_allclose(noise.mean(axis=0), 1 / 7, atol=4 * np.sqrt(variance / 4000))
    np.testing.assert_allclose(noise.var(axis=0).mean(), variance, rtol=0.1)


def test_a_noisy_root_still_counts_right():
    evaluator = HashEvaluator(CONNECT_FOUR)
    forest, everyone = rooted(evaluator=evaluator, noise_fraction=0.5)
    forest.search(everyone, 5, evaluator)  # some edges are open, others wait
    forest.prepare_roots(everyone, noise=True)
    forest.search(everyone, 200, evaluator)
    check_tree(forest, 0, evaluator)
    report = forest.report(everyone)
    assert report.visits.sum() == 200


# -- Gumbel ----------------------------------------------------------------------------------


def bandit(priors, means):
    """Every action ends the game; the root's own value is what the priors expect."""
    logits = tuple(np.log(priors))
    own = float(np.dot(priors, means))
    arms = tuple(range(1, len(means) + 1))
    root = Place(0, arms, logits=logits, values=(own, -own))
    return TableGame([root, *(ended(mean, -mean) for mean in means)])


def random_bandit(generator, arms):
    priors = generator.dirichlet(np.full(arms, 1.0)) + 1e-3
    return priors / priors.sum(), generator.uniform(-1, 1, arms)


@pytest.mark.parametrize("considered", [1, 2, 3, 7, 8, 16])
@pytest.mark.parametrize("sims", [1, 2, 5, 16, 33, 200])
def test_a_plan_fills_its_simulations_and_never_skips(considered, sims):
    plan = halving_plan(considered, sims)
    assert len(plan) == sims
    reached = [0] * considered  # visits of each action, taking the first that fits
    for quota in plan:
        assert quota in reached
        reached[reached.index(quota)] += 1
    assert sum(reached) == sims
    # Nobody is tried again before all were tried; then halves, quarters, … go on.
    assert sorted(reached, reverse=True)[: min(considered, sims)].count(0) == 0


def test_plans_by_hand():
    # Four rounds of about 50 simulations: 16 actions three times each, then 8 six times, …
    plan = halving_plan(16, 200)
    assert [plan.count(quota) for quota in range(4)] == [16, 16, 16, 8]
    assert halving_plan(4, 16) == [0] * 4 + [1] * 4 + [2, 2, 3, 3, 4, 4, 5, 5]


@pytest.mark.parametrize("considered", [2, 4, 16])
@pytest.mark.parametrize("sims", [2, 8, 16, 50])
def test_visits_follow_the_plan(considered, sims):
    forest, trees = grow(
        CONNECT_FOUR, batch([play("")]), HashEvaluator(CONNECT_FOUR), sims,
        root="gumbel", gumbel_considered=considered,
    )  # fmt: skip
    visits = forest.report(trees).visits[0]
    number = min(considered, 7)
    reached = [0] * number
    for quota in halving_plan(number, sims):
        reached[reached.index(quota)] += 1
    assert sorted(visits[visits > 0].tolist()) == sorted(r for r in reached if r)
    assert np.count_nonzero(visits) <= number
    check_tree(forest, 0, HashEvaluator(CONNECT_FOUR))


def test_the_candidates_are_the_best_of_noise_and_logit():
    priors = np.array([0.7, 0.2, 0.06, 0.03, 0.01])
    game = bandit(priors, np.zeros(5))
    counts = np.zeros(5)
    trees = 4000
    forest = Forest(game, SearchSettings(sims=1, root="gumbel", gumbel_considered=2), trees)
    everyone = np.arange(trees)
    evaluator = TableEvaluator(game)
    forest.set_roots(everyone, game.new_states(everyone), derive_seeds(3, count=trees), evaluator)
    forest.prepare_roots(everyone, noise=True)
    forest.search(everyone, 1, evaluator)
    report = forest.report(everyone)
    np.add.at(counts, report.actions[report.visits > 0], 1)
    # The first simulation goes to argmax(gumbel + log prior): a sample of the prior.
    deviation = np.sqrt(priors * (1 - priors) / trees)
    assert np.all(np.abs(counts / trees - priors) < 4 * deviation)


def test_without_noise_the_candidates_are_those_that_the_prior_likes():
    priors = np.array([0.1, 0.5, 0.05, 0.3, 0.05])
    game = bandit(priors, np.zeros(5))
    evaluator = TableEvaluator(game)
    forest = Forest(game, SearchSettings(sims=4, root="gumbel", gumbel_considered=2), 50)
    everyone = np.arange(50)
    forest.set_roots(everyone, game.new_states(everyone), derive_seeds(3, count=50), evaluator)
    forest.prepare_roots(everyone, noise=False)
    forest.search(everyone, 4, evaluator)
    report = forest.report(everyone)
    for actions, visits in zip(report.actions, report.visits, strict=True):
        assert dict(zip(actions[visits > 0], visits[visits > 0], strict=True)) == {1: 2, 3: 2}
    # Equal values: what is played is the likelier of the two, in every tree.
    assert set(forest.best_gumbel(everyone, report)) == {1}


@pytest.mark.parametrize("sims", [2, 4, 8, 16])
def test_the_completed_policy_improves_on_the_prior(sims):
    generator = np.random.default_rng(sims)
    gains = []
    for number in range(120):
        priors, means = random_bandit(generator, arms=6)
        game = bandit(priors, means)
        forest, trees = grow(
            game, game.new_states([0]), TableEvaluator(game), sims, seed=number, root="gumbel"
        )
        report = forest.report(trees)
        policy = np.zeros(6)
        policy[report.actions[0]] = report.policy[0]
        assert policy.sum() == pytest.approx(1, abs=1e-5)
        assert np.all(policy > 0)
        gains.append(float(np.dot(policy - priors, means)))
    # Two simulations already help; a policy of plain visits would often be worse than the prior.
    assert np.mean(np.array(gains) > -1e-6) > 0.9
    assert np.mean(gains) > 0.2


def test_the_choice_of_gumbel_is_among_the_most_visited_and_valuable():
    generator = np.random.default_rng(0)
    for number in range(30):
        priors, means = random_bandit(generator, arms=6)
        game = bandit(priors, means)
        forest, trees = grow(
            game, game.new_states([0]), TableEvaluator(game), 48, seed=number,
            root="gumbel", gumbel_scale=10.0,
        )  # fmt: skip
        report = forest.report(trees)
        chosen = forest.best_gumbel(trees, report)[0]
        assert report.visits[0][report.actions[0] == chosen] == report.visits[0].max()
        assert means[chosen] == means.max()  # values outweigh the noise at this scale


def test_without_visits_the_completed_policy_is_the_prior():
    forest, everyone = rooted(root="gumbel")
    report = forest.report(everyone)
    np.testing.assert_allclose(report.policy, report.priors, atol=1e-5)
