"""The whole state of a table in one message, and its line in the list of tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from stratagem.core.game import as_batch
from stratagem.web.drawing import TableDrawing
from stratagem.web.journal import Journal, TableHeader
from stratagem.web.schema import (
    HUMAN,
    Possible,
    Result,
    SeatInfo,
    TableState,
    TableSummary,
    Thinking,
)
from stratagem.web.table import Table, result_text

Status = Literal["running", "paused", "over", "record"]


@dataclass(frozen=True)
class Activity:
    """What is going on around a table besides the game itself."""

    thinking: Thinking | None = None
    error: str | None = None
    paused: bool = False
    pace_ms: int = 400
    adviser: str = ""


def table_state(
    drawing: TableDrawing, activity: Activity, ply: int | None = None, since: int = 0
) -> TableState:
    """Everything the page draws; events from `since` on."""
    table = drawing.table
    viewer = table.viewer
    shown = table.plies if ply is None else ply
    first = min(since, table.plies)
    trail = range(table.trail_start(), table.plies) if table.waits_for_human else range(0)
    return TableState(
        id=table.header.id,
        game=table.header.game,
        title=table.header.title,
        version=table.header.version,
        num_seats=table.game.num_seats,
        seats=seats_of(table.header),
        viewer=viewer,
        status=status_of(table, activity.paused),
        serious=table.header.serious,
        pace_ms=activity.pace_ms,
        plies=table.plies,
        position=drawing.position(shown, viewer),
        legal=drawing.legal(),
        trail=[drawing.event(step, viewer) for step in trail],
        events=drawing.events(first, viewer),
        events_from=first,
        dice=drawing.dice(viewer),
        thinking=activity.thinking,
        result=result_of(table),
        possible=_possible(table, activity),
        error=activity.error,
        adviser=activity.adviser,
        revision=table.revision,
    )


def table_summary(journal: Journal, changed: str) -> TableSummary:
    """A line in the list of tables, from the file alone: no rules are loaded for it."""
    header, lines = journal.read()
    plies, result, resigned = 0, "", False
    for line in lines:
        if line.kind == "event":
            plies += 1
            result = ""
        elif line.kind == "take_back":
            plies, result = line.number, ""
        else:
            result = str(line.extra["text"])
            resigned = resigned or line.kind == "resign"
    status: Status = "record" if header.is_record else "over" if result or resigned else "running"
    return TableSummary(
        id=header.id,
        game=header.game,
        title=header.title,
        seats=seats_of(header),
        plies=plies,
        status=status,
        result=result,
        created=header.created,
        changed=changed,
    )


def status_of(table: Table, paused: bool) -> Status:
    if table.header.is_record:
        return "record"
    if table.is_finished:
        return "over"
    return "paused" if paused else "running"


def seats_of(header: TableHeader) -> list[SeatInfo]:
    """Who sits where, as the table was set up."""
    answers = []
    for seat, who in enumerate(header.seats):
        person = who == HUMAN
        kind: Literal["human", "agent", "recorded"] = "human" if person else "agent"
        if header.is_record:
            kind = "recorded"
        title = "a person" if person else who
        answers.append(SeatInfo(seat=seat, kind=kind, agent=who, title=title))
    return answers


def result_of(table: Table) -> Result | None:
    """How the game ended, if it has."""
    if not table.is_finished:
        return None
    scores = [float(value) for value in table.game.scores(as_batch(table.state))[0]]
    returns = table.returns
    resigned = table.resigned
    return Result(
        reason="finished" if resigned is None else "resigned",
        returns=None if returns is None else list(returns),
        scores=scores,
        resigned_by=resigned,
        text=result_text(returns, resigned),
    )


def _possible(table: Table, activity: Activity) -> Possible:
    asked = table.waits_for_human
    thinks = activity.thinking
    return Possible(
        act=asked,
        take_back=table.can_take_back(),
        hint=asked and not table.header.serious,
        resign=table.is_live and bool(table.humans),
        stop=thinks is not None and thinks.purpose == "move" and not thinks.queued,
        analyse=not (table.is_live and table.header.serious),
        download=table.viewer is None,
    )
