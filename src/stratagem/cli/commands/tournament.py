"""`stratagem tournament`: plays and rates everybody against everybody."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stratagem.backend.choose import make_backend
from stratagem.cli.options import (
    MOST_GAMES,
    AddressOption,
    AgentsArgument,
    BackendOption,
    DeviceOption,
    GameArgument,
    JsonOption,
    SeedOption,
)
from stratagem.cli.output import print_forfeits, print_json, print_line, print_table
from stratagem.cli.progress import ProgressLine, time_left, while_compiling
from stratagem.core.files import check_folder
from stratagem.core.registry import load_game

if TYPE_CHECKING:
    from stratagem.evaluate.tournaments import PairResult, Tournament


def command(
    game: GameArgument,
    agents: AgentsArgument,
    out: Annotated[
        Path, typer.Option("--out", help="Folder for report.md, pictures and tournament.json.")
    ],
    games: Annotated[
        int, typer.Option("--games", min=1, max=MOST_GAMES, help="Games per pair.")
    ] = 100,
    seed: SeedOption = 0,
    backend: BackendOption = "threads",
    address: AddressOption = "",
    device: DeviceOption = "auto",
    as_json: JsonOption = False,
) -> None:
    """Play a round robin and write an illustrated report with ratings."""
    from stratagem.evaluate import play_tournament
    from stratagem.evaluate.tournament_report import write_tournament

    loaded = load_game(game)
    check_folder(out)

    pairs = len(agents) * (len(agents) - 1) // 2
    points = dict.fromkeys(agents, 0.0)
    finished = 0

    def describe(spent: float) -> str:
        left = time_left(spent, finished / pairs) or "the first are playing"
        leader = max(points, key=lambda spec: points[spec])
        ahead = f", ahead: {leader} with {points[leader]:g} points" if finished else ""
        return f"{finished} of {pairs} pairs{ahead}, {left}"

    line = ProgressLine(while_compiling(loaded, describe))

    def on_pair(pair: PairResult, done: int, total: int) -> None:
        nonlocal finished
        finished = done
        first, second = agents[pair.first], agents[pair.second]
        points[first] += sum(pair.scores)
        points[second] += pair.games - sum(pair.scores)
        line.note(f"[{done}/{total}] {first} against {second}: {pair.score:.3f}")

    with closing(make_backend(backend, address)) as chosen, line:
        result = play_tournament(loaded, agents, games, seed, on_pair, backend=chosen)
    report = write_tournament(result, out)
    if as_json:
        print_json(result.as_json())
    else:
        _print(result)
        for pair in result.pairs:
            for player, lost in zip((pair.first, pair.second), pair.forfeits, strict=True):
                print_forfeits(agents[player], lost)
        print_line(f"report: {report}")


def _print(result: Tournament) -> None:
    rows = [
        [
            str(rank), line.spec, str(line.games), f"{line.score:.3f}", f"{line.elo:.0f}",
            f"{line.rating.rating:.0f}", f"{line.rating.low:.0f} to {line.rating.high:.0f}",
        ]
        for rank, line in enumerate(result.ranking, start=1)
    ]  # fmt: skip
    print_table(
        ["rank", "agent", "games", "score", "Elo", "rating", "95 % interval"],
        rows,
        f"{result.game}, {result.games_per_pair} games per pair, {result.anchor} = 0",
    )
