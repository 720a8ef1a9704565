"""The strength of the pull to the reference as an input: written where there is a place for it."""

import numpy as np
import pytest

from stratagem.core.specs import ObservationSlice, ObservationSpec
from stratagem.nets.strength import strength_column, write_strength

PLAIN = ObservationSpec((ObservationSlice("globals", (3,), "vector"),))
ASKING = ObservationSpec((*PLAIN.slices, ObservationSlice("strength", (1,), "vector")))


def test_it_is_written_as_a_power_of_ten():
    assert strength_column(PLAIN) is None and strength_column(ASKING) == 3
    seen = np.zeros((3, 4), np.float32)
    write_strength(ASKING, seen, np.array([0.01, 0.1, 1.0]))
    assert seen[:, 3].tolist() == pytest.approx([0, 1, 2]) and not seen[:, :3].any()
    write_strength(ASKING, seen, 0.1)
    assert seen[:, 3].tolist() == pytest.approx([1, 1, 1])


def test_observations_without_a_place_stay_as_they_are():
    seen = np.zeros((2, 3), np.float32)
    write_strength(PLAIN, seen, 1.0)
    assert not seen.any()
