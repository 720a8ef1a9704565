"""`stratagem replay`: checks a recorded game and shows it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stratagem.cli.options import JsonOption
from stratagem.cli.output import one_line, print_json, print_line
from stratagem.core.errors import BadSetting
from stratagem.core.registry import load_game
from stratagem.core.sentences import Reader, as_event

if TYPE_CHECKING:
    from stratagem.core.game import Game, States
    from stratagem.core.record import GameRecord


def command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A game record (.jsonl).")],
    ply: Annotated[
        int | None,
        typer.Option("--ply", help="Print this position; negative numbers count from the end."),
    ] = None,
    boards: Annotated[bool, typer.Option("--boards", help="Print every position.")] = False,
    strip: Annotated[
        Path | None, typer.Option("--strip", help="Write a strip of positions as a picture (.png).")
    ] = None,
    panels: Annotated[
        int, typer.Option("--panels", min=1, max=100, help="Number of positions in the strip.")
    ] = 5,
    html: Annotated[
        Path | None,
        typer.Option("--html", help="Write a self-contained page that plays the game."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Verify a recorded game move by move and print it."""
    from stratagem.core.record import read_record, replay

    _check_places(file, strip, html)
    record = read_record(file)
    game = load_game(record.game)
    states = replay(record, game)
    shown = position_index(ply, len(states))
    if strip is not None:
        from stratagem.evaluate.drawing.scenes import evenly_picked, game_strip

        title = " against ".join(record.agents)
        game_strip(game, states, evenly_picked(len(states), panels), strip, title)
    if html is not None:
        from stratagem.web.export import write_replay_page

        write_replay_page(record, game, states, html)
    if as_json:
        written = {"strip": strip and str(strip), "html": html and str(html)}
        print_json({**_as_json(record, game, states, shown), **written})
        return
    print_line(f"{record.game}, version {record.version}, set-up seed {record.setup_seed}")
    names = map(one_line, record.agents)
    print_line("players: " + ", ".join(f"{n} {name}" for n, name in enumerate(names, 1)))
    _print_game(record, game, states, shown if ply is not None else None, boards)
    if record.returns:
        print_line(
            "result: " + ", ".join(f"player {n} {v:+g}" for n, v in enumerate(record.returns, 1))
        )
    else:
        print_line("unfinished")
    print_line(f"verified: {len(record.events)} events replay to {record.final_hash}")
    if strip is not None:
        print_line(f"strip: {strip}")
    if html is not None:
        print_line(f"page: {html}")


def _check_places(record: Path, strip: Path | None, html: Path | None) -> None:
    """Refuse to write over the record, or one result over the other."""
    if strip is not None and strip.suffix.lower() != ".png":
        raise BadSetting(f"--strip {strip}: a picture's name ends with .png")
    taken = [os.path.realpath(record)]
    for option, file in (("--strip", strip), ("--html", html)):
        if file is None:
            continue
        if (place := os.path.realpath(file)) in taken:
            raise BadSetting(f"{option} {file}: another file has this name: choose a new one")
        taken.append(place)


def position_index(ply: int | None, positions: int) -> int:
    """Return the index of the position that the user chose, by default the last."""
    wanted = positions - 1 if ply is None else ply + positions if ply < 0 else ply
    if not 0 <= wanted < positions:
        raise BadSetting(f"ply {ply}: this game has positions 0 to {positions - 1}")
    return wanted


def _print_game(
    record: GameRecord, game: Game, states: States, only: int | None, boards: bool
) -> None:
    text, reader = game.rules.notation.format_state, Reader.of(game.num_seats)
    if only is not None:
        print_line(f"\nposition {only}:\n{text(states[only])}\n")
        return
    for ply, event in enumerate(record.events):
        if boards:
            print_line(f"\n{text(states[ply])}")
        sentence = as_event(
            game.describe(states[ply], event.action, states[ply + 1]), event.seat, reader
        )
        print_line(f"{ply:4d}  {sentence}  [{one_line(event.text)}]")
    print_line(f"\n{text(states[-1])}\n")


def _as_json(record: GameRecord, game: Game, states: States, shown: int) -> dict[str, Any]:
    return {
        "game": record.game,
        "version": record.version,
        "setup_seed": record.setup_seed,
        "agents": list(record.agents),
        "plies": len(record.events),
        "events": [
            {"ply": ply, "seat": event.seat, "action": event.action, "text": event.text}
            for ply, event in enumerate(record.events)
        ],
        "returns": list(record.returns),
        "hash": record.final_hash,
        "verified": True,
        "ply": shown,
        "position": game.rules.notation.format_state(states[shown]),
    }
