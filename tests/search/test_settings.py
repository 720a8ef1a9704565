"""Dials that make no sense are refused when the settings are built."""

import pytest
from pydantic import ValidationError

from stratagem.search import SearchSettings


@pytest.mark.parametrize(
    "wrong",
    [{"sims": 0}, {"root": "best"}, {"noise_fraction": 1.5}, {"leaves_per_tree": 0}, {"simms": 3}],
)
def test_impossible_settings_are_refused(wrong):
    with pytest.raises(ValidationError):
        SearchSettings(**wrong)
