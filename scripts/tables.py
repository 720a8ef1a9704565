"""Rewrite the generated tables of the documentation: `python scripts/tables.py [--check]`.

A generated table is between `<!-- table: NAME -->` and `<!-- end -->`. Its content comes from
elsewhere: a game's game.toml, a settings model, the result of an experiment. With --check nothing
is written, and the exit code says whether every page is up to date.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from command_tables import commands_section
from outside_tables import outside_rows
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from scaling_tables import (
    Rows,
    cost_rows,
    experiment_rows,
    model_rows,
    prediction_rows,
    process_rows,
    worker_rows,
)

from stratagem.agents.shipped import default_opponent
from stratagem.core.registry import list_games, load_game
from stratagem.experiments.ladder import FOLDER as LADDER
from stratagem.experiments.ladder import read_ladders
from stratagem.experiments.ladder_tables import strength_table
from stratagem.experiments.publish import results_folder
from stratagem.nets.build import network_kinds
from stratagem.search.settings import SearchSettings
from stratagem.train.alphazero.settings import Settings
from stratagem.train.hdqn.settings import Settings as HdqnSettings
from stratagem.train.ppo.settings import Settings as PpoSettings

ROOT = Path(__file__).resolve().parent.parent
LEADERBOARD = ROOT / "experiments" / "leaderboard"
_BLOCK = re.compile(r"<!-- table: ([\w-]+) -->\n.*?<!-- end -->", re.DOTALL)


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def games_table() -> str:
    """Every game with its seats, scenarios and what its rules were checked against."""
    os.environ.pop("STRATAGEM_GAMES", None)  # only what this package ships
    rows = [
        (
            f"[{about.title}](../games/{about.name}.md)",
            about.seats,
            _some(scenarios),
            about.checked_by,
        )
        for about, scenarios in list_games()
    ]
    return markdown(("game", "seats", "scenarios", "rules checked by"), rows)


def headlines_table() -> str:
    """Every game with what ships for it against the hardest opponent on the leaderboard."""
    os.environ.pop("STRATAGEM_GAMES", None)  # only what this package ships
    rows = [json.loads(file.read_text()) for file in sorted(LEADERBOARD.glob("*.json"))]
    lines = []
    for about, scenarios in list_games():
        first = [row for row in rows if row["game"] == f"{about.name}/{scenarios[0]}"]
        strongest = default_opponent(load_game(f"{about.name}/{scenarios[0]}"))
        met = [row for row in first if row["agent"] == strongest]
        lines.append(
            (
                f"[{about.title}](docs/games/{about.name}.md)",
                about.seats,
                str(len(scenarios)),
                _headline(min(met, key=lambda row: float(row["score"]))) if met else "",
            )
        )
    return markdown(
        ("game", "seats", "scenarios", "strongest player against its toughest opponent"), lines
    )


def _headline(row: dict[str, Any]) -> str:
    low, high = row["wilson"]
    seats = load_game(row["game"]).num_seats
    parity = f", parity {1 / seats:.2f}" if seats > 2 else ""
    helped = " (a hybrid: the bot helps it)" if row["agent"] == "best-hybrid" else ""
    return (
        f"{row['score']:.2f} ({low:.2f} to {high:.2f}{parity}) against `{row['opponent']}`, "
        f"{row['games']} games{helped}"
    )


def _some(scenarios: Sequence[str], shown: int = 6) -> str:
    listed = ", ".join(f"`{scenario}`" for scenario in scenarios[:shown])
    return listed + (f" and {len(scenarios) - shown} more" if len(scenarios) > shown else "")


def experiments_table() -> str:
    """Every experiment that the package ships, with its kind and the arms it trains."""
    rows = []
    for file in sorted((ROOT / "src" / "stratagem" / "games").glob("*/experiments/*.toml")):
        about = tomllib.loads(file.read_text())
        game = file.parent.parent.name.replace("_", "-")
        kind = about.get("kind", "arms")
        names = [arm if isinstance(arm, str) else arm["name"] for arm in about.get("arms", ())]
        arms = ", ".join(f"`{name}`" for name in names)
        rows.append((f"`{game}/{file.stem}`", about["title"], f"`{kind}`", arms))
    return markdown(("experiment", "what it shows", "kind", "arms"), rows)


def settings_table(model: type[BaseModel]) -> str:
    """Every key of a settings model with its default and meaning."""
    rows = [
        (f"`{key}`", _default(field), field.description or "")
        for key, field in settings_fields(model)
    ]
    return markdown(("setting", "default", "meaning"), rows)


def settings_fields(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, FieldInfo]]:
    """Every plain value by its full key; the search has a page of its own."""
    for name, field in model.model_fields.items():
        kind = field.annotation
        if kind is SearchSettings:
            continue
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from settings_fields(kind, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", field


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return ""
    value = field.get_default(call_default_factory=True)
    if isinstance(value, tuple):
        return ", ".join(f"`{one}`" for one in value)
    return f"`{value}`" if value not in ("", {}) else ""


def networks_table() -> str:
    """Every setting of every kind of network."""
    rows = []
    for kind in network_kinds():
        model = importlib.import_module(f"stratagem.nets.kinds.{kind}").Settings
        for key, field in settings_fields(model):
            rows.append((f"`{kind}`", f"`{key}`", _default(field), field.description or ""))
    return markdown(("kind", "setting", "default", "meaning"), rows)


def experiment_result(name: str) -> dict[str, Any]:
    """What `stratagem experiment` wrote as result.json, kept under results/."""
    file = ROOT / "results" / f"{name}.json"
    result: dict[str, Any] = json.loads(file.read_text())
    return result


def training_table(name: str) -> str:
    """Every arm of an experiment of the kind `repeats`: means over its runs."""
    result = experiment_result(name)
    arms = result["arms"]
    (baseline,) = (arm["title"] for arm in arms if arm["arm"] == result["baseline"])
    measures = [c for m in arms[0]["measures"] for c in (f"`{m}`", f"above {baseline}")]
    rows = []
    for arm in arms:
        found = [
            _with_interval(cell)
            for measure in arm["measures"].values()
            for cell in (measure, measure["above_baseline"])
        ]
        paper = "" if arm["paper"] is None else str(arm["paper"])
        rows.append((arm["title"], str(arm["runs"]), *found, paper))
    return markdown(("agent", "runs", *measures, "thesis"), rows)


def _with_interval(found: dict[str, Any] | None) -> str:
    if found is None:
        return ""
    interval = "" if found["low"] is None else f" ({found['low']:.1f} to {found['high']:.1f})"
    return f"{found['mean']:.2f}{interval}"


def ranking_table(name: str) -> str:
    """The final order of an experiment of the kind `league`, in percent of games won."""
    result = experiment_result(name)
    rows = [
        (
            str(row["rank"]),
            result["players"][row["arm"]]["title"],
            f"{100 * row['win_rate']:.1f} ({100 * row['low']:.0f} to {100 * row['high']:.0f})",
            "" if row["paper"] is None else f"{100 * row['paper']:.0f}",
            f"{100 * row['first']:.0f}",
            f"{100 * row['second']:.0f}",
            f"{row['rating']:.0f} ({row['rating_low']:.0f} to {row['rating_high']:.0f})",
            f"{mean(result['players'][row['arm']]['scores'].values()):.2f}",
            f"{result['players'][row['arm']]['score']:.2f}",
        )
        for row in result["ranking"]
    ]
    header = (
        "", "agent", "won, %", "thesis", "in the first seat", "in the second", "rating",
        "all runs", "this run",
    )  # fmt: skip
    return markdown(header, rows)


def scaling_table(header: Sequence[str], rows: Callable[[dict[str, Any]], Rows]) -> str:
    """One of the tables of what `benchmarks/scaling.py` measured."""
    return markdown(header, rows(experiment_result("scaling")))


_SHARES = ("holding", "critical", "best")


def optimality_table(name: str) -> str:
    """The shares of optimal moves that `stratagem optimality --publish` measured."""
    result = experiment_result(name)
    rows = [
        (f"`{row['agent']}`", f"`{source['games']}`", *map(_share, (row[k] for k in _SHARES)))
        for source in result["sources"]
        for row in source["agents"]
    ]
    header = (
        "agent",
        "positions from games of",
        "keeps the result",
        "where it could fail",
        "best move",
    )
    return markdown(header, rows)


def _share(found: dict[str, Any]) -> str:
    low, high = found["wilson"]
    return f"{found['share']:.3f} ({low:.3f} to {high:.3f}) of {found['positions']:,}"


TABLES: dict[str, Callable[[], str]] = {
    "experiments": experiments_table,
    "commands": commands_section,
    "games": games_table,
    "headlines": headlines_table,
    "outside": lambda: markdown(("measured", "result"), outside_rows()),
    "network-settings": networks_table,
    "connect-four-optimality": lambda: optimality_table("connect_four-optimality"),
    "strength": lambda: strength_table(read_ladders(results_folder() / LADDER)),
    "search-settings": lambda: settings_table(SearchSettings),
    "train-settings": lambda: settings_table(Settings),
    "hdqn-settings": lambda: settings_table(HdqnSettings),
    "ppo-settings": lambda: settings_table(PpoSettings),
    "scaling-workers": lambda: scaling_table(
        ("workers", "decisions per second", "relative to one thread"), worker_rows
    ),
    "scaling-processes": lambda: scaling_table(("processes", ""), process_rows),
    "scaling-costs": lambda: scaling_table(("part", "cost"), cost_rows),
    "scaling-experiments": lambda: scaling_table(
        ("machines", "runs at once", "of the ideal"), experiment_rows
    ),
    "scaling-model": lambda: scaling_table(
        ("workers", "measured, decisions per second", "model", "error"), model_rows
    ),
    "scaling-predictions": lambda: scaling_table(
        ("machines", "GPUs", "mode", "decisions per second", "of the ideal", "bottleneck"),
        prediction_rows,
    ),
    "catan-training": lambda: training_table("catan-training"),
    "catan-tournament": lambda: ranking_table("catan-tournament"),
    "catan-orchestrators": lambda: training_table("catan-orchestrators"),
    "catan-orchestrators-league": lambda: ranking_table("catan-orchestrators-league"),
}


def render(text: str) -> str:
    """A page with its tables regenerated."""

    def replace(match: re.Match[str]) -> str:
        name = match.group(1)
        return f"<!-- table: {name} -->\n{TABLES[name]()}\n<!-- end -->"

    return _BLOCK.sub(replace, text)


def pages() -> list[Path]:
    """Every page that may contain a generated table."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def main() -> int:
    check = "--check" in sys.argv[1:]
    stale = []
    for page in pages():
        old = page.read_text()
        new = render(old)
        if new != old:
            stale.append(page.relative_to(ROOT))
            if not check:
                page.write_text(new)
    for page in stale:
        sys.stdout.write(f"{'stale' if check else 'written'}: {page}\n")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
