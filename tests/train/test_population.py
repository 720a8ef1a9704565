"""Who sits where, what came of it, and who is met next."""

import numpy as np
import pytest

from stratagem.core.errors import BadSetting
from stratagem.core.seeding import derive_seeds
from stratagem.train.lineups import ALONE, SELF, Draw, Tally, add_tallies, tally_games
from stratagem.train.population import Population
from stratagem.train.progress import RunProgress
from stratagem.train.sections import Opponents
from stratagem.train.settings import check_settings

SEEDS = derive_seeds(3, count=6000)


@pytest.mark.parametrize("num_seats", [2, 3, 4, 5])
def test_lineups_follow_from_seeds_in_the_wanted_shares(num_seats):
    draw = Draw((SELF, 1, 7), (0.5, 0.3, 0.2))
    lineups = draw.from_seeds(SEEDS, num_seats)
    assert lineups.tolist() == draw.from_seeds(SEEDS, num_seats).tolist()
    assert lineups[5:9].tolist() == draw.from_seeds(SEEDS[5:9], num_seats).tolist()
    assert (lineups == SELF).any(axis=1).all()
    others = num_seats - 1
    for player, share in ((1, 0.3), (7, 0.2)):
        found = (lineups == player).mean(axis=0)  # each seat is the learner's once in num_seats
        assert found == pytest.approx([share * others / num_seats] * num_seats, abs=0.03)


def test_the_learner_can_have_a_seat_of_its_own():
    lineups = Draw((1,), (1.0,)).from_seeds(SEEDS, 3, homes=np.full(len(SEEDS), 2))
    assert (lineups == [1, 1, SELF]).all()
    assert (ALONE.from_seeds(SEEDS, 4) == SELF).all()


def test_seats_can_be_drawn_alike():
    lineups = Draw((1, 2), (0.5, 0.5), alike=True).from_seeds(SEEDS, 4)
    assert {tuple(np.unique(lineup)) for lineup in lineups} == {(SELF, 1), (SELF, 2)}
    mixed = Draw((1, 2), (0.5, 0.5)).from_seeds(SEEDS, 4)
    assert (SELF, 1, 2) in {tuple(np.unique(lineup)) for lineup in mixed}


def test_results_are_counted_seat_against_seat():
    lineups = np.array([[SELF, 1, SELF, 2], [1, SELF, 1, 1], [SELF, SELF, SELF, SELF]])
    returns = np.array([[1, 0, 0, -1], [-1, -1, 1, 0], [1, 0, 0, 0]], np.float32)
    found = tally_games(lineups, returns)
    assert found[1].games == 2 and found[2].games == 1
    assert found[1].points == pytest.approx((1 + 0.5) / 2 + (0.5 + 0 + 0) / 3)
    assert found[2] == Tally(1, 1.0)
    assert add_tallies([found, {2: Tally(3, 1.5)}])[2] == Tally(4, 2.5)


def played(population, progress, **scores):
    """Take in 40 games against each of these players, named by number: p3=0.9."""
    population.record(
        progress, {int(name[1:]): Tally(40, 40 * score) for name, score in scores.items()}
    )


def test_earlier_networks_are_met_by_how_hard_they_are():
    settings = Opponents(past=1.0, self_play=0, past_at_once=1)
    progress = RunProgress(pool=[10, 20, 30])
    population = Population(settings, 1)
    played(population, progress, p10=0.95, p20=0.3, p30=0.5)
    counts = dict.fromkeys((10, 20, 30), 0)
    for iteration in range(300):
        progress.iteration = iteration
        for player in population.draw(progress).players:
            counts[player] += 1
    assert counts[10] < 10 < counts[30] < counts[20]
    level = Population(settings.model_copy(update={"past_choice": "level"}), 1)
    assert np.argmax(level._weights([10, 20, 30], progress)) == 2
    uniform = Population(settings.model_copy(update={"past_choice": "uniform"}), 1)
    assert uniform._weights([10, 20, 30], progress) == pytest.approx([1 / 3] * 3)


def test_the_network_itself_stands_in_while_there_is_no_earlier_one():
    population = Population(Opponents(self_play=0.2, past=0.6, agents={"random": 0.2}), 1)
    draw = population.draw(RunProgress())
    assert draw.players == (SELF, 1) and draw.shares == pytest.approx((0.8, 0.2))
    assert population.name(1) == "random"
    later = population.draw(RunProgress(pool=[4], iteration=5))
    assert set(later.players) == {SELF, 1, 5} and sum(later.shares) == pytest.approx(1)
    assert population.name(5) == "iteration 4" and population.iterations(later.players) == {4}


def test_hard_exploiters_are_met_more_often():
    agents = ("policy:a", "policy:b")
    settings = Opponents(agents={"random": 1.0}, exploiters=1.0, exploiter_agents=agents)
    population, progress = Population(settings, 1), RunProgress()
    played(population, progress, p2=0.9, p3=0.4)
    draw = population.draw(progress)
    shares = dict(zip(draw.players, draw.shares, strict=True))
    assert shares[2] < shares[3] and shares[2] + shares[3] == pytest.approx(1 / 3)
    assert population.names((2, SELF), "me") == ("policy:a", "me")


def test_the_pool_keeps_what_is_hard():
    population = Population(Opponents(past=1.0, pool=2, every=2), 1)
    progress = RunProgress()
    for iteration in range(1, 5):
        progress.iteration = iteration
        population.admit(progress)
    assert progress.pool == [2, 4]
    played(population, progress, p2=0.4, p4=0.8)
    progress.iteration = 6
    population.admit(progress)
    assert progress.pool == [2, 6] and "iteration 4" not in progress.standings


def test_old_results_count_less_and_are_forgotten():
    population, progress = Population(Opponents(agents={"random": 1.0}), 1), RunProgress()
    shown = population.record(progress, {1: Tally(10, 10.0)})["random"]
    assert (shown.games, shown.score, shown.high) == (10, 1.0, 1.0) and 0.7 < shown.low < 0.75
    population.record(progress, {1: Tally(10, 0.0)})
    assert progress.standings["random"] == pytest.approx([19, 9])
    for _ in range(100):
        population.record(progress, {})
    assert progress.standings == {}


@pytest.mark.parametrize(
    ("opponents", "problem"),
    [
        ({"exploiters": 0.5}, "exploiters together with exploiter_agents"),
        ({"agents": {"random": -0.5}}, "cannot be negative"),
        ({"self_play": 0.0}, "at least one opponent needs a weight above 0"),
        ({"past_choice": "easy"}, "past_choice"),
    ],
)
def test_mistakes_are_refused(opponents, problem):
    with pytest.raises(BadSetting, match=problem):
        check_settings({"game": "connect_four/default", "opponents": opponents}, "test")


def test_weights_become_shares_in_a_fixed_order():
    one = Opponents(self_play=1.0, agents={"scripted": 0.5, "random": 0.5, "goal-rush": 0.0})
    other = Opponents(self_play=1.0, agents={"random": 0.5, "scripted": 0.5})
    assert one.named == other.named == ("random", "scripted")
    assert one.present == {"random": 0.25, "scripted": 0.25} and not one.alone
    assert Opponents(agents={"random": 0.0}).alone
