"""Write LEADERBOARD.md from results/ladder and the rows in leaderboard/*.json.

    python experiments/leaderboard.py                     rewrite LEADERBOARD.md
    stratagem match ... --json > match.json
    python experiments/leaderboard.py add NAME match.json --command "stratagem match ..." \
        [--agent "what it is"] [--side 1] [--run RUN]    a row from a measured match
    python experiments/leaderboard.py again [NAME ...]   re-measure rows with their own commands

Numbers come from `stratagem match --json` and are never typed. A row names the commit that measured
it, so `add` and `again` refuse a checkout with uncommitted changes. Without names, `again` repeats
the old rows that were measured before this rule.
"""

from __future__ import annotations

import argparse
import datetime
import json
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stratagem.agents.assistance import bot_at_play
from stratagem.agents.shipped import KINDS, shipped
from stratagem.core.errors import StratagemError
from stratagem.core.registry import load_game
from stratagem.experiments.ladder import FOLDER as LADDER
from stratagem.experiments.ladder import read_ladders
from stratagem.experiments.ladder_tables import ladder_section
from stratagem.experiments.publish import clean_commit, results_folder
from stratagem.runs.folder import RunFolder

FOLDER = Path(__file__).resolve().parent
ROWS = (
    "experiments/leaderboard",
    "experiments/LEADERBOARD.md",
    "results",
)  # what adding a row changes
HEAD = """# Leaderboard

This page is generated from the files in `results/ladder/` and `experiments/leaderboard/` by
`python experiments/leaderboard.py`: do not edit it.

A ladder rates all players of a scenario on one scale (`stratagem ladder GAME/SCENARIO`). The column
"help" says what an agent had besides its own games: nothing ("from scratch"), a teacher, bots as
training partners, or a bot that it asks during play.
"""
MATCHES = """## Single matches

Each row is one match. The score is (wins + draws / 2) / games, with a 95 % Wilson interval. The
column "commit" names the code that played; a + marks uncommitted changes, which are no longer
accepted. The column "training" gives the budget, preset, seed and commit of the agent's run. With
more than two seats, the score counts sole first places, and an even score is one divided by the
number of seats. Results by seat have been recorded since 2026-11-18.
"""
COLUMNS = (
    "game", "agent", "opponent", "score", "95 % interval", "games", "won / drawn / lost by seat",
    "note", "training", "date", "commit", "command",
)  # fmt: skip
RESULTS = ("wins", "draws", "losses")


def row_from_match(
    match: dict[str, Any], agent: str, command: str, commit: str, side: int = 0
) -> dict[str, Any]:
    """What a row keeps of a match between two agents: one side of it."""
    mine, other = match["agents"][side], match["agents"][1 - side]
    return {
        "game": match["game"],
        "agent": agent or mine["spec"],
        "opponent": other["spec"],
        "games": match["games"],
        "score": mine["score"],
        "wilson": mine["wilson"],
        "by_seat": [[one[key] for key in RESULTS] for one in mine.get("by_seat", ())],
        "command": command,
        "date": datetime.date.today().isoformat(),
        "commit": commit,
    }


def training_of(run: Path) -> dict[str, Any]:
    """Seed, budget, preset and commit of the run that a checkpoint comes from."""
    folder = RunFolder.open(run)
    settings = folder.settings()
    kept = ("seed", "preset", "budget_seconds", "iterations")
    return {**{key: settings[key] for key in kept}, "commit": folder.provenance().commit}


def render(rows: list[dict[str, Any]], ladders: Sequence[dict[str, Any]] = ()) -> str:
    """The whole page: ladders, then matches, strongest first within a game and opponent."""
    ordered = sorted(rows, key=lambda row: (row["game"], row["opponent"], -row["score"]))
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    for row in ordered:
        low, high = row["wilson"]
        cells = [
            row["game"], f"`{row['agent']}`", f"`{row['opponent']}`", f"{row['score']:.3f}",
            f"{low:.3f} to {high:.3f}", str(row["games"]),
            ", ".join(" / ".join(map(str, seat)) for seat in row.get("by_seat", ())),
            note_of(row), _training(row.get("training")),
            row["date"], row["commit"], f"`{row['command']}`",
        ]  # fmt: skip
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    sections = [ladder_section(ladder) for ladder in ladders]
    return "\n".join([HEAD, *sections, MATCHES, *lines]) + "\n"


