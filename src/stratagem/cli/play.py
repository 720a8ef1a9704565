"""`stratagem play`: a person against an agent, in the terminal or through a pipe."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stratagem.cli.options import GameArgument, JsonOption, SeedOption
from stratagem.cli.output import Say, print_json, teller

if TYPE_CHECKING:
    from stratagem.evaluate.sitting import Sitting

_LISTED = 20  # legal actions shown before the rest is only counted

_HELP = """Write a move as it is listed, or its number (#3 always means number 3 of the list).
  hint   what a search would play     undo   take back your last move (dice stay the same)
  list   all legal moves              quit   stop here
  help   this text"""


def command(
    game: GameArgument,
    seat: Annotated[int, typer.Option("--seat", min=0, help="Your seat.")] = 0,
    opponent: Annotated[
        str, typer.Option("--opponent", help="Agent in the other seats; default: best, "
                          "else mcts:none?sims=200.")
    ] = "",
    seed: SeedOption = 0,
    save: Annotated[
        Path | None, typer.Option("--save", help="Write a record of the game here.")
    ] = None,
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    """Play against an agent; moves are written in the game's notation."""
    from stratagem.agents.best import shipped
    from stratagem.core.record import write_record
    from stratagem.core.registry import load_game
    from stratagem.evaluate.sitting import Sitting

    loaded = load_game(game)
    if not opponent:
        opponent = "best" if shipped(loaded) is not None else "mcts:none?sims=200"
    sitting = Sitting(loaded, seat, opponent, seed)
    tell = teller(as_json)
    tell(f"{loaded.spec}: you are seat {seat}, {opponent} plays the rest. Write help for help.")
    _talk(sitting, tell)
    record = sitting.record()
    if save is not None:
        write_record(record, save)
        tell(f"saved: {save} (watch it with `stratagem replay {save}`)")
    if as_json:
        print_json(
            {
                "game": loaded.spec,
                "seat": seat,
                "opponent": opponent,
                "seed": seed,
                "finished": sitting.over,
                "plies": len(record.events),
                "returns": list(record.returns),
                "hash": record.final_hash,
                "record": save and str(save),
            }
        )


def _talk(sitting: Sitting, tell: Say) -> None:
    """Ask for moves until the game ends or the person leaves."""
    for line in sitting.go_on():
        tell(line)
    _show(sitting, tell)
    while not sitting.over:
        word = _read(f"seat {sitting.seat} > ", tell)
        if word is None or word == "quit":
            tell("stopped before the end")
            return
        if not word:
            continue
        _answer(sitting, word, tell)
    returns = ", ".join(f"seat {s} {v:+g}" for s, v in enumerate(sitting.returns))
    mine = sitting.returns[sitting.seat]
    result = "you win" if mine > 0 else "you lose" if mine < 0 else "a draw"
    tell(f"the game is over: {result} ({returns})")


def _answer(sitting: Sitting, word: str, tell: Say) -> None:
    """Do what one line of input asks for."""
    from stratagem.core.errors import StratagemError

    if word == "help":
        tell(_HELP)
    elif word == "list":
        tell("  ".join(f"{n}) {text}" for n, text in enumerate(sitting.moves(), start=1)))
    elif word == "hint":
        for line in sitting.hint():
            tell(line)
    elif word == "undo":
        if sitting.undo():
            _show(sitting, tell)
        else:
            tell("there is nothing to take back")
    else:
        try:
            action = sitting.read_move(word)
        except StratagemError as error:
            tell(f"{error} (or: help, list, hint, undo, quit)")
            return
        for line in sitting.play(action):
            tell(line)
        _show(sitting, tell)


def _show(sitting: Sitting, tell: Say) -> None:
    tell("")
    tell(sitting.board())
    if sitting.over:
        return
    moves = sitting.moves()
    shown = "  ".join(f"{n}) {text}" for n, text in enumerate(moves[:_LISTED], start=1))
    more = f"  … {len(moves)} in all, `list` shows them" if len(moves) > _LISTED else ""
    tell(f"moves: {shown}{more}")


def _read(prompt: str, tell: Say) -> str | None:
    """One line of input without its end; None when the input has ended."""
    if sys.stdin.isatty():
        sys.stderr.write(prompt)
        sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        return None
    word = line.strip()
    if not sys.stdin.isatty():
        tell(f"{prompt}{word}")  # a transcript of piped input reads like a dialogue
    return word
