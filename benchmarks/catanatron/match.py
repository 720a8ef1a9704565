"""Our agents against Catanatron's bots, in Catanatron's own engine.

    python benchmarks/catanatron/match.py scripted value [--games 200] [--python PY] [--json]

Each board is played twice with seats swapped. Our agent is asked through a record of the position
from which everything that its seat cannot see has been drawn anew. Boards come from our generator.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
from link import start_catanatron
from translate import board_of, describe, load, rebuild, rules_of, say

from stratagem.agents import Agent, make_agent
from stratagem.agents.external_process import ExternalProcess
from stratagem.core.game import Game, as_batch
from stratagem.core.seeding import derive_seed, derive_seeds
from stratagem.evaluate.intervals import wilson
from stratagem.runs.provenance import collect_provenance

OURS = "ours"


@dataclass
class Seat:
    """One game in progress: the fresh state of its board, our seat, and moves already decided."""

    start: Any
    seat: int
    plan: list[list[Any]] = field(default_factory=list)


@dataclass
class Tally:
    """Results of a match from our side."""

    wins: int = 0
    losses: int = 0
    unfinished: int = 0
    wins_by_seat: list[int] = field(default_factory=lambda: [0, 0])
    points: list[int] = field(default_factory=list)
    their_points: list[int] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    substitutions: Counter[str] = field(default_factory=Counter)
    decisions: int = 0
    seconds: float = 0.0

    def add(self, table: dict[str, Any], seat: int) -> None:
        winner = table["winner"]
        if winner < 0:
            self.unfinished += 1
        elif winner == seat:
            self.wins += 1
            self.wins_by_seat[seat] += 1
        else:
            self.losses += 1
        self.points.append(table["points"][seat])
        self.their_points.append(table["points"][1 - seat])
        self.turns.append(table["turns"])

    def report(self) -> dict[str, Any]:
        games = self.wins + self.losses + self.unfinished
        low, high = wilson(self.wins / games, games)
        return {
            "games": games,
            "wins": self.wins,
            "losses": self.losses,
            "at_turn_limit": self.unfinished,
            "win_rate": round(self.wins / games, 4),
            "wilson": [round(low, 4), round(high, 4)],
            "wins_by_seat": self.wins_by_seat,
            "mean_points": round(float(np.mean(self.points)), 2),
            "their_mean_points": round(float(np.mean(self.their_points)), 2),
            "median_turns": float(np.median(self.turns)),
            "mean_decision_ms": round(1000 * self.seconds / max(self.decisions, 1), 3),
            "substitutions": dict(self.substitutions),
        }


class OurSide:
    """Our agent behind their offers: turns positions into records and choices into their words."""

    def __init__(self, game: Game, agent: Agent, seed: int, tally: Tally) -> None:
        self._game, self._agent, self._tally = game, agent, tally
        self._seed, self._asked = seed, 0

    def choose(self, seats: list[Seat], offers: list[dict[str, Any]]) -> list[list[Any]]:
        """One offered action for each table."""
        chosen: list[list[Any] | None] = [
            self._without_asking(seat, offer) for seat, offer in zip(seats, offers, strict=True)
        ]
        open_ones = [k for k, said in enumerate(chosen) if said is None]
        if open_ones:
            records = np.concatenate(
                [
                    as_batch(rebuild(self._game, seats[k].start, offers[k]["table"]))
                    for k in open_ones
                ]
            )
            for k, record, action in zip(open_ones, records, self._ask(records), strict=True):
                plan = self._plan(record, int(action))
                seats[k].plan = plan[1:]
                chosen[k] = self._offered(plan[0], offers[k]["playable"])
        return [said for said in chosen if said is not None]

    def _without_asking(self, seat: Seat, offer: dict[str, Any]) -> list[Any] | None:
        if seat.plan:
            return self._offered(seat.plan.pop(0), offer["playable"])
        return offer["playable"][0] if len(offer["playable"]) == 1 else None

    def _ask(self, records: Any) -> Any:
        self._asked += 1
        seeds = derive_seeds(self._seed, "hide", self._asked, count=len(records))
        hidden = self._game.hidden_from(records, records["seat"], seeds)
        started = time.perf_counter()
        actions = self._agent.act(
            hidden, derive_seeds(self._seed, "act", self._asked, count=len(records))
        )
        self._tally.seconds += time.perf_counter() - started
        self._tally.decisions += len(records)
        return actions

    def _plan(self, record: Any, action: int) -> list[list[Any]]:
        """Their actions that make up one of ours."""
        said = say(record, action)
        match said[0]:
            case "knight":
                return [["knight"], ["robber", said[1]]]
            case "free-road":
                road = ["road", *said[1:]]
                return [road] if describe(record)["phase"] == "free-road" else [["roads"], road]
            case "plenty":
                after = self._game.after(record, action)
                if after["seat"] != record["seat"] or after["left"] == 0:
                    return [said]
                second = say(after, int(self._ask(as_batch(after))[0]))
                return [["plenty", *sorted((said[1], second[1]))]]
        return [said]

    def _offered(self, wanted: list[Any], playable: list[list[Any]]) -> list[Any]:
        """The offer that is meant; where rules differ and there is none, another of its kind."""
        for offer in playable:
            if offer[: len(wanted)] == wanted:
                return offer
        self._tally.substitutions[wanted[0]] += 1
        return next((offer for offer in playable if offer[0] == wanted[0]), playable[0])


def play(
    spec: str, bot: str, games: int, seed: int, python: str | None, together: int = 64
) -> Tally:
    """Pairs of games with seats swapped on boards that depend on the seed alone."""
    game, tally = load(bank_rule="nobody"), Tally()
    boards = game.new_states(derive_seeds(seed, "bridge", count=(games + 1) // 2))
    ours = OurSide(game, make_agent(spec, game), seed, tally)
    with start_catanatron(python) as other:
        for first in range(0, games, together):
            block = range(first, min(first + together, games))
            seats = {str(n): Seat(boards[n // 2], n % 2) for n in block}
            _play_block(other, ours, bot, seats, seed, tally)
    return tally


def _play_block(
    other: ExternalProcess, ours: OurSide, bot: str, seats: dict[str, Seat], seed: int, tally: Tally
) -> None:
    for name, seat in seats.items():
        players = [OURS if k == seat.seat else bot for k in range(2)]
        other.ask(
            {
                "do": "new", "game": name, "players": players, "board": board_of(seat.start),
                "rules": rules_of(seat.start), "seed": derive_seed(seed, "game", name) >> 1,
            }
        )  # fmt: skip
    choices: dict[str, list[Any] | None] = dict.fromkeys(seats)
    while choices:
        answer = other.ask({"do": "advance", "choices": choices})
        for name, table in answer["over"].items():
            tally.add(table, seats[name].seat)
            other.ask({"do": "drop", "game": name})
        waiting = answer["waiting"]
        said = ours.choose([seats[name] for name in waiting], list(waiting.values()))
        choices = dict(zip(waiting, said, strict=True))


def keep(match: dict[str, Any], file: Path) -> None:
    """Add a match to those that a file holds, with the commit that it was played on."""
    found = collect_provenance()
    matches = json.loads(file.read_text())["matches"] if file.is_file() else []
    matches.append({**match, "commit": found.commit, "date": date.today().isoformat()})
    file.write_text(json.dumps({"matches": matches}, indent=2) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("agent", help="our agent spec, e.g. scripted or mcts:RUN?sims=200")
    parser.add_argument("bot", help="random, weighted, points, value or alphabeta")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--python", help="Python with Catanatron; default: $CATANATRON_PYTHON")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--out", type=Path, help="also add the match to this file of matches")
    given = parser.parse_args()
    report = play(given.agent, given.bot, given.games, given.seed, given.python).report()
    match = {"agent": given.agent, "bot": given.bot, "seed": given.seed, **report}
    if given.out is not None:
        keep(match, given.out)
    if given.json:
        print(json.dumps(match))
        return
    for key, value in report.items():
        print(f"{key:>18}  {value}")


if __name__ == "__main__":
    main()
