"""The value graph: values per seat, what decisions gave away, what the dice changed."""

from __future__ import annotations

from collections import Counter

from stratagem.core.game import as_batch
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.session import GameSession
from stratagem.evaluate.analysis import mark_of
from stratagem.web.drawing import SessionDrawing
from stratagem.web.notes import Notes
from stratagem.web.schema import Analysis, GraphPoint, SeatAccount, ValueGraph

_TRUSTED_SHARE = 0.05  # share of visits that a candidate needs for its own value to be used
_TRUSTED_VISITS = 10
_TOLD = 3  # steps shown of the better line of play


def value_graph(
    drawing: SessionDrawing,
    notes: Notes,
    agent: str | None,
    running: bool,
    wanted: int,
    viewer: int | None,
) -> ValueGraph:
    """Return what is known so far. `wanted` is how many positions are being analysed."""
    session = drawing.session
    found = [
        notes.find(ply, agent) if notes.may_show(ply) else None for ply in range(session.plies + 1)
    ]
    points = []
    for ply in range(session.plies + 1):
        point = GraphPoint(
            ply=ply,
            seat=int(session.states[ply]["seat"]),
            values=_values(session, found[ply], ply),
        )
        if ply < session.plies:
            event = drawing.event(ply, viewer)
            point.text, point.sentence = event.text, event.sentence
            if event.seat == CHANCE:
                point.luck = notes.luck(ply) if viewer is None else None
            elif event.action is not None:
                _weigh(point, found, event.action)
        points.append(point)
    asked = [ply for ply, point in enumerate(points) if point.seat >= 0 and notes.may_show(ply)]
    done = sum(found[ply] is not None for ply in asked)
    marked = [point for point in points if point.mark]
    return ValueGraph(
        agent=agent,
        visits=max((one.rootInfo.visits for one in found if one is not None), default=None),
        done=done,
        total=max(wanted, len(asked)),
        running=running,
        points=points,
        seats=[_account(points, seat) for seat in range(session.game.num_seats)],
        mistakes=[p.ply for p in sorted(marked, key=lambda point: -(point.loss or 0.0))],
    )


def _values(session: GameSession, found: Analysis | None, ply: int) -> list[float] | None:
    if int(session.states[ply]["seat"]) == OVER:
        return [float(value) for value in session.game.returns(as_batch(session.states[ply]))[0]]
    return None if found is None else found.rootInfo.values


def _weigh(point: GraphPoint, found: list[Analysis | None], action: int) -> None:
    """Compute what the decision gave away: its value against the best candidate's.

    The value of a candidate with few visits is unreliable; then the search of the position that
    followed decides what the decision was worth.
    """
    here = found[point.ply]
    if here is None or not here.moveInfos or here.moveInfos[0].value is None:
        return
    best = here.moveInfos[0]
    played = next((move for move in here.moveInfos if move.action == action), None)
    value = played.value if played is not None else None
    visits = played.visits if played is not None else 0
    if visits < max(_TRUSTED_VISITS, _TRUSTED_SHARE * here.rootInfo.visits):
        after = found[point.ply + 1] if point.ply + 1 < len(found) else None
        if after is not None:
            value = after.rootInfo.values[point.seat]
    if best.value is None or value is None or best.action == action:
        point.loss = 0.0 if best.action == action else None
        return
    point.loss = max(0.0, best.value - value)
    point.mark = mark_of(point.loss)
    if point.mark:
        point.best, point.best_sentence = best.move, best.sentence or best.move
        point.best_line = best.line[1:_TOLD]
        after = found[point.ply + 1] if point.ply + 1 < len(found) else None
        if after is not None and after.moveInfos:
            point.reply = after.moveInfos[0].sentence


def _account(points: list[GraphPoint], seat: int) -> SeatAccount:
    mine = [point for point in points if point.seat == seat and point.text]
    losses = [point.loss for point in mine if point.loss is not None]
    luck = [point.luck[seat] for point in points if point.luck is not None]
    return SeatAccount(
        seat=seat,
        decisions=len(mine),
        analysed=len(losses),
        total_loss=sum(losses),
        mean_loss=sum(losses) / len(losses) if losses else None,
        marks=dict(Counter(point.mark for point in mine if point.mark)),
        luck=sum(luck) if luck else None,
    )
