"""Routes of tables: beginning, playing, taking back, resigning, saving and opening games."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from stratagem.core.record import GameRecord, format_record, parse_record
from stratagem.web.opponents import check_seats
from stratagem.web.problems import Conflict, NotFound, Refusal, TooLarge
from stratagem.web.routes.parts import REFUSALS, HallPart, TableName, TablePart, reply, reply_list
from stratagem.web.schema import (
    Act,
    Branch,
    NewTable,
    Pause,
    Positions,
    Preview,
    Rematch,
    Resign,
    TableState,
    TableSummary,
    TakeBack,
)
from stratagem.web.table import Table

router = APIRouter(prefix="/api", responses=REFUSALS, tags=["tables"])

_MOST_POSITIONS = 100


@router.get("/tables", response_model=list[TableSummary])
async def list_tables(hall: HallPart) -> Response:
    """Every table, the one that changed last first."""
    return reply_list(TableSummary, await asyncio.to_thread(hall.tables.summaries))


@router.post("/tables", response_model=TableState, status_code=201)
async def new_table(hall: HallPart, wanted: NewTable) -> Response:
    """Begin a game."""
    game = await asyncio.to_thread(hall.tables.load_game, wanted.game)
    sims = hall.settings.limits.sims
    await asyncio.to_thread(check_seats, wanted.seats, game, hall.runs, sims)
    opened = await hall.tables.create(
        game, wanted.seats, wanted.seed, serious=wanted.serious, pace_ms=wanted.pace_ms
    )
    return reply(await opened.session.state(), 201)


@router.post(
    "/records",
    response_model=TableState,
    status_code=201,
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"text/plain": {"schema": {"type": "string"}}},
        }
    },
)
async def open_record(hall: HallPart, request: Request) -> Response:
    """Open a game record: the body is the file itself, read as data and replayed move by move."""
    body = await request.body()
    record = await asyncio.to_thread(_read_upload, body)
    if len(record.events) > hall.settings.limits.events:
        raise TooLarge(f"a record may have at most {hall.settings.limits.events} events")
    opened = await hall.tables.show(record)
    return reply(await opened.session.state(), 201)


@router.get("/tables/{name}", response_model=TableState)
async def table(
    opened: TablePart,
    ply: Annotated[int | None, Query(ge=0, le=1_000_000)] = None,
    since: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Response:
    """The table as it is now; another position with `ply`, only newer events with `since`."""
    return reply(await opened.session.state(ply, since))


@router.delete("/tables/{name}", status_code=204)
async def delete_table(hall: HallPart, name: TableName) -> Response:
    """Forget a table for good."""
    await hall.tables.delete(name)
    return Response(status_code=204)


@router.get("/tables/{name}/positions", response_model=Positions)
async def positions(
    opened: TablePart,
    first: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    count: Annotated[int, Query(ge=1, le=_MOST_POSITIONS)] = 20,
) -> Response:
    """Several positions at once, for scrubbing."""
    session = opened.session

    def draw() -> Positions:
        table = session.table
        if first > table.plies:
            raise NotFound(f"ply {first}: this game has positions 0 to {table.plies}")
        shown = range(first, min(first + count, table.plies + 1))
        drawn = [session.drawing.position(ply, table.viewer) for ply in shown]
        return Positions(first=first, plies=table.plies, positions=drawn)

    return reply(await session.reading(draw))


@router.get("/tables/{name}/preview", response_model=Preview)
async def preview(
    opened: TablePart,
    action: Annotated[int, Query(ge=0, le=2**31 - 1)],
    ply: Annotated[int | None, Query(ge=0, le=1_000_000)] = None,
) -> Response:
    """What an action would lead to; nothing happens."""
    return reply(await opened.session.preview(action, ply))


@router.post("/tables/{name}/act", response_model=TableState)
async def act(opened: TablePart, wanted: Act) -> Response:
    """Decide for the person whose turn it is."""
    return reply(await opened.session.act(wanted))


@router.post("/tables/{name}/take-back", response_model=TableState)
async def take_back(opened: TablePart, wanted: TakeBack) -> Response:
    """Back to a person's last decision; dice stay as they were."""
    return reply(await opened.session.take_back(wanted.to_ply))


@router.post("/tables/{name}/resign", response_model=TableState)
async def resign(opened: TablePart, wanted: Resign) -> Response:
    """Give up."""
    return reply(await opened.session.resign(wanted.seat))


@router.post("/tables/{name}/pause", response_model=TableState)
async def pause(opened: TablePart, wanted: Pause) -> Response:
    """Halt or go on with a game among agents; going on also tries again after an error."""
    return reply(await opened.session.pause(wanted.paused, wanted.pace_ms))


@router.post("/tables/{name}/stop", response_model=TableState)
async def stop(opened: TablePart) -> Response:
    """The agent at work moves with what it has found so far."""
    return reply(await opened.session.stop_and_move())


@router.post("/tables/{name}/rematch", response_model=TableState, status_code=201)
async def rematch(hall: HallPart, opened: TablePart, wanted: Rematch) -> Response:
    """The same game anew."""
    table = opened.session.table
    if table.header.is_record:
        raise Conflict("a record cannot be played again: branch off from one of its positions")
    if table.is_live:
        raise Conflict("this game is still going on: finish it or resign first")
    seats = list(table.header.seats)
    if wanted.swap:
        seats = [seats[-1], *seats[:-1]]
    again = await hall.tables.create(
        table.game, seats, wanted.seed,
        serious=table.header.serious, pace_ms=opened.session.pace_ms,
    )  # fmt: skip
    return reply(await again.session.state(), 201)


@router.post("/tables/{name}/branch", response_model=TableState, status_code=201)
async def branch(hall: HallPart, opened: TablePart, wanted: Branch) -> Response:
    """A new table that goes on from a position of this one."""
    table = opened.session.table
    _check_open(table, "branch off")
    if wanted.ply > table.plies:
        raise NotFound(f"ply {wanted.ply}: this game has positions 0 to {table.plies}")
    sims = hall.settings.limits.sims
    await asyncio.to_thread(check_seats, wanted.seats, table.game, hall.runs, sims)
    other = await hall.tables.create(
        table.game, wanted.seats, wanted.seed, before=table, ply=wanted.ply
    )
    return reply(await other.session.state(), 201)


@router.get("/tables/{name}/record", response_class=Response)
async def record(opened: TablePart) -> Response:
    """The game as a record, with what was analysed."""
    session = opened.session
    text = await session.reading(lambda: _record_text(session.table, session.notes.for_record()))
    name = f"{session.table.game.name}-{session.table.header.id}.jsonl"
    return Response(
        text,
        media_type="application/x-ndjson",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


def _check_open(table: Table, what: str) -> None:
    if table.viewer is not None:
        raise Conflict(f"you cannot {what} yet: it would show what is hidden from you")


def _record_text(table: Table, analyses: Mapping[int, Mapping[str, Any]]) -> str:
    _check_open(table, "save this game")
    return format_record(table.record(analyses))


def _read_upload(body: bytes) -> GameRecord:
    """A record from untrusted bytes; whatever is wrong with them is the sender's to fix."""
    try:
        return parse_record(body, "upload")
    except (ValueError, RecursionError, OverflowError) as error:
        raise Refusal(f"this is not a game record: {type(error).__name__}") from None
