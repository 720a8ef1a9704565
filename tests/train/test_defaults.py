"""What a run gets that nobody chose: a network for the encoding, the game's bot as an anchor."""

import pytest

from stratagem.core.registry import load_game
from stratagem.core.specs import ObservationSlice, ObservationSpec
from stratagem.nets.kinds.cnn import Settings as CnnSettings
from stratagem.train.defaults import SIZES, choose_anchors, choose_network
from stratagem.train.settings import resolve_settings

BOARD = ObservationSlice("board", (3, 6, 6), "planes")
MORE = ObservationSlice("more", (2, 6, 6), "planes")
TABLE = ObservationSlice("table", (4,), "vector")
HAND = ObservationSlice("hand", (4,), "vector")
PLACES = ObservationSlice("places", (9, 4), "nodes")


@pytest.mark.parametrize(
    ("slices", "kind"),
    [
        ((BOARD,), "cnn"),
        ((BOARD, TABLE), "cnn"),
        ((TABLE, BOARD), "cnn"),
        ((TABLE,), "feedforward"),
        ((TABLE, HAND), "feedforward"),
        ((BOARD, TABLE, HAND), "feedforward"),
        ((BOARD, MORE), "feedforward"),
        ((BOARD, PLACES), "feedforward"),
        ((PLACES,), "feedforward"),
    ],
)
def test_a_network_reads_every_slice(slices, kind):
    assert choose_network(ObservationSpec(slices)) == kind


def test_the_games_first_bot_is_an_anchor():
    assert choose_anchors(load_game("dice")) == ("random", "keeper", "mcts:none?sims=200")
    assert choose_anchors(load_game("cards")) == ("random", "mcts:none?sims=200")


def resolve(name, *changes):
    return resolve_settings(name, load_game(name).rules.folder, "default", changes)


def test_a_game_without_a_preset_gets_what_fits_it():
    settings = resolve("dice")
    assert settings.network.kind == "feedforward" and "keeper" in settings.anchors.agents


def test_what_was_chosen_stays():
    settings = resolve("dice", "network.kind=cnn", "anchors.agents=['random']")
    assert settings.network.kind == "cnn" and settings.anchors.agents == ("random",)
    assert "keeper" not in resolve("dice", "anchors.times=0").anchors.agents


def test_a_game_without_a_preset_gets_a_recipe_for_minutes():
    """PUCT with 32 simulations beat random moves less often, and lost to a search of 200."""
    settings = resolve("dice")
    assert (settings.search.root, settings.search.sims) == ("gumbel", 16)
    assert settings.search.stratified_chance and settings.selfplay.slots == 256
    assert resolve("dice", "search.sims=50").search.sims == 50
    assert resolve("terra_mystica").search.root == "puct"  # it has a preset, which says no word


def test_a_chosen_network_is_small_unless_its_settings_were_given(tmp_path):
    def network(*changes):
        return resolve_settings("connect_four", tmp_path, "default", changes).network

    assert (network().kind, network().settings) == ("cnn", SIZES["cnn"])
    assert network("network.settings.filters=8").settings == {"filters": 8}
    assert network("network.kind=cnn").settings == {}
    assert set(SIZES["cnn"]) <= set(CnnSettings.model_fields)
