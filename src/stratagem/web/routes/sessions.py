"""Session routes: beginning, playing, taking back, resigning, saving and opening games."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response, WebSocket, WebSocketDisconnect

from stratagem.core.errors import StratagemError
from stratagem.core.record import GameRecord, format_record, parse_record
from stratagem.core.session import HUMAN, GameSession
from stratagem.web.opponents import check_seats
from stratagem.web.problems import Conflict, NotFound, Refusal, TooLarge
from stratagem.web.routes.connection import NOT_POSSIBLE, converse, end
from stratagem.web.routes.parts import (
    REFUSALS,
    ContextPart,
    LivePart,
    PersonPart,
    SessionName,
    remember,
    reply,
    reply_list,
)
from stratagem.web.schema import (
    Act,
    Branch,
    Join,
    NewSession,
    Pause,
    Positions,
    Preview,
    Rematch,
    Resign,
    SessionState,
    SessionSummary,
    Shortcut,
    StateMessage,
    TakeBack,
)
from stratagem.web.table import Table, new_person

router = APIRouter(prefix="/api", responses=REFUSALS, tags=["sessions"])

_MOST_POSITIONS = 100


@router.get("/sessions", response_model=list[SessionSummary])
async def list_sessions(context: ContextPart) -> Response:
    """Every session, most recently changed first."""
    return reply_list(SessionSummary, await asyncio.to_thread(context.sessions.summaries))


@router.post("/sessions", response_model=SessionState, status_code=201)
async def new_session(context: ContextPart, person: PersonPart, wanted: NewSession) -> Response:
    """Begin a game."""
    game = await asyncio.to_thread(context.sessions.load_game, wanted.game)
    sims = context.settings.limits.sims
    await asyncio.to_thread(check_seats, wanted.seats, game, context.runs, sims)
    own = _own_seats(wanted)
    person = person or new_person()

    def seat(file: Path) -> Table:
        return Table.create(file, person, own, wanted.name)

    live = await context.sessions.create(
        game,
        wanted.seats,
        wanted.seed,
        serious=wanted.serious,
        pace_ms=wanted.pace_ms,
        seat=seat if wanted.invite else None,
    )
    answer = reply(await live.state(person=person), 201)
    return remember(answer, person) if wanted.invite else answer


@router.post("/sessions/{name}/join", response_model=SessionState)
async def join(live: LivePart, person: PersonPart, wanted: Join) -> Response:
    """Take a free seat at a game between people on different devices."""
    person = person or new_person()
    state = await live.join(person, wanted.invitation, wanted.name)
    return remember(reply(state), person)


@router.post(
    "/records",
    response_model=SessionState,
    status_code=201,
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"text/plain": {"schema": {"type": "string"}}},
        }
    },
)
async def open_record(context: ContextPart, request: Request) -> Response:
    """Open a game record: the body is the file itself, read as data and replayed move by move."""
    body = await request.body()
    record = await asyncio.to_thread(_read_upload, body)
    if len(record.events) > context.settings.limits.events:
        raise TooLarge(f"a record may have at most {context.settings.limits.events} events")
    live = await context.sessions.show(record)
    return reply(await live.state(), 201)


@router.get("/sessions/{name}", response_model=SessionState)
async def session(
    live: LivePart,
    person: PersonPart,
    ply: Annotated[int | None, Query(ge=0, le=1_000_000)] = None,
    since: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Response:
    """The game as it is now; with `ply` another position, with `since` only newer events."""
    return reply(await live.state(ply, since, person))


@router.delete("/sessions/{name}", status_code=204)
async def delete_session(
    context: ContextPart, live: LivePart, person: PersonPart, name: SessionName
) -> Response:
    """Delete a session for good."""
    live.check_seated(person)
    await context.sessions.delete(name)
    return Response(status_code=204)


@router.get("/sessions/{name}/positions", response_model=Positions)
async def positions(
    live: LivePart,
    person: PersonPart,
    first: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    count: Annotated[int, Query(ge=1, le=_MOST_POSITIONS)] = 20,
) -> Response:
    """Several positions at once, for scrubbing."""

    def draw() -> Response:
        game = live.session
        if first > game.plies:
            raise NotFound(f"ply {first}: this game has positions 0 to {game.plies}")
        shown = range(first, min(first + count, game.plies + 1))
        viewer = live.view(person).viewer
        drawn = [live.drawing.position(ply, viewer) for ply in shown]
        # Written out here, too: for a hundred positions nobody else would be answered meanwhile.
        return reply(Positions(first=first, plies=game.plies, positions=drawn))

    return await live.reading(draw)


@router.get("/sessions/{name}/preview", response_model=Preview)
async def preview(
    live: LivePart,
    person: PersonPart,
    action: Annotated[int, Query(ge=0, le=2**31 - 1)],
    ply: Annotated[int | None, Query(ge=0, le=1_000_000)] = None,
) -> Response:
    """What an action would lead to, without doing it."""
    return reply(await live.preview(action, ply, person))


@router.get("/sessions/{name}/routes", response_model=list[Shortcut])
async def routes(
    live: LivePart,
    person: PersonPart,
    piece: Annotated[str, Query(min_length=1, max_length=100)],
) -> Response:
    """Places that a piece of the deciding person can reach by several decisions."""

    def find() -> list[Shortcut]:
        acts = live.view(person).acts(live.session)
        return live.drawing.routes(piece) if acts else []

    return reply_list(Shortcut, await live.reading(find))


@router.post("/sessions/{name}/act", response_model=SessionState)
async def act(live: LivePart, person: PersonPart, wanted: Act) -> Response:
    """Make a decision for the person whose turn it is."""
    return reply(await live.act(wanted, person))


@router.post("/sessions/{name}/take-back", response_model=SessionState)
async def take_back(live: LivePart, person: PersonPart, wanted: TakeBack) -> Response:
    """Return to a person's last decision; the dice stay the same."""
    return reply(await live.take_back(wanted.to_ply, person))


