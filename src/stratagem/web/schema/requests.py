"""What a client can request of a session."""

from __future__ import annotations

from pydantic import Field

from stratagem.web.schema.fields import (
    LARGEST_EXACT,
    SLOWEST,
    Action,
    AgentText,
    GameText,
    Ply,
    Request,
    SeatNumber,
    Visits,
)


class NewSession(Request):
    """Begin a game. One entry per seat."""

    game: GameText
    seats: list[AgentText] = Field(min_length=1, max_length=16)
    seed: int | None = Field(None, ge=0, le=LARGEST_EXACT, description="default: drawn at random")
    invite: list[SeatNumber] = Field(
        default_factory=list,
        max_length=16,
        description="seats of people on other devices, who get a link; such games are serious",
    )
    name: str = Field("", max_length=60, description="your name for the others")
    serious: bool = Field(False, description="no taking back across dice or other seats, no hints")
    pace_ms: int = Field(600, ge=0, le=SLOWEST, description="pause between agents' moves")


class Join(Request):
    """Take a free seat at a game between people on different devices."""

    invitation: str = Field(min_length=1, max_length=60)
    name: str = Field("", max_length=60, description="your name for the others")


class Act(Request):
    """A decision; `ply` is the position it was made in, so that late clicks do no harm."""

    action: Action
    ply: Ply
    then: list[Action] = Field(
        default_factory=list, max_length=100, description="further decisions of the same player"
    )


class TakeBack(Request):
    """Return to the last decision of a person, or to an earlier one. Dice stay the same."""

    to_ply: Ply | None = None


class Resign(Request):
    """Resign for a seat; default: the person who decides, or the only person."""

    seat: SeatNumber | None = None


class Rematch(Request):
    """Play the same game again, by default with everybody one seat further."""

    swap: bool = True
    seed: int | None = Field(None, ge=0, le=LARGEST_EXACT)


class Pause(Request):
    """Pause or continue a game between agents, and set its pace."""

    paused: bool
    pace_ms: int | None = Field(None, ge=0, le=SLOWEST)


class Branch(Request):
    """Start a new session from a position of this one: what if?"""

    ply: Ply
    seats: list[AgentText] = Field(min_length=1, max_length=16)
    seed: int | None = Field(None, ge=0, le=LARGEST_EXACT)


class Analyse(Request):
    """Search one position. Interim answers go to the session's WebSocket."""

    ply: Ply | None = Field(None, description="default: the newest position")
    agent: AgentText | None = Field(None, description="a searching opponent; default: the adviser")
    maxVisits: Visits | None = Field(None, description="default: the agent's own")  # noqa: N815
    reportDuringSearchEvery: float = Field(0.5, ge=0.1, le=60.0)  # noqa: N815


class AnalyseGame(Request):
    """Search every decision of the game, for the value graph and the list of mistakes."""

    agent: AgentText | None = None
    maxVisits: Visits | None = None  # noqa: N815


class Compare(Request):
    """Compare two agents on one position."""

    ply: Ply | None = None
    agents: list[AgentText] = Field(min_length=2, max_length=2)
    maxVisits: Visits | None = None  # noqa: N815


class LookInTree(Request):
    """The node that a path of actions and chance outcomes leads to, and its children."""

    ply: Ply | None = None
    agent: AgentText | None = None
    maxVisits: Visits | None = None  # noqa: N815
    path: list[Action] = Field(default_factory=list, max_length=200)
    limit: int = Field(50, ge=1, le=500, description="children to send, most visited first")
