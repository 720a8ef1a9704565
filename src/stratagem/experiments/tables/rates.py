"""Tables `[[rates]]`: wins, draws and losses of each arm's last network, seat by seat.

The paper's own percentages are listed beside ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pydantic import Field

from stratagem.agents.spec import make_agent
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seed
from stratagem.evaluate.curves import Curve
from stratagem.evaluate.drawing.charts import draw_curves
from stratagem.evaluate.intervals import wilson
from stratagem.evaluate.matches import play_match
from stratagem.evaluate.reports import Cell, Report, digits
from stratagem.experiments.definition import MODEL, SIZE, Experiment, NetworkTable
from stratagem.experiments.exhibit import Part
from stratagem.experiments.findings import Compared, over_seeds
from stratagem.experiments.measuring import Bench, Measuring, Row, Wanted


class PaperRate(Part):
    """A cell of the paper's table, in percent."""

    agent: str = Field(description="label of the agent")
    player: int = Field(ge=1, description="seat, counted from 1")
    win: float = Field(ge=0, le=100)
    draw: float = Field(0.0, ge=0, le=100)
    loss: float = Field(0.0, ge=0, le=100)
    arm: str = Field("", description="of this arm only; empty: of every arm")
    scenario: str = Field("", description="of this scenario only; empty: of every scenario")


class AgainstOne(NetworkTable):
    """A table in which everybody meets the same opponent, seat by seat."""

    opponent: str = Field(description="agent spec of the opponent")
    players: tuple[int, ...] = Field((1, 2), min_length=1, description="seats, counted from 1")


class Settings(AgainstOne):
    """Results of every arm, agent, scenario and seat against one opponent."""

    scenarios: tuple[str, ...] = Field(
        (), description="boards to play on, by name; empty: the arm's own"
    )
    games: int = Field(250, ge=1, description="of each cell")
    axis: str = Field("", description="name of what changes along the scenarios: draws a figure")
    paper: tuple[PaperRate, ...] = Field((), description="what the paper has")

    def paper_rate(self, row: Row) -> PaperRate | None:
        """Return the paper's cell for one of our rows, if it has one."""
        for cell in self.paper:
            fits = cell.arm in ("", row["arm"]) and cell.scenario in ("", row["scenario"])
            if fits and (cell.agent, cell.player) == (row["agent"], row["player"]):
                return cell
        return None


@dataclass(frozen=True)
class Pairing:
    """A network's agent in a seat of a scenario against an opponent."""

    game: str
    agent: str  # agent spec
    opponent: str
    player: int  # counted from 1
    games: int
    seed: int


@dataclass(frozen=True)
class Met:
    """A cell of a table: its label, and a pairing for each run of its arm."""

    label: Row
    pairings: Sequence[Pairing]


def measure(tables: Sequence[Settings], bench: Bench) -> Measuring[list[Row]]:
    """Measure every table and return its rows."""
    asked = [_cells(table, bench) for table in tables]
    played = yield [wanted("rates", cells) for cells in asked]
    return [
        headed(table, table.games, _rows(table, cells, rows))
        for table, cells, rows in zip(tables, asked, played, strict=True)
    ]


def headed(table: AgainstOne, games: int, rows: list[Row]) -> Row:
    """Return the result of one table."""
    return {"title": table.title, "opponent": table.opponent, "games": games, "rows": rows}


def _cells(table: Settings, bench: Bench) -> list[Met]:
    """Return a cell for each arm, scenario, agent and seat."""
    cells = []
    for label, specs in _players(table, bench):
        game = bench.experiment.spec_of(label["scenario"])
        for player in table.players:
            pairings = [
                Pairing(game, spec, table.opponent, player, table.games, bench.call.seed)
                for spec in specs
            ]
            cells.append(Met({**label, "player": player}, pairings))
    return cells


def _rows(table: Settings, cells: Sequence[Met], played: Sequence[Row]) -> list[Row]:
    rows = rates_of(cells, played)
    for row in rows:
        theirs = table.paper_rate(row)
        row["paper"] = theirs and theirs.model_dump(include={"win", "draw", "loss"})
    return rows


def _players(table: Settings, bench: Bench) -> Iterator[tuple[Row, list[str]]]:
    """Yield (label, agent spec of each run): networks by arm, then players without one."""
    experiment = bench.experiment
    met: dict[str, None] = dict.fromkeys(table.scenarios)
    for arm, runs in bench.arms(table):
        models = [str(bench.checkpoint(one)) for one in runs]
        for scenario in table.scenarios or (experiment.scenario_of(arm),):
            met[scenario] = None
            for name, spec in table.agents.items():
                filled = spec.replace(SIZE, f"{size_of(scenario):.0f}")
                label = {"arm": arm.name, "scenario": scenario, "agent": name}
                yield label, [filled.replace(MODEL, model) for model in models]
    for scenario in met:
        for name, spec in table.others.items():
            yield {"arm": "", "scenario": scenario, "agent": name}, [spec]


def wanted(what: str, cells: Sequence[Met]) -> Wanted:
    """Return all games of some cells."""
    return Wanted(what, play_pairing, [(one,) for cell in cells for one in cell.pairings])


