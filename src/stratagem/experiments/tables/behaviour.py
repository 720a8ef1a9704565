"""Tables `[[behaviour]]`: how agents play in each seat: results, points and measures.

Each arm's last network meets opponents; agents without a network can be listed for comparison.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from statistics import mean

from pydantic import Field

from stratagem.agents.spec import make_agent
from stratagem.core.record import format_record, parse_record
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seed
from stratagem.evaluate.drawing.side_charts import Lines, draw_series
from stratagem.evaluate.game_pictures import course_caption, draw_course
from stratagem.evaluate.match_result import AgentResult
from stratagem.evaluate.matches import play_match
from stratagem.evaluate.measures import ALL_GAMES, Measures, by_round, measure_games
from stratagem.evaluate.reports import Cell, Report
from stratagem.experiments.definition import MODEL, Experiment, NetworkTable
from stratagem.experiments.findings import Compared, over_seeds
from stratagem.experiments.measuring import Bench, Measuring, Row, Wanted

ITSELF = "itself"  # as an opponent: the agent plays all seats


@dataclass(frozen=True)
class Named:
    """The measures of a table."""

    plain: tuple[str, ...]
    by_side: tuple[str, ...]  # NAME of NAME/SIDE and NAME/SIDE/rN


class Settings(NetworkTable):
    """One row per arm, agent, scenario and opponent."""

    opponents: tuple[str, ...] = Field(
        min_length=1, description="who sits in all other seats; itself: the agent"
    )
    scenarios: tuple[str, ...] = Field((), description="by name; empty: the arm's own")
    games: int = Field(100, ge=2, description="of each run, the seats taken in turn")
    shares: tuple[float, ...] = Field(
        (1.0,), min_length=1, description="of the training time after which networks are measured"
    )
    measures: tuple[str, ...] = Field((), description="of the agent's seat, or of the whole game")
    by_side: tuple[str, ...] = Field(
        (), description="measures NAME/SIDE as the agent led it, a table with a column per side"
    )
    series: tuple[str, ...] = Field(
        (), description="measures NAME/SIDE/rN as the agent led it, drawn over N"
    )

    @property
    def named(self) -> Named:
        """Everything to be measured for this table."""
        return Named(self.measures, (*self.by_side, *self.series))

    def check(self, with_arms: bool) -> None:
        if not with_arms and not self.scenarios:
            raise ValueError("without [[arms]], list the scenarios to play")
        if bool(self.agents) != with_arms:
            raise ValueError("agents play with the networks of arms: set both or neither")


@dataclass(frozen=True)
class Pairing:
    """An agent in each seat in turn, with an opponent in the others."""

    game: str
    agent: str  # agent spec
    opponent: str
    games: int
    seed: int


def measure(tables: Sequence[Settings], bench: Bench) -> Measuring[list[Row]]:
    """Measure every table and return its rows."""
    asked = [list(_pairings(table, bench)) for table in tables]
    played = yield [
        Wanted(
            "behaviour", play_pairing, [(one, table.named) for _, group in groups for one in group]
        )
        for table, groups in zip(tables, asked, strict=True)
    ]
    return [
        {"title": table.title, "rows": _rows(groups, found)}
        for table, groups, found in zip(tables, asked, played, strict=True)
    ]


def _rows(groups: Sequence[tuple[Row, list[Pairing]]], played: Sequence[Row]) -> list[Row]:
    found = iter(played)
    rows = [
        {**label, "opponent": group[0].opponent, **_over_runs([next(found) for _ in group])}
        for label, group in groups
    ]
    for row in rows[1:]:
        del row["sample"]  # only one game is drawn
    return rows


def _pairings(table: Settings, bench: Bench) -> Iterator[tuple[Row, list[Pairing]]]:
    """Yield networks first, by arm with its runs, then the players without one."""
    experiment, seed = bench.experiment, bench.call.seed
    met: dict[str, None] = dict.fromkeys(table.scenarios)
    for arm, runs in bench.arms(table):
        for scenario in table.scenarios or (experiment.scenario_of(arm),):
            met[scenario] = None
            game = experiment.spec_of(scenario)
            for (name, spec), share in product(table.agents.items(), table.shares):
                models = [str(bench.checkpoint(one, share)) for one in runs]
                shown = name if share == 1.0 else f"{name} at {100 * share:.0f} %"
                label = {"arm": arm.name, "scenario": scenario, "agent": shown}
                for opponent in table.opponents:
                    agents = [spec.replace(MODEL, model) for model in models]
                    yield label, [Pairing(game, a, opponent, table.games, seed) for a in agents]
    for scenario in met:
        for name, spec in table.others.items():
            for opponent in table.opponents:
                label = {"arm": "", "scenario": scenario, "agent": name}
                game = experiment.spec_of(scenario)
                yield label, [Pairing(game, spec, opponent, table.games, seed)]


def play_pairing(pairing: Pairing, named: Named) -> Row:
    """Return results and means of one run's games, and the first game."""
    game = load_game(pairing.game)
    agent = make_agent(pairing.agent, game)
    opponent = agent if pairing.opponent == ITSELF else make_agent(pairing.opponent, game)
    seed = derive_seed(pairing.seed, "behaviour", pairing.game, pairing.opponent)
    players = [agent] * game.num_seats if opponent is agent else [agent, opponent]
    match = play_match(game, players, pairing.games, seed, keep=True)
    row = _results(match.agents[0])
    if game.rules.measures is not None:
        row |= _means(named, measure_games(game, match.records), agent.spec)
    return {**row, "sample": format_record(match.records[0])}


