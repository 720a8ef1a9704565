"""What all messages share: base classes, and fields that several of them have.

Numbers that JavaScript cannot hold exactly (64-bit seeds) are sent as text.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

SLOWEST = 10_000  # milliseconds between the moves of agents
LARGEST_EXACT = 2**53 - 1  # the largest whole number that JavaScript holds exactly

GameText = Annotated[
    str, Field(min_length=1, max_length=200, description="name/scenario?key=value")
]
AgentText = Annotated[
    str,
    Field(
        min_length=1,
        max_length=200,
        description="`human`, or the spec of an opponent as `GET /api/setup` lists it; "
        "its simulations may be changed: `mcts:none?sims=800`, `best:?sims=100`, "
        "`run:NAME?sims=64`, `run:NAME@step_000012?sims=64`",
    ),
]
SeatNumber = Annotated[int, Field(ge=0, le=15)]
Ply = Annotated[int, Field(ge=0, le=1_000_000)]
Action = Annotated[int, Field(ge=0, le=2**31 - 1)]
Visits = Annotated[int, Field(ge=1, le=100_000)]


class Request(BaseModel):
    """Base of client messages: unknown keys are errors."""

    model_config = ConfigDict(extra="forbid")


class Answer(BaseModel):
    """Base of server messages: every key is always present."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)


class Problem(Answer):
    """Every 4xx answer: what was wrong and how to fix it, in one line."""

    detail: str