@router.post("/sessions/{name}/resign", response_model=SessionState)
async def resign(live: LivePart, person: PersonPart, wanted: Resign) -> Response:
    """Resign."""
    return reply(await live.resign(wanted.seat, person))


@router.post("/sessions/{name}/pause", response_model=SessionState)
async def pause(live: LivePart, person: PersonPart, wanted: Pause) -> Response:
    """Pause or continue a game between agents; continuing also retries after an error."""
    return reply(await live.pause(wanted.paused, wanted.pace_ms, person))


@router.post("/sessions/{name}/stop", response_model=SessionState)
async def stop(live: LivePart, person: PersonPart) -> Response:
    """Make the thinking agent move with what it has found so far."""
    return reply(await live.stop_and_move(person))


@router.post("/sessions/{name}/rematch", response_model=SessionState, status_code=201)
async def rematch(
    context: ContextPart, live: LivePart, person: PersonPart, wanted: Rematch
) -> Response:
    """Start the same game again."""
    game, setup = live.session.game, live.session.setup
    if setup.is_record:
        raise Conflict("a record cannot be played again: branch off from one of its positions")
    if live.session.is_live:
        raise Conflict("this game is not over: finish it or resign first")
    live.check_seated(person)
    agents, table = list(setup.agents), live.table
    if wanted.swap:
        agents = [agents[-1], *agents[:-1]]

    def seat(file: Path) -> Table:
        assert table is not None
        return table.moved(file, int(wanted.swap), len(agents))

    again = await context.sessions.create(
        game,
        agents,
        wanted.seed,
        serious=setup.serious,
        pace_ms=live.pace_ms,
        seat=None if table is None else seat,
    )
    await live.note_rematch(again.header.id)
    return reply(await again.state(person=person), 201)


@router.post("/sessions/{name}/branch", response_model=SessionState, status_code=201)
async def branch(context: ContextPart, live: LivePart, wanted: Branch) -> Response:
    """Start a new session from a position of this one."""
    session = live.session
    _check_nothing_hidden(session, "branch off")
    if wanted.ply > session.plies:
        raise NotFound(f"ply {wanted.ply}: this game has positions 0 to {session.plies}")
    sims = context.settings.limits.sims
    await asyncio.to_thread(check_seats, wanted.seats, session.game, context.runs, sims)
    other = await context.sessions.branch(live, wanted.ply, wanted.seats, wanted.seed)
    return reply(await other.state(), 201)


@router.get("/sessions/{name}/record", response_class=Response)
async def record(live: LivePart) -> Response:
    """The game as a record, including analyses."""

    def text() -> str:
        _check_nothing_hidden(live.session, "save this game")
        return format_record(live.session.record(live.notes.for_record()))

    name = f"{live.session.game.name}-{live.header.id}.jsonl"
    return Response(
        await live.reading(text),
        media_type="application/x-ndjson",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


@router.websocket("/sessions/{name}/live")
async def listen(socket: WebSocket, context: ContextPart, person: PersonPart, name: str) -> None:
    """The game now and after every change, thinking, analyses, the value graph."""
    await socket.accept()
    try:
        with context.connections:
            live = await context.sessions.find(name)
            queue = live.listeners.join(person)
            try:
                state = await live.state(person=person)
                await socket.send_text(StateMessage(state=state).model_dump_json())
                live.go_on()  # games between agents continue only while somebody watches
                await converse(socket, queue)
            finally:
                live.listeners.leave(queue)
    except (Refusal, StratagemError) as error:
        await end(socket, NOT_POSSIBLE, str(error))
    except WebSocketDisconnect:
        return


def _check_nothing_hidden(session: GameSession, what: str) -> None:
    if session.viewer is not None:
        raise Conflict(f"you cannot {what} yet: it would show what is hidden from you")


def _own_seats(wanted: NewSession) -> list[int]:
    """Return the seats of the person who begins; invited seats must be played by people, too."""
    people = [seat for seat, agent in enumerate(wanted.seats) if agent == HUMAN]
    if not set(wanted.invite) <= set(people):
        raise Refusal("only a seat that a person plays can be offered in an invitation")
    return [seat for seat in people if seat not in wanted.invite]


def _read_upload(body: bytes) -> GameRecord:
    """Parse a record from untrusted bytes; any problem with them is for the sender to fix."""
    try:
        return parse_record(body, "upload")
    except (ValueError, RecursionError, OverflowError) as error:
        raise Refusal(f"this is not a game record: {type(error).__name__}") from None
