"""The speed of searches with the networks of a game's presets."""

from stratagem.core.registry import load_game
from stratagem.train.alphazero.preset_speed import measure_presets


def test_every_preset_that_fits_is_measured():
    speeds = measure_presets(load_game("battlefield/duel"), 0.01)
    assert set(speeds) == {"default", "paper"}
    assert all(speed > 10 for speed in speeds.values())
