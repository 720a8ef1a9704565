"""Measures the share of optimal moves of several agents over the same solved positions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stratagem.agents import make_agent
from stratagem.core.files import write_atomically
from stratagem.core.registry import load_game
from stratagem.evaluate.optimality import (
    grade_agent,
    read_solutions,
    sample_positions,
    solve_positions,
    solver_of,
)
from stratagem.experiments.call import Progress
from stratagem.experiments.publish import refuse_changed, results_folder
from stratagem.runs.provenance import find_checkout

_RANDOM = "random"
_REPORT_EVERY = 100  # positions


@dataclass(frozen=True)
class Sources:
    """Where positions come from: games of `random` and of one agent."""

    own: str
    positions: int  # of each
    first_ply: int
    seed: int


def measure_optimality(
    game_spec: str,
    agents: Sequence[str],
    sources: Sources,
    solved: Path | None = None,
    progress: Progress = lambda text: None,
) -> dict[str, Any]:
    """Measure every agent on positions from both sources."""
    game = load_game(game_spec)
    solver_of(game)  # refuse before anything is played
    players = [make_agent(spec, game) for spec in agents]
    measured = []

    def report(done: int, total: int) -> None:
        if done % _REPORT_EVERY == 0:
            progress(f"solved: {done} of {total}")

    if solved is not None and solved.is_file():
        read_solutions(solved)  # a wrong file should be noticed now, not after many games
    for spec in dict.fromkeys((_RANDOM, sources.own)):
        progress(f"positions of games of {spec}")
        player = make_agent(spec, game)
        states = sample_positions(game, player, sources.positions, sources.seed, sources.first_ply)
        solutions = solve_positions(game, states, solved, report)
        rows = [grade_agent(one, game, states, solutions, sources.seed) for one in players]
        measured.append({"games": spec, "agents": [row.as_json() for row in rows]})
    return {
        "name": f"{game.name}-optimality",
        "game": game.spec,
        "positions": sources.positions,
        "first_ply": sources.first_ply,
        "seed": sources.seed,
        "sources": measured,
        "commit": str(find_checkout()),
    }


def publish_optimality(result: dict[str, Any], folder: Path | None = None) -> Path:
    """Write the result to a file in `results/`."""
    refuse_changed(result, "the measurement")
    file = (folder or results_folder()) / f"{result['name']}.json"
    write_atomically(file, json.dumps(result, indent=2) + "\n")
    return file
