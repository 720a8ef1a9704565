"""`stratagem new-game`: creates a small, complete game in a folder of its own."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from stratagem.cli.game_writer import NewGame, write_game
from stratagem.cli.options import JsonOption
from stratagem.cli.output import print_json, print_line


def command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="lower-case letters, digits and _")],
    seats: Annotated[int, typer.Option("--seats", help="Number of players: 2, 3 or 4.")] = 2,
    chance: Annotated[bool, typer.Option("--chance", help="Include a die.")] = False,
    hidden: Annotated[
        bool, typer.Option("--hidden", help="Include a hand of secret cards.")
    ] = False,
    board: Annotated[str, typer.Option("--board", help="Board type: hex or square.")] = "square",
    out: Annotated[Path, typer.Option("--out", help="Parent of the new folder.")] = Path(),
    as_json: JsonOption = False,
) -> None:
    """Create a small, working game in its own folder as a starting point."""
    folder = write_game(NewGame(name, seats, chance, hidden, board), out)
    if as_json:
        print_json({"name": name, "folder": str(folder), "files": _files(folder)})
        return
    print_line(f"wrote {folder}: {len(_files(folder))} files; start with README.md")
    for line in (
        "next steps:",
        f"  find it   export STRATAGEM_GAMES={shlex.quote(str(folder.resolve()))}",
        f"  check it  python -m stratagem.core.conformance {name}",
        f"  train it  stratagem train {name} --budget 3m",
        f"  play it   stratagem play {name} --opponent builder",
    ):
        print_line(line)


def _files(folder: Path) -> list[str]:
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())
