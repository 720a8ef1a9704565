"""Search results: candidates, trees, value graphs. Field names follow KataGo's."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from stratagem.web.schema.drawing import DrawnScene
from stratagem.web.schema.fields import Answer


class Finding(Answer):
    """Base of answers that may come from an uploaded record, where numbers may be missing."""

    model_config = ConfigDict(allow_inf_nan=False)


class MoveInfo(Finding):
    """A candidate as rated by the search, from the deciding seat's point of view."""

    move: str
    sentence: str = Field("", description="the move for people")
    action: int
    order: int = Field(description="0: the best")
    visits: int
    winrate: float | None = Field(description="(value + 1) / 2; null: never visited")
    value: float | None = Field(description="in [-1, 1]")
    scoreLead: float | None = Field(  # noqa: N815
        description="lead in the game's own points where the line of play ends"
    )
    prior: float
    loss: float | None = Field(description="value of the best candidate minus this one's")
    pv: list[str] = Field(description="line of play; chance outcomes are in brackets")
    pvActions: list[int]  # noqa: N815
    pvTouches: list[list[str]] = Field(  # noqa: N815
        default_factory=list, description="keys of the shapes of each step; none for dice"
    )
    line: list[str] = Field(default_factory=list, description="the line of play as sentences")
    touches: list[str]
    played: bool = False
    mark: str = Field("", description="?!, ? or ??: 5, 10 or 15 points of win rate given away")


class RootInfo(Finding):
    """The searched position as a whole."""

    visits: int
    winrate: float
    value: float
    scoreLead: float | None  # noqa: N815
    currentPlayer: int  # noqa: N815
    values: list[float] = Field(description="in [-1, 1] for every seat")


class Analysis(Finding):
    """KataGo's field names. `perspective` says whose view the numbers take."""

    id: str
    turnNumber: int  # noqa: N815
    isDuringSearch: bool = False  # noqa: N815
    perspective: str
    agent: str
    rootInfo: RootInfo  # noqa: N815
    moveInfos: list[MoveInfo]  # noqa: N815
    seconds: float
    position: str = Field("", description="hash of the position")


class Comparison(Answer):
    """Two analyses of one position."""

    analyses: list[Analysis]


class TreeChild(Answer):
    """An edge of the search tree. At a chance node `prior` is the probability."""

    action: int
    text: str
    sentence: str = Field("", description="the edge for people")
    prior: float
    visits: int
    value: float | None = Field(description="of the seat that chose; at chance: of root's seat")
    kind: Literal["decision", "chance", "over", "unvisited"]
    seat: int | None = Field(description="who decides behind it")
    children: int
    touches: list[str]


class TreeNode(Answer):
    """A node of a search tree with its most visited children."""

    path: list[int]
    texts: list[str]
    kind: Literal["decision", "chance", "over"]
    seat: int
    visits: int
    value: float | None
    scene: DrawnScene
    facts_hidden: bool = Field(description="the position contains a guess at what is hidden")
    children: list[TreeChild]
    total_children: int
    agent: str


class GraphPoint(Answer):
    """A position on the value graph and the event that follows it."""

    ply: int
    seat: int
    values: list[float] | None = Field(description="per seat in [-1, 1]; null: not analysed")
    text: str = ""
    sentence: str = Field("", description="the event for people")
    loss: float | None = Field(None, description="what the decision gave away, in value")
    mark: str = ""
    best: str = Field("", description="the better move, where one was given away")
    best_sentence: str = Field("", description="the better move for people")
    best_line: list[str] = Field(default_factory=list, description="what follows the better move")
    reply: str = Field("", description="what answers the move that was played")
    luck: list[float] | None = Field(None, description="what the dice changed, per seat")


class SeatAccount(Answer):
    """What a seat gave away by its decisions, and gained by the dice."""

    seat: int
    decisions: int
    analysed: int
    total_loss: float
    mean_loss: float | None
    marks: dict[str, int]
    luck: float | None = Field(None, description="null: no dice evaluated")


class ValueGraph(Answer):
    """Values for every seat over the game, with decisions and luck separated."""

    agent: str | None
    visits: int | None
    done: int
    total: int
    running: bool
    points: list[GraphPoint]
    seats: list[SeatAccount]
    mistakes: list[int] = Field(description="plies of marked decisions, the largest loss first")
