"""Tables `[[rates]]`: wins, draws and losses of each arm's last network, seat by seat.

The paper's own percentages are data beside ours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

import torch
from pydantic import Field

from stratagem.agents.spec import make_agent
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seed
from stratagem.evaluate.curves import Curve
from stratagem.evaluate.drawing.charts import draw_curves
from stratagem.evaluate.intervals import wilson
from stratagem.evaluate.match_result import Tally
from stratagem.evaluate.matches import play_match
from stratagem.evaluate.reports import Cell, Report
from stratagem.experiments.arms import Part
from stratagem.experiments.definition import MODEL, NetworkTable
from stratagem.experiments.measuring import Bench, Row
from stratagem.experiments.training import TrainedArm


class PaperRate(Part):
    """A cell of the paper's table, in percent."""

    agent: str = Field(description="label of the agent")
    player: int = Field(ge=1, description="seat, counted from 1")
    win: float = Field(ge=0, le=100)
    draw: float = Field(0.0, ge=0, le=100)
    loss: float = Field(0.0, ge=0, le=100)
    arm: str = Field("", description="of this arm only; empty: of every arm")
    scenario: str = Field("", description="of this scenario only; empty: of every scenario")


class Settings(NetworkTable):
    """Results of every arm, agent, scenario and seat against one opponent."""

    opponent: str = Field(description="agent spec of who is met")
    players: tuple[int, ...] = Field((1, 2), min_length=1, description="seats, counted from 1")
    scenarios: tuple[str, ...] = Field(
        (), description="boards to play on, by name; empty: the arm's own"
    )
    games: int = Field(250, ge=1, description="of each cell")
    axis: str = Field("", description="name of what changes along the scenarios: draws a figure")
    paper: tuple[PaperRate, ...] = Field((), description="what the paper has")

    def paper_rate(self, row: Row) -> PaperRate | None:
        """The paper's cell of one of our rows, if it has one."""
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


def measure(tables: Sequence[Settings], bench: Bench) -> list[Row]:
    """Every table with its rows."""
    return [
        {
            "title": table.title,
            "opponent": table.opponent,
            "games": table.games,
            "rows": [
                row
                for arm in bench.trained
                if table.has_arm(arm.arm)
                for row in _rows(table, arm, bench)
            ],
        }
        for table in tables
    ]


def _rows(table: Settings, arm: TrainedArm, bench: Bench) -> list[Row]:
    name, rows = arm.arm.name, []
    checkpoint = str(bench.checkpoint(arm))
    for scenario in table.scenarios or (bench.experiment.scenario_of(arm.arm),):
        game = bench.experiment.spec_of(scenario)
        for label, spec in table.agents.items():
            for player in table.players:
                agent = spec.replace(MODEL, checkpoint)
                row: Row = {"arm": name, "scenario": scenario, "agent": label, "player": player}
                row |= rates_of(
                    Pairing(game, agent, table.opponent, player, table.games, bench.call.seed),
                    bench,
                )
                theirs = table.paper_rate(row)
                row["paper"] = theirs and theirs.model_dump(include={"win", "draw", "loss"})
                bench.call.progress(
                    f"{name} {label} player {player} of {scenario}: wins {row['win']:.3f}"
                )
                rows.append(row)
    return rows


def rates_of(pairing: Pairing, bench: Bench) -> Row:
    """Play a pairing, or read what it gave the last time."""

    def play(file: Path) -> Row:
        tally = play_pairing(pairing)
        low, high = wilson(tally.wins / tally.games, tally.games)
        return {
            "games": tally.games,
            "wins": tally.wins,
            "draws": tally.draws,
            "losses": tally.losses,
            "win": round(tally.wins / tally.games, 4),
            "low": round(low, 4),
            "high": round(high, 4),
        }

    return bench.once("rates", astuple(pairing), play)


def play_pairing(pairing: Pairing) -> Tally:
    """The agent's results in its seat; every other seat is the opponent's."""
    torch.set_num_threads(1)  # several threads stalled on a busy machine (experiments/LOG.md)
    game = load_game(pairing.game)
    seat = pairing.player - 1
    players = [
        make_agent(pairing.agent if number == seat else pairing.opponent, game)
        for number in range(game.num_seats)
    ]
    # The same games whoever plays them, so that rows can be compared.
    seed = derive_seed(pairing.seed, "rates", pairing.game, pairing.player)
    result = play_match(game, players, pairing.games, seed, seats="fixed")
    return result.agents[seat].tally


def report(page: Report, tables: Sequence[Settings], measured: list[Row], bench: Bench) -> None:
    """Every table, and a figure over scenarios where it has an axis."""
    for number, (table, found) in enumerate(zip(tables, measured, strict=True), start=1):
        _add_table(page, table, found["rows"])
        if table.axis:
            file = bench.call.out / f"rates_{number}.png"
            curves = axis_curves(table, found["rows"])
            draw_curves(curves, file, table.title, table.axis, "share of games won")
            page.picture(file, f"{table.title}: wins by {table.axis}, with Wilson's 95 % interval")


def _add_table(page: Report, table: Settings, rows: Sequence[Row]) -> None:
    page.heading(table.title)
    page.paragraph(
        f"Against `{table.opponent}`, {table.games} games a row, percentages; the interval is "
        f"Wilson's 95 % interval of the wins. {table.note}".rstrip()
    )
    with_paper = any(row["paper"] for row in rows)
    head = ["arm", "scenario", "agent", "player", "win", "interval", "draw", "loss"]
    cells: list[list[Cell]] = []
    for row in rows:
        line: list[Cell] = [
            row["arm"], row["scenario"], row["agent"], row["player"], _percent(row["win"]),
            f"{_percent(row['low'])} to {_percent(row['high'])}",
            _percent(row["draws"] / row["games"]), _percent(row["losses"] / row["games"]),
        ]  # fmt: skip
        if with_paper:
            theirs = row["paper"] or {}
            line += [_one_digit(theirs.get(key)) for key in ("win", "draw", "loss")]
        cells.append(line)
    page.table(head + (["paper's win", "draw", "loss"] if with_paper else []), cells)


def axis_curves(table: Settings, rows: Sequence[Row]) -> list[Curve]:
    """Wins over the number in the scenarios' names, a curve for each arm, agent and seat."""
    curves = []
    for arm, agent, player in dict.fromkeys((r["arm"], r["agent"], r["player"]) for r in rows):
        mine = [r for r in rows if (r["arm"], r["agent"], r["player"]) == (arm, agent, player)]
        label = f"{arm}, {agent}" + (f", player {player}" if len(table.players) > 1 else "")
        curves.append(win_curve(label, [size_of(row["scenario"]) for row in mine], mine))
    return curves


def win_curve(label: str, x: Sequence[float], rows: Sequence[Row]) -> Curve:
    """Shares of wins with their intervals."""
    columns = [tuple(row[key] for row in rows) for key in ("win", "low", "high")]
    return Curve(label, tuple(x), *columns)


def size_of(scenario: str) -> float:
    """The number in a scenario's name, such as 12 of randomized-12."""
    found = re.search(r"-(\d+)", scenario)
    return float(found.group(1)) if found else 0.0


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _one_digit(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"
