"""Tables `[[behaviour]]`: how agents play, in every seat in turn: results, points and measures.

Each arm's last network meets opponents; agents that need no network can be put beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

import torch
from pydantic import Field

from stratagem.agents.spec import make_agent
from stratagem.core.record import read_record, write_record
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seed
from stratagem.evaluate.drawing.side_charts import draw_series
from stratagem.evaluate.game_pictures import add_course
from stratagem.evaluate.match_result import AgentResult
from stratagem.evaluate.matches import play_match
from stratagem.evaluate.measures import ALL_GAMES, Measures, by_round, measure_games
from stratagem.evaluate.reports import Cell, Report
from stratagem.experiments.definition import MODEL, NetworkTable
from stratagem.experiments.measuring import Bench, Row


class Settings(NetworkTable):
    """One row per arm, agent, scenario and opponent."""

    others: dict[str, str] = Field(
        default_factory=dict, description="label = agent spec of players without a network"
    )
    opponents: tuple[str, ...] = Field(min_length=1, description="who sits in all other seats")
    scenarios: tuple[str, ...] = Field((), description="by name; empty: the arm's own")
    games: int = Field(100, ge=2, description="of each row, the seats taken in turn")
    measures: tuple[str, ...] = Field((), description="of the agent's seat, or of the whole game")
    by_side: tuple[str, ...] = Field(
        (), description="measures NAME/SIDE as the agent led it, a table with a column per side"
    )
    series: tuple[str, ...] = Field(
        (), description="measures NAME/SIDE/rN as the agent led it, drawn over N"
    )

    def check(self, with_arms: bool) -> None:
        if not with_arms and not self.scenarios:
            raise ValueError("without [[arms]] say which scenarios are played")
        if bool(self.agents) != with_arms:
            raise ValueError("agents play with the networks of arms: give both or neither")


@dataclass(frozen=True)
class Pairing:
    """An agent in every seat in turn, an opponent in the others."""

    game: str
    agent: str  # agent spec
    opponent: str
    games: int
    seed: int


def measure(tables: Sequence[Settings], bench: Bench) -> list[Row]:
    """Every table with its rows."""
    results = []
    for table in tables:
        rows = []
        for label, pairing in _pairings(table, bench):
            row = {**label, "opponent": pairing.opponent, **_row(pairing, table, bench)}
            bench.call.progress(
                f"{label['agent']} on {label['scenario']} against {pairing.opponent}: "
                f"score {row['score']:.3f}"
            )
            rows.append(row)
        results.append({"title": table.title, "rows": rows})
    return results


def _pairings(table: Settings, bench: Bench) -> Iterator[tuple[Row, Pairing]]:
    """Networks first, arm by arm, then the players without one."""
    experiment, seed = bench.experiment, bench.call.seed
    played: dict[str, None] = dict.fromkeys(table.scenarios)
    for one in bench.trained:
        if not table.has_arm(one.arm):
            continue
        model = str(bench.checkpoint(one))
        for scenario in table.scenarios or (experiment.scenario_of(one.arm),):
            played[scenario] = None
            for name, spec in table.agents.items():
                label = {"arm": one.arm.name, "scenario": scenario, "agent": name}
                agent, game = spec.replace(MODEL, model), experiment.spec_of(scenario)
                for opponent in table.opponents:
                    yield label, Pairing(game, agent, opponent, table.games, seed)
    for scenario in played:
        for name, spec in table.others.items():
            for opponent in table.opponents:
                label = {"arm": "", "scenario": scenario, "agent": name}
                yield (
                    label,
                    Pairing(experiment.spec_of(scenario), spec, opponent, table.games, seed),
                )


def _row(pairing: Pairing, table: Settings, bench: Bench) -> Row:
    """Play a row, or read what it gave the last time."""

    def play(file: Path) -> Row:
        sample = file.with_suffix(".jsonl")
        return {**play_pairing(pairing, table, sample), "sample": str(sample)}

    return bench.once("behaviour", (*astuple(pairing), *table.measures), play)


def play_pairing(pairing: Pairing, table: Settings, sample: Path) -> Row:
    """Results and means of one row; the first game is written to `sample`."""
    torch.set_num_threads(1)
    game = load_game(pairing.game)
    agent = make_agent(pairing.agent, game)
    opponent = make_agent(pairing.opponent, game)
    seed = derive_seed(pairing.seed, "behaviour", pairing.game, pairing.opponent)
    match = play_match(game, [agent, opponent], pairing.games, seed, keep=True)
    write_record(match.records[0], sample)
    row = _results(match.agents[0])
    if game.rules.measures is not None:
        row |= _means(table, measure_games(game, match.records), agent.spec)
    return row


def _results(mine: AgentResult) -> Row:
    return {
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


def _means(table: Settings, measured: Measures, agent: str) -> Row:
    own, whole = measured.by_agent.get(agent, {}), measured.by_agent.get(ALL_GAMES, {})
    found: Row = {"measures": {}, "reach": {}, "sides": {}}
    for name in table.measures:
        mean = own.get(name) or whole.get(name)
        found["measures"][name] = None if mean is None else round(mean.mean, 4)
        half = None if mean is None or mean.high is None else mean.high - mean.mean
        found["reach"][name] = None if half is None else round(half, 4)
    for name in (*table.by_side, *table.series):
        # A side as the agent led it, where the game tells; else as anybody did.
        found["sides"][name] = {
            key: round(mean.mean, 3)
            for key, mean in {**whole, **own}.items()
            if key.startswith(f"{name}/")
        }
    return found


def report(page: Report, tables: Sequence[Settings], measured: list[Row], bench: Bench) -> None:
    """Every table, what goes by side, the curves, and a game on its board."""
    for number, (table, found) in enumerate(zip(tables, measured, strict=True), start=1):
        rows: list[Row] = found["rows"]
        page.heading(table.title)
        page.paragraph(
            f"{table.games} games a row, the agent in every seat in turn against the opponent in "
            f"all others. Score with Wilson's 95 % interval, measures with Student's; time per "
            f"decision in batches. {table.note}".rstrip()
        )
        head = ["arm", "scenario", "agent", "opponent", "score", "interval", "by seat", "points"]
        page.table([*head, "ms", *table.measures], [_line(table, row) for row in rows])
        for name in table.by_side:
            _add_sides(page, name, rows)
        for name in table.series:
            _add_series(page, bench, name, rows, f"behaviour_{number}_{name}")
        _add_board(page, rows, bench.call.out / f"behaviour_{number}.png")


def _line(table: Settings, row: Row) -> list[Cell]:
    seats = " / ".join(f"{one['score']:.2f}" for one in row["by_seat"])
    return [
        row["arm"], row["scenario"], row["agent"], row["opponent"], f"{row['score']:.3f}",
        f"{row['low']:.3f} to {row['high']:.3f}", seats, f"{row['points']:.1f}",
        f"{row['decision_ms']:.2f}",
        *(_with_reach(row, name) for name in table.measures),
    ]  # fmt: skip


def _add_sides(page: Report, name: str, rows: Sequence[Row]) -> None:
    """Means of NAME/SIDE, a column per side."""
    for scenario in dict.fromkeys(row["scenario"] for row in rows):
        here = [row for row in rows if row["scenario"] == scenario and row["sides"].get(name)]
        sides = dict.fromkeys(key.split("/")[1] for row in here for key in row["sides"][name])
        if not here:
            continue
        page.paragraph(f"{name} by side on {scenario}, means over the games of a row:")
        cells: list[list[Cell]] = [
            [row["arm"] or row["agent"], row["opponent"]]
            + [_short(row["sides"][name].get(f"{name}/{side}")) for side in sides]
            for row in here
        ]
        page.table(["who", "opponent", *sides], cells)


def _add_series(page: Report, bench: Bench, name: str, rows: Sequence[Row], stem: str) -> None:
    """NAME/SIDE/rN over N, a figure per scenario and opponent: a panel per side, what is usual."""
    pairs = dict.fromkeys((row["scenario"], row["opponent"]) for row in rows)
    for number, (scenario, opponent) in enumerate(pairs, start=1):
        lines = {
            row["arm"] or row["agent"]: by_round(row["sides"].get(name) or {}).get(name, {})
            for row in rows
            if (row["scenario"], row["opponent"]) == (scenario, opponent)
        }
        if not any(lines.values()):
            continue
        game = load_game(bench.experiment.spec_of(scenario))
        usual = by_round(game.rules.expected(game.scenario)).get(name, {})
        file = bench.call.out / f"{stem}_{number}.png"
        draw_series(name, lines, usual, file)
        page.picture(file, f"{name} by side and round against {opponent}, {scenario}")


def _add_board(page: Report, rows: Sequence[Row], file: Path) -> None:
    """The first network's first game, position by position."""
    if not rows:
        return
    record = read_record(Path(rows[0]["sample"]))
    game = load_game(record.game)
    if game.rules.view is not None:
        add_course(page, game, record, file)


def _with_reach(row: Row, name: str) -> str:
    mean, half = row["measures"].get(name), row["reach"].get(name)
    return _short(mean) if mean is None or half is None else f"{mean:.3f} ± {half:.3f}"


def _short(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"
