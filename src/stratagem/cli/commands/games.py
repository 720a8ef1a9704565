"""`stratagem games`: what can be played."""

from __future__ import annotations

from stratagem.cli.options import JsonOption
from stratagem.cli.output import print_json, print_table
from stratagem.core.registry import list_games
from stratagem.core.scenario_files import shorten_names


def command(as_json: JsonOption = False) -> None:
    """List the games with their seats, version and scenarios."""
    games = list(list_games())
    if as_json:
        print_json(
            [
                {
                    "name": about.name,
                    "title": about.title,
                    "summary": about.summary,
                    "seats": about.seats,
                    "version": about.version,
                    "scenarios": scenarios,
                }
                for about, scenarios in games
            ]
        )
        return
    print_table(
        ["game", "seats", "version", "scenarios", "about"],
        [
            [
                about.name,
                about.seats,
                str(about.version),
                ", ".join(shorten_names(scenarios)),
                about.summary,
            ]
            for about, scenarios in games
        ],
    )
