"""Search results for positions: candidates with prior, visits, value and loss.

All numbers are from the point of view of the deciding seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stratagem.agents import Agent, make_agent
from stratagem.agents.kinds.mcts import MctsAgent
from stratagem.agents.shipped import adviser
from stratagem.core.errors import BadSetting
from stratagem.core.game import Game, States
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import derive_seeds
from stratagem.search import RootReport

# Loss of win rate that earns a mark; these are Lichess's thresholds.
_MARKS = ((0.15, "??"), (0.10, "?"), (0.05, "?!"))


def mark_of(loss: float) -> str:
    """Return ?!, ? or ?? for a decision that gave away this much value."""
    return next((mark for limit, mark in _MARKS if loss / 2.0 >= limit), "")


def perspective(seat: int) -> str:
    """Return whose view the numbers take: seats count from zero, players from one."""
    return f"player {seat + 1}, who decides here"


@dataclass(frozen=True)
class Candidate:
    """One legal action as rated by the search."""

    order: int  # 0: the best
    action: int
    move: str
    prior: float
    visits: int
    value: float | None  # in [-1, 1]; None: never visited
    loss: float | None  # value of the best candidate minus this one's
    played: bool

    @property
    def winrate(self) -> float | None:
        return None if self.value is None else (self.value + 1.0) / 2.0

    def as_json(self) -> dict[str, Any]:
        return {
            "move": self.move,
            "action": self.action,
            "order": self.order,
            "visits": self.visits,
            "winrate": self.winrate,
            "value": self.value,
            "prior": self.prior,
            "loss": self.loss,
            "played": self.played,
        }


@dataclass(frozen=True)
class PositionAnalysis:
    """One searched position; candidates best first."""

    ply: int
    seat: int
    visits: int
    value: float
    moves: tuple[Candidate, ...]

    @property
    def mark(self) -> str:
        """?!, ? or ?? for a played action that gave away this much."""
        losses = [move.loss for move in self.moves if move.played and move.loss is not None]
        return mark_of(max(losses, default=0.0))

    def as_json(self) -> dict[str, Any]:
        return {
            "turnNumber": self.ply,
            "perspective": perspective(self.seat),
            "rootInfo": {
                "visits": self.visits,
                "winrate": (self.value + 1.0) / 2.0,
                "value": self.value,
                "currentPlayer": self.seat,
            },
            "moveInfos": [move.as_json() for move in self.moves],
            "mark": self.mark,
        }


def searching_agent(spec: str, game: Game) -> MctsAgent:
    """Build a spec's agent, which must search; without a spec the shipped one, else playouts."""
    spec = spec or adviser(game)
    agent: Agent = make_agent(spec, game)
    if not isinstance(agent, MctsAgent):
        raise BadSetting(f"agent {spec!r} does not search: use mcts:PATH or mcts:none")
    return agent


def analyse_positions(
    game: Game,
    agent: MctsAgent,
    states: States,
    picks: Sequence[int],
    played: Sequence[int],
    seed: int,
) -> list[PositionAnalysis]:
    """Search these positions of one game in one batch; in each a seat must decide.

    `played[i]` is the action that followed position i, if any.
    """
    roots = states[list(picks)]
    hide_seeds = derive_seeds(seed, "hide", count=len(roots))
    seen = game.hidden_from(roots, roots["seat"], hide_seeds)
    report = agent.analyse(seen, derive_seeds(seed, "analyse", count=len(roots)))
    return [
        PositionAnalysis(
            ply=pick,
            seat=int(roots["seat"][row]),
            visits=int(report.visits[row].sum()),
            value=float(report.root_values[row]),
            moves=candidates_of(game, report, row, seen[row], _at(played, pick)),
        )
        for row, pick in enumerate(picks)
    ]


def _at(played: Sequence[int], ply: int) -> int | None:
    return played[ply] if ply < len(played) else None


def candidates_of(
    game: Game, report: RootReport, row: int, state: Any, played: int | None = None
) -> tuple[Candidate, ...]:
    """Return the legal actions of one searched position, best first."""
    count = int(report.counts[row])
    visits, values = report.visits[row, :count], report.values[row, :count]
    priors = report.priors[row, :count]
    order = np.lexsort((-priors, -values, -visits))
    best = float(values[order[0]])
    return tuple(
        Candidate(
            order=rank,
            action=int(report.actions[row, k]),
            move=game.rules.notation.format_action(state, int(report.actions[row, k])),
            prior=float(priors[k]),
            visits=int(visits[k]),
            value=float(values[k]) if visits[k] else None,
            loss=max(0.0, best - float(values[k])) if visits[k] else None,
            played=int(report.actions[row, k]) == played,
        )
        for rank, k in enumerate(order)
    )


def random_positions(game: Game, seed: int, events: int) -> tuple[States, list[int]]:
    """Return positions [events + 1] of a random game, up to a decision, and its actions."""
    if events < 0:
        raise BadSetting(f"ply {events}: a random game is counted from its beginning: 0 or more")
    states = [game.new_state(seed)]
    actions: list[int] = []
    generator = np.random.Generator(np.random.PCG64(int(derive_seeds(seed, "walk", count=1)[0])))
    while len(actions) < events or int(states[-1]["seat"]) == CHANCE:
        state = states[-1]
        if int(state["seat"]) == OVER:
            raise BadSetting(f"ply {events}: this random game ends after {len(actions)} events")
        if int(state["seat"]) == CHANCE:
            outcomes, chances = zip(*game.chance_outcomes(state), strict=True)
            weights = np.array(chances, np.float64)
            action = int(generator.choice(outcomes, p=weights / weights.sum()))
        else:
            action = int(generator.choice(game.legal_actions(state)))
        actions.append(action)
        states.append(game.after(state, action))
    positions = np.empty(len(states), game.rules.dtype)
    for place, state in enumerate(states):
        positions[place] = state
    return positions, actions
