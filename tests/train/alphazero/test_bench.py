"""What `bench` plays: the Battlefield paper's CNN on planes, otherwise the game's own preset."""

import pytest

from stratagem.core.registry import load_game
from stratagem.train.alphazero.bench import _settings_of, measure_presets, measure_self_play
from stratagem.train.settings import resolve_settings


def test_a_game_without_planes_is_measured_as_it_is_trained():
    game = load_game("terra_mystica")
    assert _settings_of(game) == resolve_settings(game.spec, game.rules.folder)


@pytest.mark.parametrize("spec", ["battlefield", "connect_four"])
def test_games_on_planes_share_a_network(spec):
    settings = _settings_of(load_game(spec))
    assert settings.network.kind == "cnn"
    assert settings.network.settings == {"filters": 64, "blocks": 3}
    assert (settings.search.sims, settings.selfplay.slots) == (32, 128)
    assert settings.selfplay.precision == "float32"


def test_a_small_measurement():
    speed = measure_self_play(load_game("connect_four"), positions=8, slots=4)
    assert speed.network == "cnn, float32"
    assert 0.0 < speed.outside_network_share < 1.0
    assert min(speed.sims_per_s, speed.positions_per_s, speed.replay_bytes_per_position) > 0


def test_every_preset_that_fits_is_measured():
    speeds = measure_presets(load_game("battlefield/duel"), 0.01)
    assert set(speeds) == {"default", "paper"}
    assert all(speed > 10 for speed in speeds.values())
