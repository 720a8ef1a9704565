"""Training routes: runs, their metrics, acceptance, measures and self-play games."""

from __future__ import annotations

import asyncio
import re
from typing import Annotated

from fastapi import APIRouter, Response
from fastapi import Path as PathPart

from stratagem.core.record import GameRecord, read_record
from stratagem.core.registry import load_game
from stratagem.evaluate.measures import measure_games, measures_of, read_games_of
from stratagem.runs.metrics_table import metrics_csv
from stratagem.web.context import ServerContext
from stratagem.web.routes.parts import REFUSALS, ContextPart, reply, reply_list
from stratagem.web.runs import Run, gates_of
from stratagem.web.schema import Measure, RunDetail, RunLog, RunMeasures, RunSummary, SessionState

router = APIRouter(prefix="/api/runs", responses=REFUSALS, tags=["training"])

RunName = Annotated[str, PathPart(max_length=200, description="as `GET /api/runs` lists it")]

_SAMPLED = 10  # self-play games at each end of a run for which measures are computed
_LISTED_GAMES = 200
_LOG_LINES = 300


@router.get("", response_model=list[RunSummary])
async def list_runs(context: ContextPart) -> Response:
    """Every run, most recently started first."""

    def read() -> list[RunSummary]:
        return [run.summary(run.metrics()) for run in context.runs.all()]

    return reply_list(RunSummary, await asyncio.to_thread(read))


@router.get("/{run}", response_model=RunDetail)
async def run_detail(context: ContextPart, run: RunName) -> Response:
    """Settings, every row of metrics, acceptance, checkpoints."""

    def read() -> RunDetail:
        found = context.runs.find(run)
        rows = found.metrics()
        return RunDetail(
            summary=found.summary(rows),
            settings=found.settings,
            metrics=rows,
            gates=gates_of(rows),
            checkpoints=found.checkpoints(),
            games=found.games()[:_LISTED_GAMES],
            payoffs=found.payoffs(rows),
        )

    return reply(await asyncio.to_thread(read))


@router.get("/{run}/log", response_model=RunLog)
async def run_log(context: ContextPart, run: RunName) -> Response:
    """The last lines of the terminal output."""

    def read() -> RunLog:
        return RunLog(lines=context.runs.find(run).folder.log_lines(_LOG_LINES))

    return reply(await asyncio.to_thread(read))


@router.get("/{run}/metrics.csv", response_class=Response)
async def run_csv(context: ContextPart, run: RunName) -> Response:
    """Every row of metrics, for a spreadsheet or a notebook."""

    def read() -> tuple[str, str]:
        found = context.runs.find(run)
        return found.name, metrics_csv(found.metrics())

    name, text = await asyncio.to_thread(read)
    kept = re.sub(r"[^A-Za-z0-9._~-]", "_", name)
    headers = {"Content-Disposition": f'attachment; filename="{kept}.csv"'}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)


@router.get("/{run}/measures", response_model=RunMeasures)
async def measures(context: ContextPart, run: RunName) -> Response:
    """Measures of the first and the newest self-play games."""
    return reply(await asyncio.to_thread(_measures, context, run))


@router.post("/{run}/games/{game}", response_model=SessionState, status_code=201)
async def open_game(
    context: ContextPart, run: RunName, game: Annotated[str, PathPart(max_length=100)]
) -> Response:
    """A session for viewing a self-play game; `newest` is the newest."""

    def read() -> tuple[GameRecord, str]:
        file = context.runs.find(run).game_file(game)
        changed = file.stat().st_mtime_ns
        return read_record(file), f"{run}/{file.stem}/{changed}"

    record, source = await asyncio.to_thread(read)
    live = await context.sessions.show(record, source)
    return reply(await live.state(), 201)


def _measures(context: ServerContext, name: str) -> RunMeasures:
    run = context.runs.find(name)
    game = load_game(run.game)
    files = run.folder.games()
    if measures_of(game) is None:
        return RunMeasures(measures=[], note=f"{game.rules.about.title} has no measures of play")
    if not files:
        return RunMeasures(measures=[], note="no self-play game has been kept yet")
    late = read_games_of("late self-play", files[-_SAMPLED:])
    early = read_games_of("early self-play", files[: min(_SAMPLED, len(files) - len(late))])
    found = measure_games(game, [*early, *late])
    plain = set(found.plain)
    return RunMeasures(
        measures=[
            Measure(
                agent=agent,
                name=measure,
                mean=mean.mean,
                low=mean.mean if mean.low is None else mean.low,
                high=mean.mean if mean.high is None else mean.high,
                games=mean.count,
            )
            for agent, values in found.by_agent.items()
            for measure, mean in values.items()
            if measure in plain  # those by side would fill pages
        ],
        note=_note(run, len(early), len(late)),
    )


def _note(run: Run, early: int, late: int) -> str:
    if not early:
        return f"the newest {late} self-play games of {run.name}"
    return f"the first {early} and the newest {late} self-play games of {run.name}"
