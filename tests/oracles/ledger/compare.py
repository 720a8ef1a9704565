"""A recorded game replayed, and every number that is not as recorded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from stratagem.games.terra_mystica.rules.replaying import network_first

from .check import Trace, bridge_difference, final_differences
from .decisions import run
from .replay import Replay
from .text import parse_ledger


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
