"""The protocol of the analysis engine: a line of JSON in, a line of JSON out.

Queries and answers use the field names of KataGo's analysis engine where the meaning is the same
(`id`, `moves`, `analyzeTurns`, `maxVisits`, `rootInfo`, `moveInfos`). docs/engine.md lists them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, model_validator

import stratagem
from stratagem.agents.shipped import adviser
from stratagem.agents.spec import AgentSpec
from stratagem.core.errors import BadSetting, StratagemError, UnknownName
from stratagem.core.game import Game, States
from stratagem.core.record import parse_record, replay
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE
from stratagem.core.seeding import derive_seeds
from stratagem.core.settings import check_values
from stratagem.evaluate.analysis import perspective
from stratagem.web.engine import Engine, Job

LONGEST_QUERY = 4 << 20  # characters
_VERSION = "query_version"
_MOST_MOVES = 20_000
_MOST_TURNS = 1_000
_EXAMPLES = 8  # possible moves listed in an error


class Query(BaseModel):
    """A request to analyse positions of one game."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(max_length=200)
    game: str = Field("", max_length=500, description="game spec, unless there is a record")
    setup_seed: int = Field(0, ge=0, lt=2**64)
    moves: tuple[StrictInt | StrictStr, ...] = Field((), max_length=_MOST_MOVES)
    record: str = Field("", description="text of a game record, instead of game and moves")
    agent: str = Field("", max_length=500, description="agent spec; empty: the shipped player")
    maxVisits: int | None = Field(None, ge=1, le=1_000_000)  # noqa: N815
    analyzeTurns: tuple[int, ...] = Field((), max_length=_MOST_TURNS)  # noqa: N815
    seed: int = Field(0, ge=0, lt=2**63)

    @model_validator(mode="after")
    def _one_source(self) -> Query:
        if bool(self.game) == bool(self.record):
            raise ValueError("write either game (and moves) or record")
        return self


class EngineProtocol:
    """Answers queries; games and agents are loaded once and reused."""

    def __init__(self, agent: str = "") -> None:
        self._agent = agent  # analyses queries that do not name an agent
        self._engine = Engine()
        self._games: dict[str, Game] = {}

    def answers(self, line: str) -> Iterator[dict[str, Any]]:
        """Yield one answer per requested position, or one that says what is wrong."""
        identity: dict[str, Any] = {}
        try:
            values = _read(line)
            identity = {"id": values["id"]} if isinstance(values.get("id"), str) else {}
            if values.get("action") == _VERSION:
                yield {**values, "version": stratagem.__version__}
            elif "action" in values:
                raise UnknownName("action", str(values["action"]), (_VERSION,))
            else:
                yield from self._analyse(check_values(Query, values, "query"))
        except StratagemError as error:
            yield {**identity, "error": str(error)}

    def _analyse(self, query: Query) -> Iterator[dict[str, Any]]:
        game, states = self._positions(query)
        turns = query.analyzeTurns or (_last_turn(query, states),)
        for turn in turns:
            if not 0 <= turn < len(states):
                raise BadSetting(f"analyzeTurns: {turn} is not between 0 and {len(states) - 1}")
            if int(states["seat"][turn]) < 0:
                raise BadSetting(_no_decision(game, states[turn], turn))
        roots = states[list(turns)]
        seats = roots["seat"].copy()
        seen = game.hidden_from(roots, seats, derive_seeds(query.seed, "hide", count=len(roots)))
        seeds = derive_seeds(query.seed, "analyse", count=len(roots)).tolist()
        job = Job("analyse", game.spec, self._spec(query, game), seen.tobytes(), tuple(seeds))
        found = self._engine.run(job, lambda visits, interim: False)
        for turn, seat, position in zip(turns, seats.tolist(), found["positions"], strict=True):
            head = {"id": query.id, "isDuringSearch": False, "turnNumber": turn}
            yield {**head, "perspective": perspective(seat), **position}

    def _positions(self, query: Query) -> tuple[Game, States]:
        if query.record:
            record = parse_record(query.record)
            game = self._game(record.game)
            return game, replay(record, game)
        game = self._game(query.game)
        states = np.zeros(len(query.moves) + 1, game.rules.dtype)
        states[:1] = game.new_states(np.array([query.setup_seed], np.uint64))
        for ply, move in enumerate(query.moves):
            states[ply + 1] = game.after(states[ply], _action(game, states[ply], move, ply))
        return game, states

    def _game(self, spec: str) -> Game:
        if spec not in self._games:
            self._games[spec] = load_game(spec)
        return self._games[spec]

    def _spec(self, query: Query, game: Game) -> str:
        text = query.agent or self._agent or adviser(game)
        if query.maxVisits is None:
            return text
        spec = AgentSpec.parse(text)
        options = {**spec.options, "sims": str(query.maxVisits)}
        return f"{spec.kind}:{spec.target}?" + "&".join(f"{k}={v}" for k, v in options.items())


def _read(line: str) -> dict[str, Any]:
    if len(line) > LONGEST_QUERY:
        raise BadSetting(f"the query has more than {LONGEST_QUERY} characters: make it shorter")
    try:
        values = json.loads(line)
    except (ValueError, RecursionError):
        raise BadSetting("the query is not valid JSON: write one object on one line") from None
    if not isinstance(values, dict):
        raise BadSetting("the query is not a JSON object: write one object on one line")
    return values


def _action(game: Game, state: Any, move: int | str, ply: int) -> int:
    """Return the legal action or chance outcome that a move names, by number or by text."""
    possible = _possible(game, state)
    if isinstance(move, int):
        named = [move] if move in possible else []
    else:
        text = game.rules.notation.format_action
        named = [action for action in possible if text(state, action) == move]
    if not named:
        raise BadSetting(f"moves: {move!r} is not possible at turn {ply}{_choices(game, state)}")
    return named[0]


def _possible(game: Game, state: Any) -> list[int]:
    """Return the legal actions or chance outcomes of a position; none if the game is over."""
    seat = int(state["seat"])
    if seat == CHANCE:
        return [int(outcome) for outcome, _ in game.chance_outcomes(state)]
    return [int(action) for action in game.legal_actions(state)] if seat >= 0 else []


def _last_turn(query: Query, states: States) -> int:
    """Return the default position to analyse: in a record, where somebody last decided."""
    deciding = np.flatnonzero(states["seat"] >= 0)
    return int(deciding[-1]) if query.record and len(deciding) else len(states) - 1


def _no_decision(game: Game, state: Any, turn: int) -> str:
    if int(state["seat"]) == CHANCE:
        return f"chance decides at turn {turn}: add its outcome to moves{_choices(game, state)}"
    return f"the game is over at turn {turn}: use an earlier turn in analyzeTurns"


def _choices(game: Game, state: Any) -> str:
    """Return `: write one of 'a1', 'b1', … or its number`, so that nobody has to guess."""
    possible = _possible(game, state)
    texts = [repr(game.rules.notation.format_action(state, one)) for one in possible[:_EXAMPLES]]
    if not texts:
        return ": the game is over"
    more = ", …" if len(possible) > _EXAMPLES else ""
    return f": write one of {', '.join(texts)}{more}, or its number (such as {possible[0]})"
