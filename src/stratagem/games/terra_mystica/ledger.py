"""`python -m stratagem.games.terra_mystica.ledger FILE...`: replay recorded games and compare.

Each file is JSON with `rows` (a ledger), `trace` and `final`. Prints the first difference of a
file with both values, or the line, command and reason of a bad ledger. The last line counts files,
moves compared and differences. Exit code 0 only if every traced number is equal; 1 if not; 2 if a
file cannot be read.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stratagem.core.errors import StratagemError
from stratagem.games.terra_mystica.ledger_check import (
    Trace,
    bridge_difference,
    final_differences,
)
from stratagem.games.terra_mystica.ledger_decisions import run
from stratagem.games.terra_mystica.ledger_replay import Replay
from stratagem.games.terra_mystica.ledger_text import parse_ledger, read_game
from stratagem.games.terra_mystica.rules.replaying import network_first


@dataclass(frozen=True)
class Comparison:
    """What a replay found: moves and decisions, and every number that is not as recorded."""

    moves: int
    decisions: int
    differences: tuple[str, ...]
    points: tuple[int, ...]


def replay_game(
    game: dict[str, Any], watch: Callable[[Any, int], None] | None = None
) -> Comparison:
    """Replay a recorded game; BadLedger at the first command that cannot be carried out."""
    ledger = parse_ledger(game["rows"])
    trace = Trace.read(game.get("trace", ()), ledger.factions)
    replay = Replay(ledger, trace, watch)
    run(replay)
    trace.close()
    players = len(ledger.factions)
    final = game.get("final", {})
    networks = [int(network_first(replay.states, seat)) for seat in range(players)]
    differences = [
        *trace.differences,
        *final_differences(replay.s, final, networks),
        *bridge_difference(replay.s, final),
    ]
    points = tuple(int(vp) for vp in replay.s["vp"][:players])
    return Comparison(trace.compared, replay.decisions, tuple(differences), points)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m stratagem.games.terra_mystica.ledger")
    parser.add_argument("files", nargs="+", type=Path, help="recorded games (JSON)")
    files = parser.parse_args(arguments).files
    moves = differences = failed = 0
    for file in files:
        try:
            found = replay_game(read_game(file))
        except StratagemError as error:
            failed += 1
            sys.stdout.write(f"{file.name}: {error}\n")
            continue
        moves += found.moves
        differences += len(found.differences)
        if found.differences:
            more = f" (and {len(found.differences) - 1} more)" if found.differences[1:] else ""
            sys.stdout.write(f"{file.name}: {found.differences[0]}{more}\n")
    bad = f", {failed} bad files" if failed else ""
    sys.stdout.write(
        f"{len(files)} files, {moves} moves compared, {differences} differences{bad}\n"
    )
    return 1 if differences or failed else 0


if __name__ == "__main__":
    sys.exit(main())
