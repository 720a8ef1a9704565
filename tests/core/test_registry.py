"""Games are found by name, without importing more than the question needs."""

import json
import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest

from stratagem.core import plugins
from stratagem.core.errors import BadGame, BadSetting, UnknownName
from stratagem.core.registry import GameSpec, game_folders, list_games, load_game, load_rules


def test_specs_are_parsed_and_printed_in_one_form():
    assert GameSpec.parse("dice") == GameSpec("dice", "", ())
    assert GameSpec.parse("dice/three") == GameSpec("dice", "three", ())
    spec = GameSpec.parse("dice/three?rerolls=2&faces=4")
    assert spec.overrides == (("faces", "4"), ("rerolls", "2"))
    assert str(spec) == "dice/three?faces=4&rerolls=2"
    assert GameSpec.parse(str(spec)) == spec


@pytest.mark.parametrize("text", ["", "/three", "dice/a/b", "dice?faces", "dice?=&&"])
def test_unreadable_specs_show_the_form(text):
    with pytest.raises(BadSetting, match="key=value"):
        GameSpec.parse(text)


def test_loaded_games_know_their_canonical_spec():
    assert load_game("dice").spec == "dice/default"
    assert load_game("dice?faces=4").spec == "dice/default?faces=4"
    assert load_game("dice/three").num_seats == 3
    assert load_game(load_game("dice?faces=4").spec).scenario.faces == 4


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("conect_four", ["unknown game 'conect_four'", "did you mean 'connect_four'?", "dice"]),
        ("dice/tree", ["unknown scenario 'tree' of dice", "did you mean 'three'?", "default"]),
        ("dice?reroll=2", ["unknown scenario field 'reroll'", "did you mean 'rerolls'?", "faces"]),
        ("zzz", ["unknown game 'zzz'", "known: "]),
    ],
)
def test_unknown_names_are_answered_with_known_ones(spec, words):
    with pytest.raises(UnknownName) as caught:
        load_game(spec)
    for word in words:
        assert word in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_game_in_this_folder_names_the_missing_variable(tmp_path, monkeypatch):
    (tmp_path / "river" / "river").mkdir(parents=True)
    (tmp_path / "river" / "river" / "game.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadGame, match=r'export STRATAGEM_GAMES="\$PWD/river"'):
        load_game("river")
    monkeypatch.chdir(tmp_path / "river")
    with pytest.raises(BadGame, match=r'export STRATAGEM_GAMES="\$PWD"'):
        load_game("river")


def test_unknown_encodings_and_options_are_answered_too():
    game = load_game("dice")
    with pytest.raises(
        UnknownName, match="unknown encoding 'tables' of dice: did you mean 'table'"
    ):
        game.observer("tables")
    with pytest.raises(UnknownName, match="unknown option 'history' of encoding 'table'"):
        game.observer("table", {"history": 2})


def test_listing_imports_neither_numba_nor_torch():
    code = (
        "import json, sys\n"
        "from stratagem.core.registry import list_games\n"
        "names = [about.name for about, _ in list_games()]\n"
        "heavy = [m for m in ('numba', 'numpy', 'torch', 'pydantic') if m in sys.modules]\n"
        "print(json.dumps([names, heavy]))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    names, heavy = json.loads(shown.stdout)
    assert {"connect_four", "dice", "cards"} <= set(names)
    assert heavy == []


def test_listing_tells_title_version_and_scenarios():
    listed = {about.name: (about, scenarios) for about, scenarios in list_games()}
    about, scenarios = listed["dice"]
    assert (about.title, about.version, about.seats) == ("Dice duel", 1, "2-3")
    assert scenarios == ["default", "three"]


def test_every_listed_game_loads_with_every_scenario():
    for about, scenarios in list_games():
        for scenario in scenarios:
            game = load_game(f"{about.name}/{scenario}")
            assert (game.name, game.version) == (about.name, about.version)


def test_a_folder_without_a_declaration_is_an_error(tmp_path, monkeypatch):
    (tmp_path / "hollow").mkdir()
    (tmp_path / "hollow" / "game.toml").write_text(
        'title = "Hollow"\nsummary = ""\nseats = "2"\nversion = 1\n'
    )
    monkeypatch.setenv("STRATAGEM_GAMES", str(tmp_path))
    with pytest.raises(BadSetting, match=r"hollow has no __init__\.py that declares GAME"):
        load_rules("hollow")
    assert "hollow" not in sys.modules


def made_game(place, name, toml="title = 'T'\nsummary = 'S'\nseats = '2'\nversion = 1\n"):
    folder = place / name
    (folder / "scenarios").mkdir(parents=True)
    (folder / "game.toml").write_text(toml)
    (folder / "scenarios" / "default.toml").write_text("")
    return folder


def test_a_game_may_not_take_the_name_of_another(tmp_path, monkeypatch):
    made_game(tmp_path, "catan")
    monkeypatch.setenv("STRATAGEM_GAMES", str(tmp_path))
    with pytest.raises(BadSetting, match="two games are called 'catan'"):
        load_rules("catan")


def test_a_place_without_games_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("STRATAGEM_GAMES", str(tmp_path / "nowhere"))
    with pytest.raises(BadSetting, match="STRATAGEM_GAMES names"):
        load_rules("catan")


def test_a_place_that_is_a_game_itself_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("STRATAGEM_GAMES", str(made_game(tmp_path, "lonely")))
    with pytest.raises(BadSetting, match=f"names a game, .*: use its parent '{tmp_path}'"):
        load_rules("lonely")


def test_a_place_one_folder_too_high_is_named(tmp_path, monkeypatch):
    made_game(tmp_path / "river", "river")  # as `stratagem new-game river` writes it
    monkeypatch.setenv("STRATAGEM_GAMES", str(tmp_path))
    with pytest.raises(BadSetting, match=f"one level too high: use '{tmp_path / 'river'}'"):
        load_rules("river")


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import no_such_module", r"faulty/__init__\.py:1: ModuleNotFoundError: No module named"),
        ("x = 1\nGAME = Rules(", r"faulty/__init__\.py:2: SyntaxError: '\(' was never closed"),
        ("game = 3", r"__init__\.py declares no game: write GAME = Rules"),
    ],
)
def test_a_game_that_cannot_be_imported_says_where(tmp_path, monkeypatch, code, message):
    (made_game(tmp_path, "faulty") / "__init__.py").write_text(code)
    monkeypatch.setenv("STRATAGEM_GAMES", str(tmp_path))
    with pytest.raises(BadGame, match=message):
        load_rules("faulty")
    sys.modules.pop("faulty", None)


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A package that declares games by entry points: `inner` is there, `lost` is not."""
    monkeypatch.syspath_prepend(str(tmp_path))
    folder = made_game(tmp_path / "outer_package", "inner")
    (tmp_path / "outer_package" / "__init__.py").touch()
    (folder / "__init__.py").write_text("GAME = __name__")
    points = [
        EntryPoint(name, f"outer_package.{name}", "stratagem.games") for name in ("inner", "lost")
    ]
    monkeypatch.setattr(plugins, "entry_points", lambda group: points if "games" in group else [])
    plugins.plugins.cache_clear()
    yield folder
    plugins.plugins.cache_clear()


def test_games_of_installed_packages_are_found(installed, monkeypatch):
    assert load_rules("inner") == "outer_package.inner"
    listed = {about.name: about.summary for about, _ in list_games()}
    assert listed["inner"] == "S" and "catan" in listed
    assert listed["lost"].startswith("damaged: an installed package says that game 'lost' is")
    with pytest.raises(BadGame, match=r"has a game\.toml"):
        load_rules("lost")
    monkeypatch.setenv("STRATAGEM_GAMES", str(installed.parent))  # the same folder, named twice
    assert game_folders()["inner"] == installed


@pytest.mark.parametrize(
    "toml", ["title = [", "colour = 3", "title = 'T'", "title = 3\nsummary = 'S'", "\x00"]
)
def test_a_game_that_cannot_be_read_hides_no_other(tmp_path, monkeypatch, toml):
    made_game(tmp_path, "broken", toml)
    monkeypatch.setenv("STRATAGEM_GAMES", str(tmp_path))
    listed = {about.name: about for about, _ in list_games()}
    assert "catan" in listed and listed["broken"].summary.startswith("damaged: ")
