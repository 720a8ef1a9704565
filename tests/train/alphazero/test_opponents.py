"""An opponent: its share of games, its own moves, and what is learned from them."""

import numpy as np
import pytest

from stratagem.agents import make_agent
from stratagem.core.errors import BadSetting
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_generator, derive_seeds
from stratagem.search import Evaluation, Forest, SearchSettings, UniformEvaluator
from stratagem.train.alphazero.opponents import NOBODY, Opponent
from stratagem.train.alphazero.selfplay import SelfPlay
from stratagem.train.alphazero.settings import SelfPlaySection, ShapingSection
from stratagem.train.settings import check_settings
from train.alphazero.tiny import TINY

GAME = load_game(TINY)


class FirstLegal:
    """Always the first legal action, which a search of these games seldom insists on."""

    spec = "first"

    def act(self, states, seeds):
        return GAME.legal(states)[0][:, 0]


def test_seats_follow_from_seeds_in_the_wanted_share():
    seeds = derive_seeds(3, count=4000)
    seats = Opponent(FirstLegal(), 0.3, 2).seats(seeds)
    assert seats.tolist() == Opponent(FirstLegal(), 0.3, 2).seats(seeds).tolist()
    assert np.mean(seats != NOBODY) == pytest.approx(0.3, abs=0.03)
    assert np.mean(seats[seats != NOBODY] == 0) == pytest.approx(0.5, abs=0.06)
    assert (Opponent(FirstLegal(), 1.0, 2).seats(seeds) != NOBODY).all()


@pytest.mark.parametrize("root", ["puct", "gumbel"])
@pytest.mark.parametrize("full_share", [1.0, 0.5])
def test_the_opponent_plays_its_own_moves_and_they_are_not_learned(root, full_share):
    opponent = Opponent(FirstLegal(), 0.5, 2)
    settings = SelfPlaySection(slots=16, full_share=full_share, fast_sims=3)
    group = SelfPlay(
        GAME, settings, SearchSettings(sims=12, root=root), ShapingSection(), 16, 0, opponent
    )
    played = group.play(400, UniformEvaluator(GAME), derive_generator(1, "spar"), 12)
    at, spared, strayed = 0, 0, 0
    for finished in played.games:
        seat_taken = int(opponent.seats(np.array([finished.setup_seed], np.uint64))[0])
        states = played.samples.states[at : at + len(finished.events)]
        weights = played.samples.policy_weights[at : at + len(finished.events)]
        for state, action, weight in zip(states, finished.events, weights, strict=True):
            first = GAME.legal_actions(state)[0]
            if state["seat"] == seat_taken:
                assert action == first
                assert weight == 0
                spared += 1
            else:
                strayed += action != first
                assert weight == 1 or full_share < 1
        at += len(finished.events)
    assert spared > 20 and strayed > 20


@pytest.mark.parametrize(
    ("opponents", "problem"),
    [
        ({"past": 0.5}, "cannot play against earlier networks yet"),
        ({"agents": {"random": 0.5, "scripted": 0.5}}, "one other agent only"),
        ({"self_play": 0.0}, "some opponent a weight above 0"),
    ],
)
def test_opponents_that_self_play_cannot_have_are_refused(opponents, problem):
    values = {"game": "connect_four/default", "opponents": opponents}
    with pytest.raises(BadSetting, match=problem):
        check_settings(values, "test")


def test_weights_of_opponents_become_shares():
    opponents = {"self_play": 1.5, "agents": {"random": 0.5, "scripted": 0.0}}
    values = {"game": "connect_four/default", "opponents": opponents}
    assert check_settings(values, "test").opponents.present == {"random": 0.25}


def test_a_real_agent_can_be_the_opponent():
    opponent = Opponent(make_agent("random", GAME), 1.0, 2)
    group = SelfPlay(
        GAME, SelfPlaySection(slots=4), SearchSettings(sims=4), ShapingSection(), 4, 0, opponent
    )
    played = group.play(40, UniformEvaluator(GAME), derive_generator(1), 4)
    assert played.games and (played.samples.policy_weights == 0).any()


class Impartial:
    """Every action alike; remembers who observed. Seat 0 is always better off by a half."""

    def __init__(self):
        self.observed = []

    def evaluate(self, states, rows):
        raise AssertionError("fixed_perspective asks who observes")

    def evaluate_for(self, states, rows, observer_seats):
        self.observed += zip(states["seat"][rows].tolist(), observer_seats.tolist(), strict=True)
        values = np.tile(np.array([0.5, -0.5], np.float32), (len(rows), 1))
        return Evaluation(np.zeros((len(rows), GAME.actions.size), np.float32), values)


@pytest.mark.parametrize("root", ["puct", "gumbel"])
def test_with_its_fixed_perspective_the_learner_observes_the_opponents_turns_too(root):
    opponent = Opponent(FirstLegal(), 0.6, 2)
    search = SearchSettings(sims=12, root=root, fixed_perspective=True)
    group = SelfPlay(GAME, SelfPlaySection(slots=16), search, ShapingSection(), 16, 0, opponent)
    evaluator = Impartial()
    played = group.play(400, evaluator, derive_generator(1, "spar"), 12)
    assert {(0, 0), (0, 1), (1, 0), (1, 1)} == set(evaluator.observed)
    samples, at, expected = played.samples, 0, 0
    for finished in played.games:
        seat_taken = int(opponent.seats(np.array([finished.setup_seed], np.uint64))[0])
        for action in finished.events:
            seat, observer = samples.states["seat"][at], samples.observer_seats[at]
            assert observer == (seat if seat_taken == NOBODY else 1 - seat_taken)
            assert samples.policy_weights[at] == 1
            if seat == seat_taken:
                learned = samples.actions[samples.offsets[at] : samples.offsets[at + 1]]
                assert learned.tolist() == [action]
                expected += 1
            at += 1
    assert expected > 20 and at == len(samples)
    for_first = np.where(samples.observer_seats == 0, 1, -1) * samples.search_values
    assert np.mean(for_first) > 0.2  # also where the opponent decided


def test_only_two_seats_and_a_network_have_a_fixed_perspective():
    search = SearchSettings(sims=4, fixed_perspective=True)
    three = load_game("catan/official")
    with pytest.raises(BadSetting, match="fixed_perspective: catan has"):
        Forest(three, search, 1)
    forest, states = Forest(GAME, search, 1), GAME.new_states(derive_seeds(1, count=1))
    with pytest.raises(BadSetting, match="fixed_perspective: only a network"):
        forest.set_roots(np.arange(1), states, derive_seeds(1, count=1), UniformEvaluator(GAME))
