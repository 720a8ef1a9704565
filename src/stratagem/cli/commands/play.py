"""`stratagem play`: a person against an agent, in the terminal or through a pipe."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stratagem.cli.options import DeviceOption, GameArgument, JsonOption, SeedOption
from stratagem.cli.output import Printer, line_printer, print_json
from stratagem.cli.progress import ProgressLine, while_compiling
from stratagem.core.errors import StratagemError
from stratagem.core.files import check_file
from stratagem.core.patience import PATIENCE, is_watched
from stratagem.core.registry import load_game

if TYPE_CHECKING:
    from stratagem.evaluate.play_session import PlaySession

_LONGEST_LINE = 100_000  # characters; nobody types longer lines
_LISTED = 20  # legal actions to show before only counting the rest

_HELP = """Write a move as it is listed, or its number (#3 always means number 3 of the list).
  hint     what a search would play     undo     take back your last move (dice stay the same)
  list     all legal moves              quit, q  stop here
  help, ?  this text"""


def command(
    game: GameArgument,
    player: Annotated[
        int, typer.Option("--player", min=1, help="Your player number; 1 moves first.")
    ] = 1,
    opponent: Annotated[
        str, typer.Option("--opponent", help="Agent in the other seats; default: the "
                          "strongest that ships, else the bot `scripted`, else a search.")
    ] = "",
    seed: SeedOption = 0,
    save: Annotated[
        Path | None, typer.Option("--save", help="Save a record of the game to this file.")
    ] = None,
    device: DeviceOption = "auto",
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    """Play against an agent in the terminal, using the game's notation."""
    from stratagem.agents.shipped import default_opponent
    from stratagem.core.record import write_record
    from stratagem.evaluate.play_session import PlaySession

    if save is not None:
        check_file(save)
    loaded = load_game(game)
    opponent = opponent or default_opponent(loaded)
    play = PlaySession(loaded, player - 1, opponent, seed)
    thinking = while_compiling(loaded, lambda spent: f"thinking: {spent:.0f} s so far")
    PATIENCE.explain(thinking)
    line = nullcontext() if is_watched() else ProgressLine(while_compiling(loaded))
    show = line_printer(as_json)
    show(f"{loaded.spec}: you are player {player}, {opponent} plays the rest. Write ? for help.")
    try:
        with line:
            _talk(play, show)
    except KeyboardInterrupt:
        if save is not None:
            write_record(play.session.record(), save)
            show(f"\nsaved: {save}")
        raise
    record = play.session.record()
    if save is not None:
        write_record(record, save)
        show(f"saved: {save} (watch it with `stratagem replay {save}`)")
    if as_json:
        print_json(
            {
                "game": loaded.spec,
                "seat": play.seat,
                "opponent": opponent,
                "seed": seed,
                "finished": play.session.is_finished,
                "plies": len(record.events),
                "returns": list(record.returns),
                "hash": record.final_hash,
                "record": save and str(save),
            }
        )


def _talk(play: PlaySession, show: Printer) -> None:
    """Ask for moves until the game ends or the person quits."""
    for line in play.advance():
        show(line)
    _show_position(play, show)
    while not play.session.is_finished:
        word = _read("your move > ", show)
        if word is None or word in ("quit", "q"):
            show("stopped before the end")
            return
        if word:
            _answer(play, word, show)
    returns = play.session.returns or ()
    mine = returns[play.seat]
    result = "you win" if mine > 0 else "you lose" if mine < 0 else "a draw"
    listed = ", ".join(f"player {seat + 1} {value:+g}" for seat, value in enumerate(returns))
    show(f"the game is over: {result} ({listed})")


def _answer(play: PlaySession, word: str, show: Printer) -> None:
    """Do what one line of input says."""
    if word in ("help", "?"):
        show(_HELP)
    elif word == "list":
        _show_moves(play.described_moves(), show)
    elif word == "hint":
        for line in play.hint():
            show(line)
    elif word == "undo":
        if play.session.can_take_back():
            play.session.take_back()
            _show_position(play, show)
        else:
            show("there is nothing to take back")
    else:
        try:
            action = play.read_move(word)
        except StratagemError as error:
            show(f"{error} (or: help, list, hint, undo, quit)")
            return
        for line in play.play(action):
            show(line)
        _show_position(play, show)


def _show_position(play: PlaySession, show: Printer) -> None:
    show("")
    show(play.board())
    if play.session.is_finished:
        return
    moves = play.described_moves()
    _show_moves(moves[:_LISTED], show)
    if len(moves) > _LISTED:
        show(f"  … {len(moves)} in all, `list` shows them")


def _show_moves(moves: list[str], show: Printer) -> None:
    for number, text in enumerate(moves, start=1):
        show(f"{number:>4}) {text}")


def _read(prompt: str, show: Printer) -> str | None:
    """Read one line of input without its line ending; None at the end of the input."""
    PATIENCE.clear()
    if sys.stdin.isatty():
        sys.stderr.write(prompt)
        sys.stderr.flush()
    with PATIENCE.muted():  # while a person thinks
        line = sys.stdin.readline(_LONGEST_LINE)
    if not line:
        return None
    word = line.strip()
    if not sys.stdin.isatty():
        show(f"{prompt}{word}")  # makes a transcript of piped input read like a dialogue
    return word
