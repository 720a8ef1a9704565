"""`stratagem games`: lists and describes the games."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from stratagem.cli.options import JsonOption
from stratagem.cli.output import print_json, print_line, print_table
from stratagem.core.about import About
from stratagem.core.registry import game_folders, list_games, load_game, unknown_game
from stratagem.core.scenario_files import find_scenarios, shorten_names

_LISTED = 3  # scenarios per game in the short list


def command(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Print everything about this game.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the games, or describe one in detail."""
    games = list(list_games())
    if name is None:
        if as_json:
            print_json([_as_json(about, scenarios) for about, scenarios in games])
        else:
            _print_all(games)
        return
    known = {about.name: (about, scenarios) for about, scenarios in games}
    if name not in known:
        raise unknown_game(name, known)
    about, scenarios = known[name]
    details = _details(about)
    if as_json:
        print_json({**_as_json(about, scenarios), **details})
    else:
        _print_one(about, scenarios, details)


def _as_json(about: About, scenarios: list[str]) -> dict[str, Any]:
    return {
        "name": about.name,
        "title": about.title,
        "summary": about.summary,
        "seats": about.seats,
        "version": about.version,
        "scenarios": scenarios,
    }


def _details(about: About) -> dict[str, Any]:
    folder = game_folders()[about.name]
    texts = {key: file.values() for key, file in find_scenarios(folder).items()}
    return {
        "about_scenarios": {
            key: {"title": str(one.get("title", "")), "summary": str(one.get("summary", ""))}
            for key, one in texts.items()
        },
        "presets": sorted(file.stem for file in (folder / "presets").glob("*.toml")),
        **_players(about),
    }


def _players(about: About) -> dict[str, list[str]]:
    """Return opponents that need no training: bots, and where `best` and `best-hybrid` ship."""
    from stratagem.agents.shipped import KINDS, shipped

    game = load_game(about.name)
    names = find_scenarios(game.rules.folder)
    ships = {kind: [name for name in names if shipped(game, name, kind)] for kind in KINDS}
    return {"bots": list(game.rules.bots), **ships}


def _print_all(games: list[tuple[About, list[str]]]) -> None:
    rows = []
    for about, scenarios in games:
        shown = scenarios[:_LISTED]
        more = f" and {len(scenarios) - _LISTED} more" if len(scenarios) > _LISTED else ""
        rows.append([about.name, about.seats, ", ".join(shown) + more])
    print_table(["game", "players", "scenarios"], rows)
    print_line("details: stratagem games NAME")


def _print_one(about: About, scenarios: list[str], details: dict[str, Any]) -> None:
    print_line(f"{about.title} ({about.name}), {about.seats} players, version {about.version}")
    print_line(about.summary)
    families = dict(zip(shorten_names(scenarios), _first_names(scenarios), strict=True))
    texts = details["about_scenarios"]
    print_table(
        ["scenario", "about"],
        [[shown, texts[first]["summary"] or texts[first]["title"]]
         for shown, first in families.items()],
    )  # fmt: skip
    print_line(f"default scenario: {about.name}/{about.default_scenario}")
    if details["bots"]:
        print_line(f"bots: {', '.join(details['bots'])}")
    for kind in ("best", "best-hybrid"):
        if names := details[kind]:
            where = (
                "every scenario"
                if len(names) == len(scenarios)
                else ", ".join(shorten_names(names))
            )
            print_line(f"shipped player: {kind} ({where})")
    print_line("other players: random, mcts:none?sims=400 (a search without a network), your runs")
    if details["presets"]:
        print_line(f"training presets: {', '.join(details['presets'])}")


def _first_names(scenarios: list[str]) -> list[str]:
    """Return the first scenario behind each shortened name."""
    return [shown.split(" to ")[0] for shown in shorten_names(scenarios)]
