"""What a network remembers: chains of decisions, rewards, forgetting."""

import numpy as np
import pytest

from stratagem.core.seeding import derive_generator
from stratagem.train.hdqn.replay import Replay

DTYPE = np.dtype([("seat", "i1"), ("number", "u2")])


class Anything:
    """A game that any position may belong to."""

    @staticmethod
    def check_states(states):
        pass


def make(capacity=64, reward="gain"):
    return Replay(DTYPE, capacity, outputs=3, chains=4, discount=0.5, reward=reward)


def add(replay, chain, number, goal, clock, choice=0):
    states = np.array([(chain % 2, number)], DTYPE)
    replay.add(
        np.array([chain]), states, np.ones((1, 3), bool), np.array([choice]),
        np.array([goal], np.float32), np.array([clock]),
    )  # fmt: skip


@pytest.mark.parametrize(("reward", "expected"), [("gain", [2.0, 1.0]), ("score", [5.0, 6.0])])
def test_a_decision_is_complete_when_its_chain_decides_again(reward, expected):
    replay = make(reward=reward)
    add(replay, 1, 10, goal=3.0, clock=7)
    add(replay, 2, 20, goal=9.0, clock=0)
    assert len(replay) == 0
    add(replay, 1, 11, goal=5.0, clock=10)  # three decisions of the seat later
    assert len(replay) == 1
    assert replay.following[0] == 2
    assert replay.states["number"][replay.following[0]] == 11
    assert replay.discounts[0] == 0.5**3
    replay.end(np.array([1]), np.array([6.0], np.float32))
    assert len(replay) == 2
    assert replay.discounts[2] == 0.0
    assert [replay.rewards[0], replay.rewards[2]] == expected
    # The other chain still waits, and a new game in the chain starts afresh.
    add(replay, 1, 12, goal=0.0, clock=0)
    assert len(replay) == 2


def test_only_complete_decisions_are_drawn():
    replay = make()
    for number in range(5):
        add(replay, 0, number, float(number), number)
    drawn = replay.draw(200, derive_generator(1))
    assert set(drawn) == {0, 1, 2, 3}


def test_the_ring_forgets_the_oldest_and_what_waited_too_long():
    replay = make(capacity=64)
    add(replay, 3, 999, goal=1.0, clock=0)  # will be overwritten while it waits
    for number in range(64):
        add(replay, 0, number, float(number), number)
    add(replay, 3, 1000, goal=2.0, clock=5)
    assert 999 not in replay.states["number"]
    assert len(replay) == 62  # all but the two open ones
    places = np.flatnonzero(replay.states["number"] != 1000)
    complete = [p for p in places if replay.states["number"][p] < 63]
    following = replay.states["number"][replay.following[complete]]
    assert (following == replay.states["number"][complete] + 1).all()


def test_a_restored_ring_goes_on_alike():
    one, other = make(), make()
    for number in range(100):
        add(one, number % 4, number, float(number % 7), number)
    other.restore(one.export(), Anything)
    for replay in (one, other):
        add(replay, 2, 500, 3.0, 200, choice=1)
        replay.end(np.array([0, 1]), np.array([4.0, 5.0], np.float32))
    for name, array in one.export().items():
        assert np.array_equal(array, other.export()[name]), name
    assert np.array_equal(one.draw(50, derive_generator(3)), other.draw(50, derive_generator(3)))
