"""States copied byte by byte are what NumPy copies field by field."""

import numpy as np
import pytest

from stratagem.core.state_arrays import gather, put, take

KIND = np.dtype([("seat", "i1"), ("grid", "u2", (2, 3)), ("far", "f8")])


def states(count):
    bytes_ = np.random.default_rng(1).integers(0, 100, count * KIND.itemsize, np.uint8)
    return bytes_.view(KIND)


def test_take_and_gather():
    some, rows = states(9), np.array([4, 0, 4, 8])
    assert np.array_equal(take(some, rows), some[rows])
    assert take(some, np.zeros(0, np.int64)).shape == (0,)
    gathered = gather([some[row] for row in rows], KIND)
    assert np.array_equal(gathered, some[rows]) and gathered.flags.writeable


def test_taken_states_are_copies():
    some = states(3)
    before = some.copy()
    taken = take(some, np.array([1]))
    taken["far"] = -1.0
    assert np.array_equal(some, before)


def test_put():
    some, values, rows = states(9), states(2)[::-1].copy(), np.array([7, 3])
    expected = some.copy()
    expected[rows] = values
    put(some, rows, values)
    assert np.array_equal(some, expected)
    with pytest.raises(TypeError, match="different types"):
        put(some, rows, np.zeros(2, np.dtype([("seat", "i1")])))
