"""Finds games by name: a game is a folder, and there is no list to maintain.

A game spec reads `name`, `name/scenario` or `name/scenario?key=value&key=value`. Names are looked
up among the folders of `stratagem.games`, of every directory on `$STRATAGEM_GAMES` (separated like
`$PATH`) and of installed packages with an entry point in `stratagem.games`; so a game can live
outside this package.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from stratagem.core.about import About
from stratagem.core.errors import BadGame, BadSetting, StratagemError, UnknownName
from stratagem.core.game_faults import explain
from stratagem.core.plugins import plugins
from stratagem.core.scenario_files import default_scenario, find_scenarios

if TYPE_CHECKING:
    from stratagem.core.game import Game, Rules

_OWN_GAMES = Path(__file__).resolve().parent.parent / "games"


@dataclass(frozen=True)
class GameSpec:
    """The parts of a game spec as the user wrote it."""

    name: str
    scenario: str
    overrides: tuple[tuple[str, str], ...]

    @classmethod
    def parse(cls, text: str) -> GameSpec:
        if not isinstance(text, str):
            raise BadSetting(f"game spec {text!r}: write a name, such as 'connect_four'")
        path, _, query = text.partition("?")
        name, _, scenario = path.partition("/")
        if not name or scenario.count("/"):
            raise BadSetting(f"game spec {text!r}: write name, name/scenario or name?key=value")
        return cls(name, scenario, tuple(sorted(parse_query(query))))

    def __str__(self) -> str:
        query = "&".join(f"{key}={value}" for key, value in self.overrides)
        return f"{self.name}/{self.scenario}" + (f"?{query}" if query else "")


def parse_query(query: str) -> list[tuple[str, str]]:
    """Parse `a=1&b=2` into pairs; anything else is an error that shows the form."""
    if not query:
        return []
    try:
        return parse_qsl(query, keep_blank_values=True, strict_parsing=True)
    except ValueError:
        raise BadSetting(f"cannot read {query!r}: write options as key=value&key=value") from None


def game_folders() -> dict[str, Path]:
    """Return every game's folder by name; duplicate names and bad places are refused."""
    texts = os.environ.get("STRATAGEM_GAMES", "").split(os.pathsep)
    places = [_OWN_GAMES, *(_checked_place(text) for text in texts if text)]
    found: dict[str, Path] = {}
    for place in dict.fromkeys(place.resolve() for place in places):
        for folder in sorted(place.iterdir()):
            if not (folder / "game.toml").is_file():
                continue
            if folder.name in found:
                raise BadSetting(
                    f"two games are called {folder.name!r}, {found[folder.name]} and {folder}: "
                    "rename one of the folders"
                )
            found[folder.name] = folder
    for name, folder in _installed_games():
        if found.setdefault(name, folder) != folder:
            raise BadSetting(
                f"two games are called {name!r}, {found[name]} and {folder}, which is installed: "
                "rename one, or uninstall it"
            )
    return found


def _checked_place(text: str) -> Path:
    """Return a folder of games; one level too high or too low is refused, naming the right one."""
    place = Path(text)
    if not place.is_dir():
        raise BadSetting(f"STRATAGEM_GAMES names {text!r}, which is not a folder: correct the path")
    if (place / "game.toml").is_file():
        around = str(place.resolve().parent)
        raise BadSetting(f"STRATAGEM_GAMES names a game, {text!r}: use its parent {around!r}")
    if not any(place.glob("*/game.toml")):
        below = sorted(place.glob("*/*/game.toml"))
        if below:
            inside = str(below[0].resolve().parents[1])
            raise BadSetting(f"STRATAGEM_GAMES names {text!r}, one level too high: use {inside!r}")
    return place


def _installed_games() -> Iterator[tuple[str, Path]]:
    """Yield games of other packages whose folder exists; their rules are not imported."""
    for name, point in plugins("games").items():
        try:
            found = importlib.util.find_spec(point.value)
        except (ImportError, ValueError):
            continue
        folder = Path(found.origin).resolve().parent if found and found.origin else Path(name)
        if folder.name == name and (folder / "game.toml").is_file():
            yield name, folder


def list_games() -> Iterator[tuple[About, list[str]]]:
    """Yield every game's description and scenario names, without importing any rules.

    A game whose files cannot be read is listed with the reason, without scenarios.
    """
    folders = game_folders()
    for folder in folders.values():
        try:
            yield About.read(folder), list(find_scenarios(folder))
        except (StratagemError, OSError) as error:
            yield About.damaged(folder.name, str(error)), []
    for name in sorted(set(plugins("games")) - set(folders)):
        yield About.damaged(name, _lost(name)), []


def load_rules(name: str) -> Rules:
    """Load the declaration of a game from its folder."""
    folders = game_folders()
    if name not in folders and name in plugins("games"):
        raise BadGame(_lost(name))
    if name not in folders:
        raise unknown_game(name, folders)
    module = _import_folder(name, folders[name])
    if not hasattr(module, "GAME"):
        raise BadGame(f"{folders[name] / '__init__.py'} declares no game: write GAME = Rules(...)")
    rules: Rules = module.GAME
    return rules


def unknown_game(name: str, known: Iterable[str]) -> StratagemError:
    """The error for a name that no game has; it sees when only STRATAGEM_GAMES is missing."""
    for place, parent in ((Path(name), "$PWD"), (Path(name, name), f"$PWD/{name}")):
        if name.isidentifier() and (place / "game.toml").is_file():
            fix = f'export STRATAGEM_GAMES="{parent}"'
            return BadGame(
                f"the game {name!r} is here, but STRATAGEM_GAMES does not name it: {fix}"
            )
    return UnknownName("game", name, known)


def _lost(name: str) -> str:
    """Explain why a game declared by an installed package cannot be used."""
    wanted = plugins("games")[name].value
    return (
        f"an installed package says that game {name!r} is {wanted}: that must be a package whose "
        f"folder is called {name} and has a game.toml"
    )


def load_game(spec: str) -> Game:
    """Load a game with a scenario, e.g. `battlefield` or `battlefield/default?team_size=1`."""
    # Numba and pydantic are loaded here, not by commands that only list names.
    from stratagem.core.game import Game
    from stratagem.core.scenario import read_scenario

    wanted = GameSpec.parse(spec)
    rules = load_rules(wanted.name)
    scenario = wanted.scenario or default_scenario(rules.folder)
    files = find_scenarios(rules.folder)
    if scenario not in files:
        raise UnknownName("scenario", scenario, files, wanted.name)
    model = read_scenario(rules.scenario, files[scenario], dict(wanted.overrides))
    return Game(rules, model, str(GameSpec(wanted.name, scenario, wanted.overrides)))


def _import_folder(name: str, folder: Path) -> ModuleType:
    if folder.parent == _OWN_GAMES:
        return importlib.import_module(f"stratagem.games.{name}")
    if name in sys.modules:
        return sys.modules[name]
    try:
        return _import_outside(name, folder)
    except StratagemError:
        raise
    except Exception as error:
        raise BadGame(f"game {name!r} cannot be imported: {explain(error)}") from error


def _import_outside(name: str, folder: Path) -> ModuleType:
    if (name, folder) in _installed_games():
        return importlib.import_module(plugins("games")[name].value)
    found = importlib.util.spec_from_file_location(
        name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    if found is None or found.loader is None or not (folder / "__init__.py").is_file():
        raise BadSetting(f"{folder} has no __init__.py that declares GAME")
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module
    try:
        found.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]  # do not return a half-imported module next time
        raise
    return module
