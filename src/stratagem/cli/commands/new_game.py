"""`stratagem new-game`: a small, complete game in a folder of its own, to be changed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stratagem.cli.options import JsonOption
from stratagem.cli.output import print_json, print_line


def command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="small letters, digits and _")],
    seats: Annotated[int, typer.Option("--seats", help="Players: 2, 3 or 4.")] = 2,
    chance: Annotated[bool, typer.Option("--chance", help="With a die.")] = False,
    hidden: Annotated[bool, typer.Option("--hidden", help="With a hand of secret cards.")] = False,
    board: Annotated[str, typer.Option("--board", help="hex or square.")] = "square",
    out: Annotated[Path, typer.Option("--out", help="Where the folder is written.")] = Path(),
    as_json: JsonOption = False,
) -> None:
    """Write a new game that conforms, trains and plays, as files that you go on from."""
    import shlex

    from stratagem.cli.game_writer import NewGame, write_game

    folder = write_game(NewGame(name, seats, chance, hidden, board), out)
    if as_json:
        print_json({"name": name, "folder": str(folder), "files": _files(folder)})
        return
    print_line(f"wrote {folder}: {len(_files(folder))} files, begin with README.md")
    for line in (
        "what next:",
        f"  find it   export STRATAGEM_GAMES={shlex.quote(str(folder.resolve()))}",
        f"  check it  python -m stratagem.core.conformance {name}",
        f"  train it  stratagem train {name} --budget 3m",
        f"  play it   stratagem play {name} --opponent builder",
    ):
        print_line(line)


def _files(folder: Path) -> list[str]:
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())
