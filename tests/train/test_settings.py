"""Settings: presets, overrides, errors that name the key, budgets, and the way to disk and back."""

import tomllib

import pytest

from stratagem.core.errors import BadSetting, UnknownName
from stratagem.core.registry import load_game
from stratagem.core.toml import format_toml
from stratagem.train.settings import check_settings, parse_budget, resolve_settings

PRESET = """
iterations = 3

[search]
sims = 12

[network.settings]
filters = 8
"""


@pytest.fixture
def game_folder(tmp_path):
    (tmp_path / "presets").mkdir()
    (tmp_path / "presets" / "default.toml").write_text(PRESET)
    (tmp_path / "presets" / "quick.toml").write_text("iterations = 1\n")
    return tmp_path


def resolve(folder, *overrides, preset="default", **fixed):
    return resolve_settings("connect_four", folder, preset, overrides, fixed)


def test_a_preset_fills_in_what_it_says_and_the_rest_is_default(game_folder):
    settings = resolve(game_folder)
    assert (settings.game, settings.preset, settings.iterations) == ("connect_four", "default", 3)
    assert settings.search.sims == 12
    assert settings.network.settings == {"filters": 8}
    assert settings.learning == check_settings({"game": "connect_four"}, "none").learning
    assert resolve(game_folder, preset="quick").iterations == 1


def test_a_game_without_presets_has_the_default_one(tmp_path):
    assert resolve(tmp_path).search.sims == 16  # of the recipe, train/alphazero/default.toml
    with pytest.raises(UnknownName, match=r"unknown preset 'quick' of "):
        resolve(tmp_path, preset="quick")


def test_an_unknown_preset_lists_the_known_ones(game_folder):
    with pytest.raises(UnknownName, match="did you mean 'quick'"):
        resolve(game_folder, preset="quik")


def test_every_preset_that_ships_is_valid():
    folder = load_game("battlefield").rules.folder
    for file in (folder / "presets").glob("*.toml"):
        assert resolve_settings("battlefield", folder, file.stem).preset == file.stem


def test_overrides_and_fixed_values_win_over_the_preset(game_folder):
    settings = resolve(
        game_folder,
        "search.sims=64",
        "search.root=gumbel",
        "learning.learning_rate=1e-3",
        "learning.symmetries=false",
        "network.settings.blocks=1",
        'anchors.agents=["random"]',
        "seed=4",
        iterations=5,
    )
    assert (settings.search.sims, settings.search.root) == (64, "gumbel")
    assert (settings.learning.learning_rate, settings.learning.symmetries) == (1e-3, False)
    assert settings.network.settings == {"filters": 8, "blocks": 1}
    assert settings.anchors.agents == ("random",)
    assert (settings.seed, settings.iterations) == (4, 5)


def test_what_is_given_in_two_ways_is_refused(game_folder):
    for override in ("game=catan", "preset=default", "iterations=9"):
        with pytest.raises(BadSetting, match="leave one of them out"):
            resolve(game_folder, override, iterations=5)


@pytest.mark.parametrize(
    ("override", "named", "hint"),
    [
        ("serch.sims=3", "'serch'", "did you mean 'search'"),
        ("search.sim=3", "'search.sim'", "did you mean 'search.sims'"),
        ("learning.threds=3", "'learning.threds'", "did you mean 'learning.threads'"),
        ("bugdet_seconds=3", "'bugdet_seconds'", "did you mean 'budget_seconds'"),
    ],
)
def test_an_unknown_key_is_refused_with_a_hint(game_folder, override, named, hint):
    with pytest.raises(UnknownName) as caught:
        resolve(game_folder, override)
    assert named in str(caught.value)
    assert hint in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("override", "key"),
    [
        ("search.sims=many", "search.sims"),
        ("search.sims=0", "search.sims"),
        ("search.sims=2.5", "search.sims"),
        ("search=7", "search"),
        ("search.sims.deep=7", "search.sims"),
        ("network.settings.filters.deep=7", "network.settings"),
        ("network.encoding_options.history=word", "network.encoding_options.history"),
        ("selfplay.precision=float16", "selfplay.precision"),
        ("gate.mode=sometimes", "gate.mode"),
        ("gate.p0=0.6", "p0 0.6 must be below p1 0.55"),
        ("anchors.agents=random", "anchors.agents"),
        ("search.sims", "--set"),
        ("=3", "--set"),
    ],
)
def test_a_wrong_value_is_refused_by_the_name_of_its_key(game_folder, override, key):
    with pytest.raises(BadSetting) as caught:
        resolve(game_folder, override)
    assert key in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_unknown_key_in_a_preset_file_is_refused(game_folder):
    (game_folder / "presets" / "default.toml").write_text("[search]\nsimulations = 3\n")
    with pytest.raises(BadSetting, match=r"preset default: .*'search.simulations'"):
        resolve(game_folder)


@pytest.mark.parametrize(
    ("text", "seconds"), [("90s", 90), ("10m", 600), ("2h", 7200), ("1.5m", 90), ("0.5s", 0.5)]
)
def test_budgets(text, seconds):
    assert parse_budget(text) == seconds


@pytest.mark.parametrize("text", ["", "s", "10", "ten m", "10d", "0m", "-5s", "nans", "infh"])
def test_bad_budgets(text):
    with pytest.raises(BadSetting, match="90s, 10m or 2h"):
        parse_budget(text)


def test_settings_survive_the_way_to_toml_and_back(game_folder):
    settings = resolve(
        game_folder,
        "learning.gradient_clip=1e300",
        "learning.learning_rate_end=1e-7",
        'start="runs/größer \\"als\\" \\\\ \\u2665 \\U0001F600"',
        'anchors.agents=["random", "mcts:none?sims=4"]',
    )
    values = settings.model_dump(mode="json")
    read = tomllib.loads(format_toml(values))
    assert read == values
    assert read["learning"]["gradient_clip"] == 1e300
    assert check_settings(read, "file") == settings


def test_toml_of_nested_tables():
    values = {"a": 1, "b": {"c": {"d": [1, 2], "e": {}}, "f": True}, "g": -0.5}
    assert tomllib.loads(format_toml(values)) == values


def test_a_preset_may_extend_another(game_folder):
    (game_folder / "presets" / "more.toml").write_text('extends = "quick"\nkeep_every = 7\n')
    settings = resolve_settings("cards/default", game_folder, "more")
    assert (settings.iterations, settings.keep_every, settings.preset) == (1, 7, "more")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("selfplay.slots", "1000000000"),
        ("selfplay.workers", "100000"),
        ("learning.threads", "1000000000000000000"),
        ("selfplay.positions", "1000000000000000000"),
        ("search.c_init", "1e308"),
        ("search.virtual_loss", "1e30"),
        ("search.fpu_reduction", "-1e30"),
        ("opponents.past_at_once", "1000000000"),
        ("keep_every", "18446744073709551616"),
        ("anchors.games", "1000000000000"),
        ("budget_seconds", "1e300"),
        ("selfplay.slots", "true"),
        ("learning.learning_rate", "true"),
        ("selfplay.slots", "'8'"),
    ],
)
def test_what_no_machine_can_follow_or_is_no_number(game_folder, key, value):
    with pytest.raises(BadSetting, match=key.split(".")[-1]):
        resolve(game_folder, f"{key}={value}")
