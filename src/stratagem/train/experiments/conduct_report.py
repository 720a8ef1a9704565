"""How networks play: matches in every seat, their measures averaged, tables, curves and a board.

Finished rows are kept on disk, so an interrupted experiment goes on where it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from stratagem.agents.spec import make_agent
from stratagem.core.files import write_atomically
from stratagem.core.record import read_record, write_record
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seed
from stratagem.evaluate.game_pictures import add_course
from stratagem.evaluate.matches import play_match
from stratagem.evaluate.measures import ALL_GAMES, by_round, measure_games
from stratagem.evaluate.reports import Cell, Report
from stratagem.train.experiments.arms import TrainedArm, iteration_at
from stratagem.train.experiments.conduct import ConductTable
from stratagem.train.experiments.definition import Experiment
from stratagem.train.experiments.tables import MODEL

Say = Callable[[str], None]
Row = dict[str, Any]


@dataclass(frozen=True)
class Sitting:
    """One row to be: an agent in every seat in turn, an opponent in the others."""

    game: str
    agent: str  # agent spec
    opponent: str
    games: int
    seed: int


def measure_conduct(
    experiment: Experiment, trained: Sequence[TrainedArm], seed: int, out: Path, say: Say
) -> list[Row]:
    """Every table with its rows, as data for JSON."""
    results = []
    for table in experiment.conduct:
        rows = []
        for label, sitting in _sittings(experiment, table, trained, seed):
            row = {**label, "opponent": sitting.opponent, **_measure(sitting, table, out)}
            say(f"{label['agent']} on {label['scenario']} against {sitting.opponent}: "
                f"score {row['score']:.3f}")  # fmt: skip
            rows.append(row)
        results.append({"title": table.title, "rows": rows})
    return results


def _sittings(
    experiment: Experiment, table: ConductTable, trained: Sequence[TrainedArm], seed: int
) -> Iterator[tuple[Row, Sitting]]:
    """Networks first, arm by arm, then the players without one."""
    own: dict[str, None] = dict.fromkeys(table.scenarios)
    for one in trained:
        if not table.has_arm(one.arm.name):
            continue
        number = iteration_at(one.rows, 1.0, experiment.models == "accepted")
        model = str(one.folder.step_folder(number))
        for scenario in table.scenarios or (experiment.scenario_of(one.arm),):
            own[scenario] = None
            for name, spec in table.agents.items():
                label = {"arm": one.arm.name, "scenario": scenario, "agent": name}
                agent, game = spec.replace(MODEL, model), experiment.spec_of(scenario)
                for opponent in table.opponents:
                    yield label, Sitting(game, agent, opponent, table.games, seed)
    for scenario in own:
        for name, spec in table.others.items():
            for opponent in table.opponents:
                label = {"arm": "", "scenario": scenario, "agent": name}
                game = experiment.spec_of(scenario)
                yield label, Sitting(game, spec, opponent, table.games, seed)


def _measure(sitting: Sitting, table: ConductTable, out: Path) -> Row:
    """Play a row, or read what it gave the last time."""
    key = derive_seed(0, *(str(value) for value in vars(sitting).values()), *table.measures)
    file = out / "conduct" / f"{key:016x}.json"
    if not file.is_file():
        row = play_sitting(sitting, table, file.with_suffix(".jsonl"))
        write_atomically(file, json.dumps(row) + "\n")
    found: Row = json.loads(file.read_text())
    return {**found, "sample": str(file.with_suffix(".jsonl"))}


def play_sitting(sitting: Sitting, table: ConductTable, sample: Path) -> Row:
    """Results and means of one row; the first game is written to `sample`."""
    torch.set_num_threads(1)
    game = load_game(sitting.game)
    agent = make_agent(sitting.agent, game)
    opponent = make_agent(sitting.opponent, game)
    seed = derive_seed(sitting.seed, "conduct", sitting.game, sitting.opponent)
    match = play_match(game, [agent, opponent], sitting.games, seed, keep=True)
    mine = match.agents[0]
    write_record(match.records[0], sample)
    row: Row = {
        "games": mine.tally.games,
        "wins": mine.tally.wins,
        "score": round(mine.tally.score, 4),
        "low": round(mine.tally.wilson[0], 4),
        "high": round(mine.tally.wilson[1], 4),
        "points": round(mine.tally.mean_score, 2),
        "decision_ms": round(mine.mean_decision_ms, 3),
        "by_seat": [
            {"seat": one.seat, "games": one.tally.games, "score": round(one.tally.score, 4)}
            for one in mine.by_seat
        ],
        "measures": {},
        "reach": {},  # of the 95 % intervals of the measures, up and down
        "sides": {},
    }
    if game.rules.measures is None:
        return row
    found = measure_games(game, match.records).by_agent
    own, whole = found.get(agent.spec, {}), found.get(ALL_GAMES, {})
    for name in table.measures:
        mean = own.get(name) or whole.get(name)
        row["measures"][name] = None if mean is None else round(mean.mean, 4)
        half = None if mean is None or mean.high is None else mean.high - mean.mean
        row["reach"][name] = None if half is None else round(half, 4)
    for name in (*table.by_side, *table.series):
        # A side as the agent led it, where the game tells; else as anybody did.
        parts = {k: round(mean.mean, 3) for k, mean in {**whole, **own}.items() if _below(k, name)}
        row["sides"][name] = parts
    return row


def add_conduct(report: Report, experiment: Experiment, result: Row, out: Path) -> None:
    """Every table, what goes by side, the curves, and a game on its board."""
    for number, (table, measured) in enumerate(
        zip(experiment.conduct, result["conduct"], strict=True), start=1
    ):
        rows: list[Row] = measured["rows"]
        report.heading(table.title)
        report.paragraph(
            f"{table.games} games a row, the agent in every seat in turn against the opponent in "
            f"all others. Score with Wilson's 95 % interval, measures with Student's; time per "
            f"decision in batches. "
            f"{table.note}".rstrip()
        )
        head = ["arm", "scenario", "agent", "opponent", "score", "interval", "by seat", "points"]
        report.table([*head, "ms", *table.measures], [_line(table, row) for row in rows])
        for name in table.by_side:
            _add_sides(report, name, rows)
        for name in table.series:
            _add_series(report, experiment, name, rows, out / f"conduct_{number}_{name}")
        _add_board(report, rows, out / f"conduct_{number}.png")


def _line(table: ConductTable, row: Row) -> list[Cell]:
    seats = " / ".join(f"{one['score']:.2f}" for one in row["by_seat"])
    return [
        row["arm"], row["scenario"], row["agent"], row["opponent"], f"{row['score']:.3f}",
        f"{row['low']:.3f} to {row['high']:.3f}", seats, f"{row['points']:.1f}",
        f"{row['decision_ms']:.2f}",
        *(_with_reach(row, name) for name in table.measures),
    ]  # fmt: skip


def _add_sides(report: Report, name: str, rows: Sequence[Row]) -> None:
    """Means of NAME/SIDE, a column per side."""
    for scenario in dict.fromkeys(row["scenario"] for row in rows):
        here = [row for row in rows if row["scenario"] == scenario and row["sides"].get(name)]
        sides = dict.fromkeys(key.split("/")[1] for row in here for key in row["sides"][name])
        if not here:
            continue
        report.paragraph(f"{name} by side on {scenario}, means over the games of a row:")
        cells: list[list[Cell]] = [
            [row["arm"] or row["agent"], row["opponent"]]
            + [_short(row["sides"][name].get(f"{name}/{side}")) for side in sides]
            for row in here
        ]
        report.table(["who", "opponent", *sides], cells)


def _add_series(
    report: Report, experiment: Experiment, name: str, rows: Sequence[Row], stem: Path
) -> None:
    """NAME/SIDE/rN over N, a figure per scenario and opponent: a panel per side, what is usual."""
    from stratagem.evaluate.drawing.side_charts import draw_series  # matplotlib loads slowly

    pairs = dict.fromkeys((row["scenario"], row["opponent"]) for row in rows)
    for number, (scenario, opponent) in enumerate(pairs, start=1):
        lines = {
            row["arm"] or row["agent"]: by_round(row["sides"].get(name) or {}).get(name, {})
            for row in rows
            if (row["scenario"], row["opponent"]) == (scenario, opponent)
        }
        if not any(lines.values()):
            continue
        game = load_game(experiment.spec_of(scenario))
        usual = by_round(game.rules.expected(game.scenario)).get(name, {})
        file = stem.with_name(f"{stem.name}_{number}.png")
        draw_series(name, lines, usual, file)
        report.picture(file, f"{name} by side and round against {opponent}, {scenario}")


def _add_board(report: Report, rows: Sequence[Row], file: Path) -> None:
    """The first network's first game, position by position."""
    if not rows:
        return
    record = read_record(Path(rows[0]["sample"]))
    game = load_game(record.game)
    if game.rules.view is not None:
        add_course(report, game, record, file)


def _below(key: str, name: str) -> bool:
    return key.startswith(f"{name}/")


def _with_reach(row: Row, name: str) -> str:
    mean, half = row["measures"].get(name), row["reach"].get(name)
    return _short(mean) if mean is None or half is None else f"{mean:.3f} ± {half:.3f}"


def _short(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"
