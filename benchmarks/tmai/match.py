"""Our agents against the players of tmai, the same game kept in step in both engines.

    python benchmarks/tmai/match.py --tmai PATH --agent best --opponent AI_Lode --games 100

Each set-up is played twice with seats swapped. After every move all of both positions is compared;
the first difference ends that game as diverged: it is named, counted, and not among the results.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from link import start_tmai
from lockstep import Table

from stratagem.agents import Agent, make_agent
from stratagem.agents.external_process import ExternalProcess
from stratagem.core.game import Game
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seed, derive_seeds
from stratagem.evaluate.intervals import mean_interval, wilson
from stratagem.games.terra_mystica.board.factions import FACTIONS

SCENARIOS = {
    "halflings-engineers": "terra_mystica/halflings-engineers",
    "random": "terra_mystica/2p-random",
}
OPPONENTS = ("AI_Lode", "Level5")


@dataclass
class Tally:
    """Results of a match from our side."""

    wins: int = 0
    draws: int = 0
    points: list[int] = field(default_factory=list)
    their_points: list[int] = field(default_factory=list)
    by_faction: dict[str, list[int]] = field(default_factory=dict)  # games, wins, points, theirs
    divergences: Counter[str] = field(default_factory=Counter)
    exempt: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    decisions: int = 0
    seconds: float = 0.0

    def add(self, table: Table) -> None:
        self.exempt.update(table.exempt)
        self.refused += table.status["fumbles"]
        if table.diverged:
            self.divergences[table.diverged] += 1
            return
        points = [int(vp) for vp in table.s["vp"]]
        mine, theirs = points[table.ours], points[1 - table.ours]
        self.wins += mine > theirs
        self.draws += mine == theirs
        self.points.append(mine)
        self.their_points.append(theirs)
        name = FACTIONS[int(table.s["faction"][table.ours])]
        row = self.by_faction.setdefault(name, [0, 0, 0, 0])
        for k, number in enumerate((1, mine > theirs, mine, theirs)):
            row[k] += int(number)

    def report(self) -> dict[str, Any]:
        games, lost = len(self.points), sum(self.divergences.values())
        result: dict[str, Any] = {
            "games": games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": games - self.wins - self.draws,
            "diverged": lost,
            "divergences": dict(self.divergences),
            "set_right": {name: count for name, count in self.exempt.items() if count},
            "refused_to_them": self.refused,
            "mean_decision_ms": round(1000 * self.seconds / max(self.decisions, 1), 1),
        }
        if games:
            score = (self.wins + self.draws / 2) / games
            worst = self.wins / (games + lost)
            margins = [a - b for a, b in zip(self.points, self.their_points, strict=True)]
            margin = mean_interval(margins)
            result |= {
                "score": round(score, 4),
                "wilson": [round(end, 4) for end in wilson(score, games)],
                "win_rate_if_diverged_were_lost": round(worst, 4),
                "mean_points": round(float(np.mean(self.points)), 2),
                "their_mean_points": round(float(np.mean(self.their_points)), 2),
                "mean_margin": [round(float(x), 2) for x in (margin.mean, margin.low, margin.high)],
                "by_faction": {
                    name: {
                        "games": n,
                        "wins": wins,
                        "mean_points": round(mine / n, 2),
                        "their_mean_points": round(theirs / n, 2),
                    }
                    for name, (n, wins, mine, theirs) in sorted(self.by_faction.items())
                },
            }
        return result


def play(
    other: ExternalProcess,
    spec: str,
    opponent: str,
    games: int,
    seed: int,
    factions: str = "halflings-engineers",
    together: int = 20,
    show: bool = False,
) -> Tally:
    """Pairs of games with seats swapped on set-ups that depend on the seed alone."""
    game, tally = load_game(SCENARIOS[factions]), Tally()
    agent = make_agent(spec, game)
    starts = game.new_states(derive_seeds(seed, "bridge", count=(games + 1) // 2))
    for first in range(0, games, together):
        tables = [
            Table(
                other, str(n), starts[n // 2], n % 2, opponent, derive_seed(seed, n) % (1 << 32)
            )
            for n in range(first, min(first + together, games))
        ]  # fmt: skip
        _play_block(game, agent, tables, derive_seed(seed, "act", first), tally)
        for table in tables:
            tally.add(table)
            table.close()
            if show:
                print("\n".join([f"game {table.name}", *table.moves, table.diverged or "over"]))
                print(table.s["vp"][:2].tolist(), flush=True)
    return tally


def _play_block(game: Game, agent: Agent, tables: list[Table], seed: int, tally: Tally) -> None:
    """Games side by side, so that the agent is asked about many positions at once."""
    asked = 0
    for table in tables:
        table.let_them_play()
    while waiting := [table for table in tables if not table.over]:
        asked += 1
        states = np.concatenate([table.states for table in waiting])
        ids, counts = game.legal(states)
        actions = ids[:, 0].astype(np.int64)
        open_ones = np.flatnonzero(counts > 1)
        if len(open_ones):
            started = time.perf_counter()
            seeds = derive_seeds(seed, asked, count=len(open_ones))
            actions[open_ones] = agent.act(states[open_ones], seeds)
            tally.seconds += time.perf_counter() - started
            tally.decisions += len(open_ones)
        for table, action in zip(waiting, actions, strict=True):
            table.decide(int(action))
            table.let_them_play()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tmai", help="folder of tmai; default: $TMAI_PATH")
    parser.add_argument("--agent", default="best", help="our agent spec, e.g. best or scripted")
    parser.add_argument("--opponent", choices=OPPONENTS, default="AI_Lode")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--factions", choices=SCENARIOS, default="halflings-engineers")
    parser.add_argument("--together", type=int, default=20, help="games side by side")
    parser.add_argument("--show", action="store_true", help="print every move of every game")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with start_tmai(given.tmai) as other:
        tally = play(
            other, given.agent, given.opponent, given.games, given.seed, given.factions,
            given.together, given.show,
        )  # fmt: skip
    head = {"agent": given.agent, "opponent": given.opponent, "factions": given.factions}
    report = {**head, "seed": given.seed, **tally.report()}
    if given.json:
        print(json.dumps(report))
        return
    for key, value in report.items():
        print(f"{key:>30}  {value}")


if __name__ == "__main__":
    main()
