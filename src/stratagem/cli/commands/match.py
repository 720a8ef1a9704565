"""`stratagem match`: plays games between agents and counts results with intervals."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

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
from stratagem.cli.output import print_forfeits, print_json, print_line, print_note, print_table
from stratagem.cli.progress import ProgressLine, describe_match, while_compiling
from stratagem.core.errors import BadSetting
from stratagem.core.files import check_folder, write_atomically
from stratagem.core.registry import load_game

if TYPE_CHECKING:
    from stratagem.evaluate.match_result import MatchResult
    from stratagem.evaluate.measures import Measures


def command(
    game: GameArgument,
    agents: AgentsArgument,
    games: Annotated[
        int, typer.Option("--games", min=1, max=MOST_GAMES, help="Number of games.")
    ] = 100,
    seed: SeedOption = 0,
    backend: BackendOption = "threads",
    address: AddressOption = "",
    seats: Annotated[
        Literal["rotate", "fixed"],
        typer.Option("--seats", help="rotate: paired games; fixed: the first agent is player 1."),
    ] = "rotate",
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for match.json and a record of each game.")
    ] = None,
    measures: Annotated[
        bool,
        typer.Option("--measures", help="Also average the game's measures, e.g. points by side."),
    ] = False,
    device: DeviceOption = "auto",
    as_json: JsonOption = False,
) -> None:
    """Play agents against each other and count wins, draws and losses."""
    from stratagem.agents import make_agent
    from stratagem.evaluate import play_match
    from stratagem.evaluate.match_progress import MatchProgress
    from stratagem.evaluate.matches import MatchTask, spread_match
    from stratagem.evaluate.measures import measure_games, measures_of

    if out is not None:
        check_folder(out)
    loaded = load_game(game)
    if measures and measures_of(loaded) is None:
        raise BadSetting(f"{loaded.name} declares no measures: leave out --measures")
    players = [make_agent(spec, loaded) for spec in agents]
    keep = out is not None or measures
    seen: list[MatchProgress] = []
    title = f"{agents[0]} against {' and '.join(agents[1:])}"

    def describe(spent: float) -> str:
        return describe_match(title, seen[-1] if seen else None, spent)

    with (
        closing(make_backend(backend, address)) as chosen,
        ProgressLine(while_compiling(loaded, describe)),
    ):
        if backend == "threads":  # on a single machine, one batch of all games is fastest
            result = play_match(
                loaded, players, games, seed, seats, keep=keep, on_progress=seen.append
            )
        else:
            task = MatchTask(loaded.spec, tuple(agents), games, seed, seats, keep)
            result = spread_match(task, chosen, seen.append)
    if out is not None:
        _write(result, out)
    measured = measure_games(loaded, result.records) if measures else None
    if as_json:
        more = {} if measured is None else {"measures": measured.as_json()["agents"]}
        print_json({**result.as_json(), **more})
        return
    print_match(result)
    if measured is not None:
        _print_measures(measured)


def print_match(result: MatchResult) -> None:
    """Print the result as a table."""
    rows = [
        [
            agent.spec, str(agent.tally.wins), str(agent.tally.draws), str(agent.tally.losses),
            f"{agent.tally.score:.3f}", "{:.3f} to {:.3f}".format(*agent.tally.wilson),
            f"{agent.tally.mean_score:.2f}", f"{agent.mean_decision_ms:.2f}",
        ]
        for agent in result.agents
    ]  # fmt: skip
    print_table(
        ["agent", "wins", "draws", "losses", "score", "95 % interval", "points", "ms/decision"],
        rows,
        f"{result.game}, {result.games} games, seed {result.seed}",
    )
    by_seat = [
        f"{agent.spec}: "
        + ", ".join(f"as player {part.seat + 1} {part.tally.score:.3f}" for part in agent.by_seat)
        for agent in result.agents
    ]
    print_line("score by place: " + "; ".join(by_seat))
    for agent in result.agents:
        print_forfeits(agent.spec, agent.forfeits)


def _print_measures(measured: Measures) -> None:
    """Print a line for each measure, with a column for each agent and one for whole games."""
    from stratagem.evaluate.measures import is_of_round

    rows = []
    for name in measured.names:
        if is_of_round(name):
            continue  # hundreds of lines; `stratagem report` draws them instead
        found = [values.get(name) for values in measured.by_agent.values()]
        cells = ["" if one is None else f"{one.mean:.2f} ({one.count})" for one in found]
        rows.append([name.replace("_", " "), *cells])
    print_table(["mean (values)", *measured.by_agent], rows)


def _write(result: MatchResult, folder: Path) -> None:
    from stratagem.core.record import write_record

    for number, record in enumerate(result.records):
        write_record(record, folder / f"game_{number:04d}.jsonl")
    write_atomically(folder / "match.json", json.dumps(result.as_json(), indent=2) + "\n")
    print_note(f"{len(result.records)} records and match.json written to {folder}")