def note_of(row: dict[str, Any]) -> str:
    """What a reader has to know: whether a scripted player helps, and what parity is."""
    game = load_game(row["game"])
    notes = [row["note"]] if "note" in row else []
    spec = shipped(game, kind=row["agent"]) if row["agent"] in KINDS else None
    helper = bot_at_play(spec, game) if spec else ""
    if helper:
        notes.append(f"hybrid: `{helper}` helps the network during play")
    if game.num_seats > 2:
        notes.append(f"one of {game.num_seats} seats, parity {1 / game.num_seats:.2f}")
    return "; ".join(notes)


def read_rows(folder: Path) -> list[dict[str, Any]]:
    """All rows, in the order of their files' names."""
    return [json.loads(file.read_text()) for file in sorted(folder.glob("*.json"))]


def _training(training: dict[str, Any] | None) -> str:
    if training is None:
        return ""
    length = (
        f"{training['budget_seconds'] / 60:g} min"
        if training["budget_seconds"]
        else f"{training['iterations']} iterations"
    )
    return f"{length}, preset {training['preset']}, seed {training['seed']}, {training['commit']}"


def add_row(arguments: argparse.Namespace) -> None:
    """A row from the JSON of a match."""
    match = json.loads(arguments.match.read_text())
    commit = clean_commit(ROWS)
    row = row_from_match(match, arguments.agent, arguments.command, commit, arguments.side)
    if arguments.run is not None:
        row["training"] = training_of(arguments.run)
    _write(arguments.name, row)


def measure_again(names: list[str]) -> None:
    """Play the matches of rows anew and replace their numbers."""
    commit = clean_commit(ROWS)
    changed = [
        file.stem
        for file in sorted((FOLDER / "leaderboard").glob("*.json"))
        if json.loads(file.read_text())["commit"].endswith("+")
    ]
    for name in names or changed:
        old = json.loads((FOLDER / "leaderboard" / f"{name}.json").read_text())
        command = [*shlex.split(old["command"]), "--json"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        match = json.loads(done.stdout)
        (side,) = (n for n in (0, 1) if match["agents"][1 - n]["spec"] == old["opponent"])
        row = row_from_match(match, old["agent"], old["command"], commit, side)
        row |= {key: old[key] for key in ("training", "note") if key in old}
        _write(name, row)
        sys.stdout.write(f"{name}: {old['score']:.3f} -> {row['score']:.3f}\n")


def _write(name: str, row: dict[str, Any]) -> None:
    (FOLDER / "leaderboard" / f"{name}.json").write_text(json.dumps(row, indent=2) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    kinds = parser.add_subparsers(dest="kind")
    add = kinds.add_parser("add", help="add a row from the JSON of a match")
    add.add_argument("name", help="file name of the row, without .json")
    add.add_argument("match", type=Path, help="what `stratagem match --json` printed")
    add.add_argument("--command", required=True, help="the command that measured it")
    add.add_argument("--agent", default="", help="what to call it; default: its spec")
    add.add_argument("--side", type=int, choices=(0, 1), default=0, help="whose row it is")
    add.add_argument("--run", type=Path, help="the training run that the agent comes from")
    again = kinds.add_parser("again", help="measure rows again")
    again.add_argument("names", nargs="*", help="rows; default: those of changed checkouts")
    arguments = parser.parse_args()
    try:
        if arguments.kind == "add":
            add_row(arguments)
        elif arguments.kind == "again":
            measure_again(arguments.names)
    except StratagemError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    ladders = read_ladders(results_folder() / LADDER)
    (FOLDER / "LEADERBOARD.md").write_text(render(read_rows(FOLDER / "leaderboard"), ladders))
    return 0


if __name__ == "__main__":
    sys.exit(main())
