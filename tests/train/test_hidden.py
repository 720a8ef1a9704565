"""Agents in training see only what passed through `hide`; a network only what its seat sees."""

import numpy as np
import pytest

from stratagem.core.registry import load_game
from stratagem.core.session import GameSession, SessionSetup
from stratagem.search import SearchSettings
from stratagem.train.alphazero.imitation import demonstrate
from stratagem.train.alphazero.opponents import OtherPlayers
from stratagem.train.alphazero.selfplay import SelfPlay
from stratagem.train.alphazero.settings import SelfPlaySection, ShapingSection
from stratagem.train.hdqn.collect import Episodes
from stratagem.train.hdqn.settings import EpisodeSection
from stratagem.train.lineups import Draw
from stratagem.train.ppo.playing import EpisodePlayer, Players
from stratagem.train.ppo.settings import OutcomeSection, PlaySection
from stratagem.train.sections import Opponents
from witness import PASS, Witness, WitnessEvaluator


@pytest.fixture(scope="module")
def game():
    return load_game("spy")


@pytest.fixture
def generator():
    return np.random.default_rng(1)


def test_imitation(game, generator):
    teacher = Witness()
    found = demonstrate(game, teacher, 32, 0.0, SearchSettings(), generator)
    assert teacher.asked >= 32 and found.decisions >= 32


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_self_play(game, generator, share):
    evaluator, opponent = WitnessEvaluator(game), Witness()
    table = OtherPlayers(Draw((1,), (1.0,)), {1: opponent}) if share else None
    group = SelfPlay(game, SelfPlaySection(), SearchSettings(sims=8), ShapingSection(), 4)
    group.play(32, evaluator, generator, 8, table)
    assert evaluator.asked and bool(opponent.asked) == bool(share)


def test_ppo(game, generator):
    agent = Witness()
    players = Players(game.observer(), {}, {1: agent})
    lineups = np.ones((6, game.num_seats), np.int64)
    EpisodePlayer(game, players, PlaySection(), lineups, generator).play(OutcomeSection())
    assert agent.asked == 12


def test_hdqn(game):
    """The opponent plays inside a kernel: the game's own spy bets where it sees too much."""
    opponents = Opponents(self_play=0.0, agents={"spy": 1.0})
    episodes = Episodes(game, EpisodeSection(slots=4, seats="first"), opponents, (), 3)
    episodes.invite(Draw((1,), (1.0,)), {})
    episodes.begin()
    over = episodes.play_on(np.full(4, PASS, np.int32))
    assert len(over) == 4  # a bet would have gone on
    assert not episodes.states["seen_by"].any()


def test_hdqn_with_an_agent_that_is_asked(game):
    agent = Witness()
    episodes = Episodes(game, EpisodeSection(slots=4), Opponents(past=1.0), (), 3)
    episodes.invite(Draw((7,), (1.0,)), {7: agent})
    episodes.begin()
    episodes.play_on(np.full(4, PASS, np.int32))
    assert agent.asked >= 4
    assert not episodes.states["seen_by"].any()


def test_a_network_observes_the_same_in_the_truth_and_in_what_its_seat_sees(game):
    """What a learner observes need not be hidden: an observation holds nothing else."""
    observer = game.observer()
    for seed in range(12):
        session = GameSession(game, SessionSetup.new(game, ("a", "b"), seed))
        for _ in session.advance({}):
            pass
        for seat in range(game.num_seats):
            truth = np.array([session.state], game.rules.dtype)
            sight = np.array([session.seen_by(seat)], game.rules.dtype)
            seen = [np.zeros((1, observer.spec.size), np.float32) for _ in range(2)]
            seats, rows = np.array([seat], np.int8), np.zeros(1, np.int64)
            observer.observe_into(truth, rows, seats, seen[0])
            observer.observe_into(sight, rows, seats, seen[1])
            assert np.array_equal(*seen)