def _over_runs(rows: Sequence[Row]) -> Row:
    """Average the runs of an arm; a single run keeps the intervals over its games."""
    if len(rows) == 1:
        return rows[0] | {"by_seed": [rows[0]["score"]], "measures_by_seed": {}}
    score = over_seeds([row["score"] for row in rows], share=True)
    measures = {
        name: over_seeds([row["measures"][name] for row in rows])
        for name in rows[0]["measures"]
        if all(row["measures"][name] is not None for row in rows)
    }
    return {
        "games": sum(row["games"] for row in rows),
        "wins": sum(row["wins"] for row in rows),
        "score": score["mean"],
        "low": score["low"],
        "high": score["high"],
        "by_seed": score["by_seed"],
        "points": round(mean(row["points"] for row in rows), 2),
        "decision_ms": round(mean(row["decision_ms"] for row in rows), 3),
        "by_seat": [
            {"seat": one["seat"], "games": sum(r["by_seat"][n]["games"] for r in rows),
             "score": round(mean(r["by_seat"][n]["score"] for r in rows), 4)}
            for n, one in enumerate(rows[0]["by_seat"])
        ],
        "measures": {name: found["mean"] for name, found in measures.items()},
        "reach": {name: found["high"] - found["mean"] for name, found in measures.items()},
        "measures_by_seed": {name: found["by_seed"] for name, found in measures.items()},
        "sides": {
            name: {
                key: round(mean(r["sides"][name][key] for r in rows if key in r["sides"][name]), 3)
                for key in dict.fromkeys(k for r in rows for k in r["sides"][name])
            }
            for name in rows[0]["sides"]
        },
        "sample": rows[0]["sample"],
    }  # fmt: skip


def compared(measured: Sequence[Row]) -> Iterator[Compared]:
    """Yield the arms' score and measures against each opponent, and those of their agents."""
    for found in measured:
        rows = [row for row in found["rows"] if row["arm"]]
        for fixed, varied in (("agent", "arm"), ("arm", "agent")):
            cells: dict[tuple[str, str, str], dict[str, Row]] = {}
            for row in rows:
                key = row[fixed], row["opponent"], row["scenario"]
                cells.setdefault(key, {})[row[varied]] = row
            for (who, opponent, scenario), several in cells.items():
                if len(several) > 1:
                    where = f"of {who} against `{opponent}` on {scenario}"
                    yield from _compare(where, several)


def _compare(where: str, rows: Mapping[str, Row]) -> Iterator[Compared]:
    yield Compared(f"score {where}", {name: row["by_seed"] for name, row in rows.items()})
    for measure in next(iter(rows.values()))["measures_by_seed"]:
        values = {name: row["measures_by_seed"].get(measure, []) for name, row in rows.items()}
        yield Compared(f"{measure} {where}", values)


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


