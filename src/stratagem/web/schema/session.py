"""A session and its positions, as the page draws them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from stratagem.web.schema.drawing import DrawnScene
from stratagem.web.schema.fields import Answer

Status = Literal["running", "paused", "over", "record"]


class EventInfo(Answer):
    """A decision or chance outcome as the viewer may see it; ply is that of the position before.

    Where the viewer cannot tell what happened (a card drawn face down), `action` is null.
    """

    ply: int
    seat: int
    action: int | None
    text: str = Field(description="the event in notation")
    sentence: str = Field("", description="what happened, for people")
    touches: list[str] = Field(default_factory=list)
    answer: bool = Field(False, description="a response during somebody else's turn")
    forced: bool = Field(False, description="played for a person who had no choice")


class LegalAction(Answer):
    """Something the deciding seat may do: as a code and as a sentence, the shapes it touches (in
    clicking order), and the group under which the list shows it, if the game has groups."""

    action: int
    text: str
    sentence: str
    touches: list[str]
    aims: list[str] = Field(default_factory=list, description="touched, but only aimed at")
    group: str
    ends_turn: bool = Field(description="somebody else decides next: ask for confirmation")


class Shortcut(Answer):
    """Several decisions of one player at once: `act` takes the first, and the rest as `then`."""

    actions: list[int]
    text: str
    sentence: str
    touches: list[str]
    ends_turn: bool


class Outcome(Answer):
    """A chance outcome and its probability."""

    text: str
    probability: float


class Position(Answer):
    """One drawable moment of a game. Facts and shapes that the viewer cannot know are `?`."""

    ply: int
    seat: int
    scene: DrawnScene
    scores: list[float | None] = Field(description="points per seat; null: the viewer cannot know")
    returns: list[float] | None = Field(None, description="per seat in [-1, 1], at the end")
    event: EventInfo | None = Field(None, description="what led here")
    outcomes: list[Outcome] = Field(default_factory=list, description="where chance decides")


class SeatInfo(Answer):
    """Who plays which seat."""

    seat: int
    kind: Literal["human", "remote", "agent", "recorded"] = Field(
        description="remote: a person on another device"
    )
    agent: str
    title: str


class DiceCount(Answer):
    """How often an outcome came up, and how often it was expected."""

    text: str
    count: int
    expected: float


class Dice(Answer):
    """Where the dice come from: the same seed and moves give the same dice.

    Where something is hidden, the seed would reveal it: until the end there is only its `seal`,
    the SHA-256 of the seed's digits.
    """

    seed: str | None
    seal: str
    rolls: int
    histogram: list[DiceCount]


class Thinking(Answer):
    """A thinking agent."""

    seat: int
    agent: str
    visits: int
    limit: int
    seconds: float
    queued: bool = Field(False, description="waiting for another search to finish")
    purpose: Literal["move", "hint", "analyse", "graph", "tree", "compare"] = "move"


class Result(Answer):
    """How a game ended."""

    reason: Literal["finished", "resigned"]
    returns: list[float] | None
    scores: list[float]
    resigned_by: int | None = None
    text: str


class TableInfo(Answer):
    """A game between people on different devices, as one of them sees it."""

    own: list[int] = Field(description="your own seats; none: you are a spectator")
    free: list[int] = Field(description="seats that nobody has taken yet")
    invitation: str | None = Field(description="path of the link for a free seat, for players only")
    rematch: str | None = Field(description="the session of the next game at this table")


class Possible(Answer):
    """Which buttons are enabled now."""

    act: bool
    take_back: bool
    hint: bool
    resign: bool
    stop: bool
    analyse: bool
    download: bool
    routes: bool = Field(description="whether /routes finds places for a piece")


class SessionSummary(Answer):
    """A line in the list of sessions."""

    id: str
    game: str
    title: str
    seats: list[SeatInfo]
    plies: int
    status: Status
    result: str
    created: str
    changed: str


class SessionState(Answer):
    """Everything the page draws of a session. `viewer` is the seat whose knowledge is shown (null:
    everything). `events` starts at the ply requested with `since`."""

    id: str
    game: str
    title: str
    version: int
    num_seats: int
    seats: list[SeatInfo]
    viewer: int | None
    status: Status
    serious: bool
    pace_ms: int
    plies: int = Field(description="events so far; the newest position has this ply")
    position: Position = Field(description="the newest, or the one requested with `ply`")
    legal: list[LegalAction] = Field(description="of the newest position, if a person decides")
    finish: Shortcut | None = Field(
        None, description="leave all remaining units as they are and end the phase"
    )
    trail: list[EventInfo] = Field(
        description="the deciding seat's latest steps in a row, which Back undoes"
    )
    events: list[EventInfo]
    events_from: int
    dice: Dice
    thinking: Thinking | None
    result: Result | None
    possible: Possible
    table: TableInfo | None = Field(None, description="null: everybody plays on one screen")
    error: str | None = Field(None, description="what went wrong with an agent; the game is paused")
    adviser: str
    revision: int = Field(description="increases with every change of the game")


class Preview(Answer):
    """What an action would lead to, before it is made: the board, changed facts, odds."""

    action: int
    text: str
    sentence: str
    position: Position
    changes: list[FactChange]


class FactChange(Answer):
    """A fact beside the board before and after."""

    name: str
    before: str
    after: str


class Positions(Answer):
    """Several consecutive positions, for scrubbing without delay."""

    first: int
    plies: int
    positions: list[Position]
