"""The result of a match: outcomes per game, counts per agent and seat, and their JSON.

By the game's returns, a sole first place is a win, a shared one a draw, and anything else a loss;
with two seats that is the usual meaning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from stratagem.core.record import GameRecord
from stratagem.evaluate.elo import rating_difference
from stratagem.evaluate.intervals import wilson
from stratagem.evaluate.seating import Seats


@dataclass(frozen=True)
class Outcome:
    """How one game ended. Seat s was played by agent `agents[s]`."""

    group: int  # games of one group share their set-up and dice
    agents: tuple[int, ...]
    returns: tuple[float, ...]
    scores: tuple[float, ...]
    plies: int

    def result_of(self, seat: int) -> float:
        """Return 1 for a sole first place, 1/2 for a shared one, else 0."""
        best = max(self.returns)
        if self.returns[seat] < best:
            return 0.0
        return 1.0 if self.returns.count(best) == 1 else 0.5

    def share_of(self, seat: int) -> float:
        """Return this seat's share of all points at the table; an equal share if there are none."""
        total = sum(self.scores)
        return self.scores[seat] / total if total > 0.0 else 1.0 / len(self.scores)

    def duel(self, agent: int, other: int) -> float:
        """Return how often this agent finished above the other, seat against seat; a tie is 1/2."""
        mine = [value for a, value in zip(self.agents, self.returns, strict=True) if a == agent]
        theirs = [value for a, value in zip(self.agents, self.returns, strict=True) if a == other]
        points = sum(0.5 * ((x > y) + (x >= y)) for x in mine for y in theirs)
        return points / (len(mine) * len(theirs))


@dataclass(frozen=True)
class Tally:
    """Counts over a set of (game, seat) appearances."""

    games: int
    wins: int
    draws: int
    losses: int
    score: float  # (wins + draws / 2) / games
    wilson: tuple[float, float]
    mean_score: float  # in the game's own points
    vp_share: float | None  # share of all points at the table; only with more than two seats


@dataclass(frozen=True)
class SeatResult:
    """An agent's counts in one seat."""

    seat: int
    tally: Tally

    def as_json(self) -> dict[str, Any]:
        return {"seat": self.seat, **_tally_json(self.tally)}


@dataclass(frozen=True)
class AgentResult:
    """An agent's counts over the whole match; an agent in several seats counts in each."""

    spec: str
    tally: Tally
    decisions: int
    mean_decision_ms: float
    by_seat: tuple[SeatResult, ...]
    forfeits: Mapping[str, int] = field(default_factory=dict)  # games lost by rule, by reason

    def as_json(self) -> dict[str, Any]:
        forfeits = {"forfeits": dict(self.forfeits)} if self.forfeits else {}
        return {
            "spec": self.spec,
            **forfeits,
            **_tally_json(self.tally),
            "decisions": self.decisions,
            "mean_decision_ms": self.mean_decision_ms,
            "by_seat": [seat.as_json() for seat in self.by_seat],
        }


@dataclass(frozen=True)
class MatchResult:
    """The result of a match. The same seed gives the same result, except for the times."""

    game: str
    games: int
    seed: int
    seats: Seats
    agents: tuple[AgentResult, ...]
    outcomes: tuple[Outcome, ...]
    records: tuple[GameRecord, ...] = ()  # only if the match was told to keep them

    def as_json(self) -> dict[str, Any]:
        """Return the `match` JSON that other programs rely on."""
        duels = [outcome.duel(0, 1) for outcome in self.outcomes] if len(self.agents) == 2 else []
        value: dict[str, Any] = {
            "game": self.game,
            "games": self.games,
            "seed": self.seed,
            "seats": self.seats,
            "agents": [agent.as_json() for agent in self.agents],
        }
        if duels:
            value["elo_difference"] = elo_difference(duels)
        return value


def elo_difference(scores: Sequence[float]) -> dict[str, float]:
    """Return how many Elo points the first of two agents is ahead, with its interval."""
    score = sum(scores) / len(scores)
    low, high = wilson(score, len(scores))
    return {
        "difference": rating_difference(score),
        "low": rating_difference(low),
        "high": rating_difference(high),
    }


def tally(outcomes: Sequence[Outcome], appearances: Sequence[tuple[int, int]]) -> Tally:
    """Count the given (game, seat) appearances."""
    results = [outcomes[game].result_of(seat) for game, seat in appearances]
    games = len(results)
    wins, draws = results.count(1.0), results.count(0.5)
    score = (wins + draws / 2.0) / games if games else 0.0
    points = sum(outcomes[game].scores[seat] for game, seat in appearances)
    shares = sum(outcomes[game].share_of(seat) for game, seat in appearances)
    many = bool(outcomes) and len(outcomes[0].agents) > 2
    return Tally(
        games=games,
        wins=wins,
        draws=draws,
        losses=games - wins - draws,
        score=score,
        wilson=wilson(score, games),
        mean_score=points / games if games else 0.0,
        vp_share=(shares / games if games else 0.0) if many else None,
    )


def agent_result(
    index: int, spec: str, outcomes: Sequence[Outcome], decisions: int, mean_decision_ms: float
) -> AgentResult:
    """Count everything for one agent of a match."""
    held = [
        (game, seat)
        for game, outcome in enumerate(outcomes)
        for seat, agent in enumerate(outcome.agents)
        if agent == index
    ]
    by_seat = tuple(
        SeatResult(seat, tally(outcomes, [place for place in held if place[1] == seat]))
        for seat in sorted({seat for _, seat in held})
    )
    return AgentResult(spec, tally(outcomes, held), decisions, mean_decision_ms, by_seat)


def _tally_json(counts: Tally) -> dict[str, Any]:
    value = asdict(counts)
    value["wilson"] = list(counts.wilson)
    if counts.vp_share is None:
        del value["vp_share"]
    return value