def _means(named: Named, measured: Measures, agent: str) -> Row:
    own, whole = measured.by_agent.get(agent, {}), measured.by_agent.get(ALL_GAMES, {})
    found: Row = {"measures": {}, "reach": {}, "sides": {}}
    for name in named.plain:
        mean = own.get(name) or whole.get(name)
        found["measures"][name] = None if mean is None else round(mean.mean, 4)
        half = None if mean is None or mean.high is None else mean.high - mean.mean
        found["reach"][name] = None if half is None else round(half, 4)
    for name in named.by_side:
        # The side that the agent led, if the game tells; otherwise everybody's.
        found["sides"][name] = {
            key: round(mean.mean, 3)
            for key, mean in {**whole, **own}.items()
            if key.startswith(f"{name}/")
        }
    return found


def report(
    page: Report, tables: Sequence[Settings], measured: Sequence[Row], experiment: Experiment
) -> None:
    """Write every table, the values by side, the curves, and one game on its board."""
    for number, (table, found) in enumerate(zip(tables, measured, strict=True), start=1):
        rows: list[Row] = found["rows"]
        page.heading(table.title)
        page.paragraph(
            f"{table.games} games per run. The agent sits in each seat in turn, and the opponent "
            f"has all others. 95 % intervals are over runs (Student), or over games if there is "
            f"only one run. Times per decision are for batches of games. {table.note}".rstrip()
        )
        head = ["arm", "scenario", "agent", "opponent", "score", "interval", "by seat", "points"]
        page.table([*head, "ms per decision", *table.measures], [_line(table, row) for row in rows])
        for name in table.by_side:
            _add_sides(page, name, rows)
        for name in table.series:
            _add_series(page, experiment, name, rows, f"behaviour_{number}_{name}")
        _add_board(page, rows, f"behaviour_{number}")


def _line(table: Settings, row: Row) -> list[Cell]:
    seats = " / ".join(f"{one['score']:.2f}" for one in row["by_seat"])
    return [
        row["arm"], row["scenario"], row["agent"], row["opponent"], f"{row['score']:.3f}",
        f"{row['low']:.3f} to {row['high']:.3f}", seats, f"{row['points']:.1f}",
        f"{row['decision_ms']:.2f}",
        *(_with_reach(row, name) for name in table.measures),
    ]  # fmt: skip


def _add_sides(page: Report, name: str, rows: Sequence[Row]) -> None:
    """Add means of NAME/SIDE, with a column per side."""
    for scenario in dict.fromkeys(row["scenario"] for row in rows):
        here = [row for row in rows if row["scenario"] == scenario and row["sides"].get(name)]
        sides = dict.fromkeys(key.split("/")[1] for row in here for key in row["sides"][name])
        if not here:
            continue
        page.paragraph(f"{name} of each side on {scenario}, mean over games:")
        cells: list[list[Cell]] = [
            [row["arm"] or row["agent"], row["opponent"]]
            + [_short(row["sides"][name].get(f"{name}/{side}")) for side in sides]
            for row in here
        ]
        page.table(["who", "opponent", *sides], cells)


def _add_series(
    page: Report, experiment: Experiment, name: str, rows: Sequence[Row], stem: str
) -> None:
    """Add NAME/SIDE/rN over N: a figure per scenario and opponent, with a panel per side."""
    pairs = dict.fromkeys((row["scenario"], row["opponent"]) for row in rows)
    for number, (scenario, opponent) in enumerate(pairs, start=1):
        lines = {
            row["arm"] or row["agent"]: by_round(row["sides"].get(name) or {}).get(name, {})
            for row in rows
            if (row["scenario"], row["opponent"]) == (scenario, opponent)
        }
        if any(lines.values()):
            page.figure(
                f"{stem}_{number}",
                f"{name} of each side by round, against {opponent} on {scenario}",
                partial(_draw_series, name=name, lines=lines, spec=experiment.spec_of(scenario)),
            )


def _draw_series(file: Path, name: str, lines: Lines, spec: str) -> None:
    game = load_game(spec)
    draw_series(name, lines, by_round(game.rules.expected(game.scenario)).get(name, {}), file)


def _add_board(page: Report, rows: Sequence[Row], name: str) -> None:
    """Add the first network's first game, position by position."""
    if not rows:
        return
    record = parse_record(rows[0]["sample"], name)
    game = load_game(record.game)
    if game.rules.view is not None:
        page.figure(name, course_caption(record), partial(draw_course, game, record))


def _with_reach(row: Row, name: str) -> str:
    mean, half = row["measures"].get(name), row["reach"].get(name)
    return _short(mean) if mean is None or half is None else f"{mean:.3f} ± {half:.3f}"


def _short(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"
