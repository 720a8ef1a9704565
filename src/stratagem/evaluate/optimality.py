"""How often an agent plays perfectly, in games that declare an exact solver.

A move *holds* if it keeps the position's result under best play (win, draw or loss); it is *best*
if it also wins as soon, or loses as late, as possible. In a lost position every move holds, so the
share over *critical* positions, where some move gives the result away, is counted separately.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from stratagem.core.agent import Agent
from stratagem.core.errors import BadSetting
from stratagem.core.files import write_atomically
from stratagem.core.game import Actions, Game, States, as_batch, state_hash
from stratagem.core.reading import MEGABYTE, read_json
from stratagem.core.record import replay
from stratagem.core.seeding import Seeds, derive_generator, derive_seed, derive_seeds
from stratagem.core.solution import Solution
from stratagem.evaluate.intervals import wilson
from stratagem.evaluate.matches import play_match

_MOST_BYTES = 256 * MEGABYTE
_BATCH = 256  # positions per call of the agent
_SAVE_EVERY = 50  # solved positions
OnSolved = Callable[[int, int], None]  # (positions done, positions in all)


@dataclass(frozen=True)
class Share:
    """A share of some positions, with its 95 % interval."""

    positions: int
    share: float
    wilson: tuple[float, float]


@dataclass(frozen=True)
class Optimality:
    """An agent's shares over a set of solved positions."""

    agent: str
    holding: Share
    critical: Share  # holding, among the positions where some move does not
    best: Share

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


class _StrayingAgent:
    """Plays another agent's moves, with some random ones mixed in, so that its games differ."""

    def __init__(self, agent: Agent, game: Game, share: float) -> None:
        self.spec = agent.spec
        self._agent, self._game, self._share = agent, game, share

    def act(self, states: States, seeds: Seeds) -> Actions:
        actions = self._agent.act(states, seeds)
        ids, counts = self._game.legal(states)
        for row, seed in enumerate(seeds):
            generator = derive_generator(int(seed), "stray")
            if generator.random() < self._share:
                actions[row] = ids[row, generator.integers(counts[row])]
        return actions


def sample_positions(
    game: Game, agent: Agent, count: int, seed: int, first_ply: int = 0, stray: float = 0.2
) -> States:
    """Sample different positions from the agent's games against itself, one from each game.

    A share `stray` of the moves is random. A position is chosen uniformly from those that a game
    reached from `first_ply` on.
    """
    if count < 1 or first_ply < 0 or not 0 <= stray <= 1:
        raise BadSetting(
            "sample at least one position, from ply 0 or later, with stray from 0 to 1"
        )
    player = _StrayingAgent(agent, game, stray)
    found: dict[bytes, Any] = {}
    for attempt in range(20):
        match = play_match(
            game, (player, player), count, derive_seed(seed, "games", attempt), keep=True
        )
        draw = derive_generator(seed, "positions", attempt)
        for record in match.records:
            states = replay(record, game)[:-1][first_ply:]
            if len(states) and len(found) < count:
                state = states[draw.integers(len(states))]
                found.setdefault(state.tobytes(), state)
        if not found:
            raise BadSetting(
                f"none of {count} games lasts until ply {first_ply}: choose an earlier one"
            )
        if len(found) == count:
            return np.concatenate([as_batch(state) for state in found.values()])
    raise BadSetting(
        f"only {len(found)} different positions in {20 * count} games: ask for fewer, or let the "
        "agent stray more"
    )


def solver_of(game: Game) -> Callable[[Any], Solution]:
    """Return the game's exact solver; refuse a game that has none."""
    if game.rules.solve is None:
        raise BadSetting(f"{game.name} has no solver: optimal moves are known in connect_four only")
    return game.rules.solve


def solve_positions(
    game: Game, states: States, known: Path | None = None, on_solved: OnSolved | None = None
) -> list[Solution]:
    """Solve each position, unless its solution is in the file `known`.

    New solutions are added to that file as they are found, so an interrupted call loses little.
    """
    solve = solver_of(game)
    solved = read_solutions(known) if known is not None and known.is_file() else {}
    solutions, fresh = [], 0
    for number, state in enumerate(states, start=1):
        name = state_hash(state)
        if name not in solved:
            solved[name] = solve(state)
            fresh += 1
            if known is not None and fresh % _SAVE_EVERY == 0:
                write_solutions(solved, known)
        solutions.append(solved[name])
        if on_solved is not None:
            on_solved(number, len(states))
    if known is not None and fresh % _SAVE_EVERY:
        write_solutions(solved, known)
    return solutions


def grade_agent(
    agent: Agent, game: Game, states: States, solutions: Sequence[Solution], seed: int
) -> Optimality:
    """Ask the agent for a move in every position, and count."""
    seeds = derive_seeds(seed, "decisions", count=len(states))
    actions = np.concatenate(
        [
            agent.act(states[first : first + _BATCH], seeds[first : first + _BATCH])
            for first in range(0, len(states), _BATCH)
        ]
    )
    _, legal = game.legal(states)
    holding = [int(a) in one.holding for a, one in zip(actions, solutions, strict=True)]
    best = [int(a) in one.best for a, one in zip(actions, solutions, strict=True)]
    critical = [len(one.holding) < count for one, count in zip(solutions, legal, strict=True)]
    chosen = [held for held, matters in zip(holding, critical, strict=True) if matters]
    return Optimality(agent.spec, _share(holding), _share(chosen), _share(best))


def _share(kept: Sequence[bool]) -> Share:
    share = sum(kept) / len(kept) if kept else 0.0
    return Share(len(kept), share, wilson(share, len(kept)))


def read_solutions(file: Path) -> dict[str, Solution]:
    """Read solutions by the hash of their positions."""
    try:
        values: dict[str, list[Any]] = read_json(file, _MOST_BYTES)
        return {
            name: Solution(int(value), tuple(best), tuple(holding))
            for name, (value, best, holding) in values.items()
        }
    except (ValueError, TypeError, AttributeError):
        raise BadSetting(f"{file} contains no solved positions: use another file") from None


def write_solutions(solutions: dict[str, Solution], file: Path) -> None:
    """Write one line per position, in the order of their hashes."""
    lines = [
        f'"{name}":{json.dumps([one.value, one.best, one.holding], separators=(",", ":"))}'
        for name, one in sorted(solutions.items())
    ]
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(file, "{\n" + ",\n".join(lines) + "\n}\n")