def rates_of(cells: Sequence[Met], played: Sequence[Row]) -> list[Row]:
    """Return counts and shares of every cell; `played` has a row for each pairing, in order."""
    rows = iter(played)
    return [cell.label | _over_runs([next(rows) for _ in cell.pairings]) for cell in cells]


def _over_runs(counts: Sequence[Row]) -> Row:
    """Return all games of a group, and the win rate over its runs."""
    total = {key: sum(one[key] for one in counts) for key in ("games", "wins", "draws", "losses")}
    alone = wilson(total["wins"] / total["games"], total["games"])
    found = over_seeds([one["wins"] / one["games"] for one in counts], alone, share=True)
    return {**total, "win": found.pop("mean"), **found}


def play_pairing(pairing: Pairing) -> Row:
    """Return the agent's results in its seat; the opponent plays every other seat."""
    game = load_game(pairing.game)
    seat = pairing.player - 1
    players = [
        make_agent(pairing.agent if number == seat else pairing.opponent, game)
        for number in range(game.num_seats)
    ]
    # The same games for every player, so that rows can be compared.
    seed = derive_seed(pairing.seed, "rates", pairing.game, pairing.player)
    tally = play_match(game, players, pairing.games, seed, seats="fixed").agents[seat].tally
    return {
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
    }


def compared(measured: Sequence[Row]) -> Iterator[Compared]:
    """Yield the wins of the arms in each cell."""
    for found in measured:
        cells: dict[tuple[str, str, int], dict[str, list[float]]] = {}
        for row in found["rows"]:
            if row["arm"]:
                key = row["scenario"], row["agent"], row["player"]
                cells.setdefault(key, {})[row["arm"]] = row["by_seed"]
        for (scenario, agent, player), values in cells.items():
            where = (
                f"wins of {agent} against `{found['opponent']}` as player {player} on {scenario}"
            )
            yield Compared(where, values, 100.0, "percentage points")


def report(
    page: Report, tables: Sequence[Settings], measured: Sequence[Row], experiment: Experiment
) -> None:
    """Write every table, and a figure over scenarios if it has an axis."""
    for number, (table, found) in enumerate(zip(tables, measured, strict=True), start=1):
        _add_table(page, table, found["rows"])
        if table.axis:
            curves, title, axis = axis_curves(table, found["rows"]), table.title, table.axis
            text = f"{title}: wins by {axis}"
            page.figure(
                f"rates_{number}",
                text,
                partial(_draw, curves=curves, title=title, axis=axis),
            )


def _draw(file: Path, curves: Sequence[Curve], title: str, axis: str) -> None:
    draw_curves(curves, file, title, axis, "share of games won")


def _add_table(page: Report, table: Settings, rows: Sequence[Row]) -> None:
    page.heading(table.title)
    page.paragraph(
        f"Percent of {table.games} games per run against `{table.opponent}`. 95 % intervals are "
        f"over runs (Student), but never narrower than over all games (Wilson). "
        f"{table.note}".rstrip()
    )
    with_paper = any(row["paper"] for row in rows)
    head = ["arm", "scenario", "agent", "player", "runs", "win", "interval", "draw", "loss"]
    cells: list[list[Cell]] = []
    for row in rows:
        line: list[Cell] = [
            row["arm"], row["scenario"], row["agent"], row["player"], len(row["by_seed"]),
            _percent(row["win"]), " to ".join(map(_percent, interval_of(row))),
            _percent(row["draws"] / row["games"]), _percent(row["losses"] / row["games"]),
        ]  # fmt: skip
        if with_paper:
            theirs = row["paper"] or {}
            line += [digits(theirs.get(key), 1) for key in ("win", "draw", "loss")]
        cells.append(line)
    page.table(head + (["paper: win", "paper: draw", "paper: loss"] if with_paper else []), cells)


def interval_of(row: Row) -> tuple[float, float]:
    """Return the win rate's interval; two runs that agree by chance do not make it narrower."""
    low, high = wilson(row["wins"] / row["games"], row["games"])
    return min(low, row["low"]), max(high, row["high"])


def axis_curves(table: Settings, rows: Sequence[Row]) -> list[Curve]:
    """Return wins over the number in the scenarios' names, a curve per arm, agent and seat."""
    curves = []
    for arm, agent, player in dict.fromkeys((r["arm"], r["agent"], r["player"]) for r in rows):
        mine = [r for r in rows if (r["arm"], r["agent"], r["player"]) == (arm, agent, player)]
        label = f"{arm}, {agent}" + (f", player {player}" if len(table.players) > 1 else "")
        label = label.removeprefix(", ")
        curves.append(win_curve(label, [size_of(row["scenario"]) for row in mine], mine))
    return curves


def win_curve(label: str, x: Sequence[float], rows: Sequence[Row]) -> Curve:
    """Return win rates with their intervals."""
    wins = tuple(row["win"] for row in rows)
    low, high = zip(*map(interval_of, rows), strict=True)
    return Curve(label, tuple(x), wins, low, high)


def size_of(scenario: str) -> float:
    """Return the number in a scenario's name, such as 12 in randomized-12."""
    found = re.search(r"-(\d+)", scenario)
    return float(found.group(1)) if found else 0.0


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"
