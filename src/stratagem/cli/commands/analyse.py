"""`stratagem analyse`: searches a position, or every decision of a game.

Field names follow KataGo's analysis protocol (rootInfo, moveInfos, winrate, …), so that tools for
it need few changes. All numbers are from the deciding seat's point of view.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stratagem.cli.commands.replay import position_index
from stratagem.cli.options import DeviceOption, JsonOption, SeedOption
from stratagem.cli.output import print_json, print_line, print_table
from stratagem.core.errors import BadSetting
from stratagem.core.registry import load_game

if TYPE_CHECKING:
    from stratagem.core.game import Game, States
    from stratagem.evaluate.analysis import PositionAnalysis


def command(
    source: Annotated[str, typer.Argument(metavar="FILE|GAME", help="A game record, or a game.")],
    ply: Annotated[
        int | None,
        typer.Option("--ply", help="Position in the record (default: the last decision); "
                     "for a game: after this many random events."),
    ] = None,
    agent: Annotated[
        str,
        typer.Option("--agent", help="An agent that searches; default: best, otherwise mcts:none.")
    ] = "",
    every: Annotated[
        bool, typer.Option("--all", help="Analyse every decision of the record and mark mistakes.")
    ] = False,
    top: Annotated[int, typer.Option("--top", min=1, help="Number of candidates to print.")] = 10,
    seed: SeedOption = 0,
    device: DeviceOption = "auto",
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    """Analyse a position: prior, visits, value and loss of each candidate move."""
    from stratagem.evaluate.analysis import analyse_positions, searching_agent

    game, states, played = _positions(source, ply, seed)
    deciding = [i for i in range(len(states)) if int(states["seat"][i]) >= 0]
    if every:
        picks = deciding
    else:
        pick = _pick(ply, len(states), deciding) if Path(source).is_file() else len(states) - 1
        if pick not in deciding:
            raise BadSetting(f"ply {pick} is not a decision: choose another --ply")
        picks = [pick]
    if not picks:
        raise BadSetting(f"{source}: no decision to analyse")
    player = searching_agent(agent, game)
    turns = analyse_positions(game, player, states, picks, played, seed)
    if as_json:
        answers = [turn.as_json() for turn in turns]
        head = {"game": game.spec, "agent": player.spec}
        print_json({**head, "turns": answers} if every else {**head, **answers[0]})
    elif every:
        _print_turns(turns, player.spec)
    else:
        print_line(game.rules.notation.format_state(states[picks[0]]))
        _print_candidates(turns[0], player.spec, top)


def _positions(source: str, ply: int | None, seed: int) -> tuple[Game, States, list[int]]:
    """Return the game, its positions and the actions between them."""
    from stratagem.core.record import read_record, replay
    from stratagem.evaluate.analysis import random_positions

    if Path(source).is_file():
        record = read_record(Path(source))
        game = load_game(record.game)
        return game, replay(record, game), [event.action for event in record.events]
    if Path(source).suffix:  # looks like a file name: report that it is missing
        read_record(Path(source))
    game = load_game(source)
    states, actions = random_positions(game, seed, ply or 0)
    return game, states, actions


def _pick(ply: int | None, positions: int, deciding: list[int]) -> int:
    if ply is None:
        return deciding[-1] if deciding else positions - 1
    return position_index(ply, positions)


def _print_candidates(turn: PositionAnalysis, spec: str, top: int) -> None:
    rows = [
        [
            str(move.order + 1), move.move, f"{100 * move.prior:.1f}", str(move.visits),
            _number(move.value, "+.3f"), _number(move.winrate, ".1%"), _number(move.loss, ".3f"),
            "played" if move.played else "",
        ]
        for move in turn.moves[:top]
    ]  # fmt: skip
    print_table(
        ["#", "move", "prior %", "visits", "value", "win rate", "loss", ""],
        rows,
        f"ply {turn.ply}, seat {turn.seat} decides, {turn.visits} visits of {spec}; "
        f"value {turn.value:+.3f} for seat {turn.seat}",
    )
    if len(turn.moves) > top:
        print_line(f"and {len(turn.moves) - top} more")


def _number(value: float | None, form: str) -> str:
    """Format a number; empty for a move that was never visited."""
    return "" if value is None else format(value, form)


def _print_turns(turns: list[PositionAnalysis], spec: str) -> None:
    rows: list[list[str]] = []
    for turn in turns:
        played = next((move for move in turn.moves if move.played), None)
        rows.append(
            [
                str(turn.ply), str(turn.seat), f"{turn.value:+.3f}", turn.moves[0].move,
                played.move if played else "",
                _number(played.loss if played else None, ".3f"), turn.mark,
            ]
        )  # fmt: skip
    print_table(["ply", "seat", "value", "best", "played", "loss", ""], rows, f"by {spec}")
