"""How people score against each agent on this machine, and how long the agents think.

Only games of one person against one kind of agent count, without hints or take-backs: one line
each.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from pathlib import Path
from statistics import median
from typing import Any

from stratagem.core.journal import append_lines
from stratagem.core.reading import MEGABYTE, read_regular
from stratagem.core.session import HUMAN, GameSession
from stratagem.evaluate.intervals import wilson
from stratagem.web.schema import PeopleResult

_MOST_BYTES = 16 * MEGABYTE
_MOVES_KEPT = 99  # of an agent in a game, the last ones
_TELLING_MOVES = 3
_FILE = "people.jsonl"


class People:
    """Results of people against agents, and how long agents have taken since the server began."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / _FILE
        self._seconds: dict[tuple[str, str], deque[float]] = {}

    def note_result(self, name: str, session: GameSession, helped: bool) -> None:
        """Store how a game ended, if it says something about relative strength."""
        returns, agents = session.returns, session.setup.agents
        others = {agent for agent in agents if agent != HUMAN}
        if helped or returns is None or len(session.humans) != 1 or len(others) != 1:
            return
        mine, best = returns[session.humans[0]], max(returns)
        drawn = mine == best and all(value == best for value in returns)
        values = {
            "session": name,
            "game": session.setup.game,
            "agent": others.pop(),
            "result": "drawn" if drawn else "won" if mine == best else "lost",
        }
        append_lines(self._file, [values])

    def note_move(self, game: str, agent: str, seconds: float) -> None:
        kept = self._seconds.setdefault((game, agent), deque(maxlen=_MOVES_KEPT))
        kept.append(seconds)

    def seconds(self, game: str, agent: str) -> float | None:
        """Return the median time of a move here: the first ones load what they need.

        None: there have been too few to tell.
        """
        kept = self._seconds.get((game, agent), ())
        return median(kept) if len(kept) >= _TELLING_MOVES else None

    def results(self, game: str) -> dict[str, PeopleResult]:
        """Return results on one game and scenario, by agent; a session counts as it last ended."""
        last = {line["session"]: line for line in self._lines() if line.get("game") == game}
        counts: dict[str, Counter[str]] = {}
        for line in last.values():
            counts.setdefault(str(line["agent"]), Counter())[str(line["result"])] += 1
        return {agent: _result(found) for agent, found in counts.items()}

    def _lines(self) -> list[dict[str, Any]]:
        try:
            text = read_regular(self._file, _MOST_BYTES).decode(errors="replace")
        except OSError:
            return []
        lines = []
        for line in text.splitlines():
            try:
                values = json.loads(line)
                if {"session", "game", "agent", "result"} <= set(values):
                    lines.append(values)
            except (ValueError, TypeError, RecursionError):
                continue  # cut off by a kill
        return lines


def _result(found: Counter[str]) -> PeopleResult:
    games = sum(found.values())
    low, high = wilson((found["won"] + found["drawn"] / 2) / games, games)
    return PeopleResult(
        games=games, won=found["won"], drawn=found["drawn"], lost=found["lost"], low=low, high=high
    )
