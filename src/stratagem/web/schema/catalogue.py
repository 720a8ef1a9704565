"""What can be played, against whom, and within which limits."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from stratagem.web.schema.fields import Answer


class ScenarioInfo(Answer):
    """A set-up of a game; `spec` is what `POST /api/sessions` takes."""

    name: str
    spec: str
    title: str
    summary: str
    recommended: bool = Field(False, description="the one to play first")


class GameInfo(Answer):
    """A game of the catalogue, with the recommended scenario first."""

    name: str
    title: str
    summary: str
    seats: str
    picture: bool = Field(False, description="whether /api/picture has one of it")
    tour: bool = Field(False, description="whether /api/tour has a guided first game")
    version: int
    compile_seconds: int = Field(description="roughly, when it is first used; 0: not measured")
    scenarios: list[ScenarioInfo]


class Strength(Answer):
    """One measured match of exactly this opponent on this game and scenario."""

    opponent: str
    games: int
    score: float = Field(description="(wins + draws / 2) / games")
    low: float = Field(description="lower end of the 95 % Wilson interval")
    high: float
    command: str = Field(description="the command that measured it")


class PeopleResult(Answer):
    """How people scored against an agent on this machine, without hints or take-backs."""

    games: int
    won: int
    drawn: int
    lost: int
    low: float = Field(description="lower end of the 95 % Wilson interval of the people's score")
    high: float


class OpponentInfo(Answer):
    """A player that can take a seat. Only measured strength is claimed."""

    spec: str
    title: str
    kind: Literal["best", "checkpoint", "search", "bot", "random"]
    searches: bool = Field(description="whether `sims` can be chosen")
    sims: int | None = Field(None, description="simulations per decision unless chosen otherwise")
    note: str = ""
    style: str = Field("", description="how it plays, in a sentence")
    seconds: float | None = Field(None, description="median time of a move here; null: not known")
    people: PeopleResult | None = Field(None, description="null: nobody has finished a game")
    strength: list[Strength] = Field(default_factory=list)


class GameSetup(Answer):
    """What the new-game dialog needs to know about one game and scenario."""

    game: str
    title: str
    summary: str
    num_seats: int
    has_chance: bool
    has_hidden: bool
    opponents: list[OpponentInfo]
    default_opponent: str
    adviser: str = Field(description="default agent for hints and analyses")


class Rulebook(Answer):
    """The rules of a game for people, as Markdown."""

    game: str
    text: str


class TourStep(Answer):
    """What is explained next, and the code of an action that completes the step."""

    text: str
    until: str = Field("", description="how that code begins; empty: the reader continues")


class Tour(Answer):
    """A guided first game: the scenario, the opponent, and the steps in order."""

    game: str
    opponent: str
    steps: list[TourStep] = Field(min_length=1)


class Limits(Answer):
    """The limits of this server."""

    sessions: int
    sims: int
    queued_searches: int
    message_bytes: int
    upload_bytes: int


class ServerInfo(Answer):
    """The server's version and limits."""

    version: str
    limits: Limits
    workers: int
    sessions: int
