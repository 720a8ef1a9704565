"""Counting wins, draws and losses of trained networks against fixed opponents, seat by seat.

Finished cells are kept on disk, so an interrupted experiment goes on where it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from stratagem.agents.spec import make_agent
from stratagem.core.files import write_atomically
from stratagem.core.game import Game
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seed
from stratagem.evaluate.intervals import wilson
from stratagem.evaluate.match_result import Tally
from stratagem.evaluate.matches import play_match
from stratagem.train.experiments.arms import TrainedArm, iteration_at
from stratagem.train.experiments.definition import Experiment
from stratagem.train.experiments.tables import MODEL, RateCurves, RateTable

Say = Callable[[str], None]
Row = dict[str, Any]


@dataclass(frozen=True)
class Cell:
    """One pairing: a network's agent in a seat of a scenario against an opponent."""

    game: str
    agent: str  # agent spec
    opponent: str
    player: int  # counted from 1
    games: int
    seed: int


def measure_tables(
    experiment: Experiment, trained: Sequence[TrainedArm], seed: int, out: Path, say: Say
) -> list[Row]:
    """Every table with its rows, as data for JSON."""
    return [
        {
            "title": table.title,
            "opponent": table.opponent,
            "games": table.games,
            "rows": [
                row
                for arm in trained
                if table.has_arm(arm.arm.name)
                for row in _table_rows(experiment, table, arm, seed, out, say)
            ],
        }
        for table in experiment.rates
    ]


def measure_curves(
    experiment: Experiment, trained: Sequence[TrainedArm], seed: int, out: Path, say: Say
) -> list[Row]:
    """Every point of every curve: arm, agent, player, share of the training, rates."""
    return [
        row
        for curves in experiment.curves
        for arm in trained
        if curves.has_arm(arm.arm.name)
        for row in _curve_rows(experiment, curves, arm, seed, out, say)
    ]


def _table_rows(
    experiment: Experiment, table: RateTable, arm: TrainedArm, seed: int, out: Path, say: Say
) -> list[Row]:
    name, rows = arm.arm.name, []
    checkpoint = _checkpoint(arm, 1.0, experiment)
    own = experiment.scenario_of(arm.arm)
    for scenario in table.scenarios or (own,):
        game = experiment.spec_of(scenario)
        for label, spec in table.agents.items():
            for player in table.players:
                agent = spec.replace(MODEL, str(checkpoint))
                cell = Cell(game, agent, table.opponent, player, table.games, seed)
                row = {"arm": name, "scenario": scenario, "agent": label, "player": player}
                row |= _measure(cell, out / "rates")
                theirs = table.paper_rate(name, scenario, label, player)
                row["paper"] = theirs and {
                    "win": theirs.win, "draw": theirs.draw, "loss": theirs.loss,
                }  # fmt: skip
                say(f"{name} {label} player {player} of {scenario}: wins {row['win']:.3f}")
                rows.append(row)
    return rows


def _curve_rows(
    experiment: Experiment, curves: RateCurves, arm: TrainedArm, seed: int, out: Path, say: Say
) -> list[Row]:
    rows = []
    game = experiment.spec_of(experiment.scenario_of(arm.arm))
    for point in range(1, curves.points + 1):
        share = point / curves.points
        checkpoint = _checkpoint(arm, share, experiment)
        for label, spec in curves.agents.items():
            for player in curves.players:
                agent = spec.replace(MODEL, str(checkpoint))
                cell = Cell(game, agent, curves.opponent, player, curves.games, seed)
                row = {"arm": arm.arm.name, "agent": label, "player": player, "share": share}
                rows.append(row | _measure(cell, out / "rates"))
        say(f"{arm.arm.name}: against {curves.opponent} at {share:.0%} of the training")
    return rows


def _checkpoint(arm: TrainedArm, share: float, experiment: Experiment) -> Path:
    iteration = iteration_at(arm.rows, share, experiment.models == "accepted")
    return arm.folder.step_folder(iteration)


def _measure(cell: Cell, folder: Path) -> Row:
    """Play a cell, or read what it gave the last time."""
    key = derive_seed(0, *(str(value) for value in vars(cell).values()))
    file = folder / f"{key:016x}.json"
    if file.is_file():
        found: Row = json.loads(file.read_text())
        return found
    tally = play_cell(cell)
    low, high = wilson(tally.wins / tally.games, tally.games)
    row = {
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "win": round(tally.wins / tally.games, 4),
        "low": round(low, 4),
        "high": round(high, 4),
    }
    write_atomically(file, json.dumps(row) + "\n")
    return row


def play_cell(cell: Cell) -> Tally:
    """The agent's results in its seat; every other seat is the opponent's."""
    torch.set_num_threads(1)  # several threads stalled on a busy machine (experiments/LOG.md)
    game: Game = load_game(cell.game)
    seat = cell.player - 1
    players = [
        make_agent(cell.agent if number == seat else cell.opponent, game)
        for number in range(game.num_seats)
    ]
    # The same games whoever plays them, so that rows can be compared.
    seed = derive_seed(cell.seed, "rates", cell.game, cell.player)
    result = play_match(game, players, cell.games, seed, seats="fixed")
    return result.agents[seat].tally
