"""Messages of the WebSockets `/api/{sessions,runs}/NAME/live`, and a whole replay."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from stratagem.core.scene import Shape
from stratagem.runs.metrics import IterationMetrics
from stratagem.web.schema.analysis import Analysis, ValueGraph
from stratagem.web.schema.fields import Answer, Request
from stratagem.web.schema.session import EventInfo, SessionState, Thinking
from stratagem.web.schema.training import CheckpointInfo, GateDecision, RunPayoffs, RunSummary


class ReplayScene(Answer):
    """A scene whose shapes are indices into the replay's list of shapes."""

    width: float
    height: float
    shapes: list[int]
    facts: list[tuple[str, str]]
    title: str
    panels: list[ReplayScene]


class ReplayPosition(Answer):
    """A position of a replay; `event` is what led here."""

    ply: int
    seat: int
    scene: ReplayScene
    scores: list[float | None]
    returns: list[float] | None
    event: EventInfo | None


class Replay(Answer):
    """A whole recorded game with every shape once: the data of a self-contained page.

    Its JSON, compressed with gzip and encoded in base64, is the text of the element
    `<script id="stratagem-replay" type="text/plain">`.
    """

    game: str
    title: str
    version: int
    agents: list[str]
    setup_seed: str
    shapes: list[Shape]
    positions: list[ReplayPosition]
    returns: list[float] | None
    graph: ValueGraph | None = None
    analyses: list[Analysis] = Field(default_factory=list)


class StateMessage(Answer):
    """The game changed; the state is the one `GET /api/sessions/{id}?since=` would return."""

    type: Literal["state"] = "state"
    state: SessionState


class ThinkingMessage(Answer):
    """Progress of a search; null: it has ended."""

    type: Literal["thinking"] = "thinking"
    thinking: Thinking | None


class AnalysisMessage(Answer):
    """An analysis, while it grows (`isDuringSearch`) and when it is done."""

    type: Literal["analysis"] = "analysis"
    analysis: Analysis


class GraphMessage(Answer):
    """The value graph grew."""

    type: Literal["graph"] = "graph"
    graph: ValueGraph


class MetricsMessage(Answer):
    """New rows of a run's metrics, starting with row `first`; `gates` belong to them.

    It is also sent without rows when a run begins, ends or is stopped. Resuming a run may remove
    rows: whatever the client has from `first` on is replaced.
    """

    type: Literal["metrics"] = "metrics"
    summary: RunSummary
    first: int
    rows: list[IterationMetrics]
    gates: list[GateDecision]
    checkpoints: list[CheckpointInfo]
    payoffs: RunPayoffs
    newest_game: str | None


class ErrorMessage(Answer):
    """Something went wrong outside of a request."""

    type: Literal["error"] = "error"
    detail: str


class PongMessage(Answer):
    """Answer to a ping."""

    type: Literal["pong"] = "pong"


class ClientMessage(Request):
    """The only message that a client may send over a WebSocket; use HTTP for everything else."""

    type: Literal["ping"]


SessionMessage = Annotated[
    StateMessage | ThinkingMessage | AnalysisMessage | GraphMessage | ErrorMessage | PongMessage,
    Field(discriminator="type"),
]
RunMessage = Annotated[MetricsMessage | ErrorMessage | PongMessage, Field(discriminator="type")]
