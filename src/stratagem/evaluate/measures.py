"""Measures: how agents play, counted by functions of the game and of other packages.

`rules.measures(states, actions)` turns one recorded game into named numbers. A name that starts
with a seat (`seat0/cohesion`) belongs to the agent in that seat; any other belongs to the game as a
whole. Numbers that a game leaves out, or returns as NaN (the hit rate of a player who never shot),
are not averaged. After the seat, a name may have a side (`vp/ROM`) and a round's number
(`regions/ROM/r9`).

Other packages can add measures for every game with an entry point in `stratagem.measures`: a
function of (game, states, actions) that returns the same kind of mapping.
"""

from __future__ import annotations

import functools
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from stratagem.core.errors import BadRecord, BadSetting
from stratagem.core.game import Game, States
from stratagem.core.plugins import load_plugin, plugins
from stratagem.core.record import GameRecord, read_record, replay
from stratagem.evaluate.intervals import Mean, mean_interval

ALL_GAMES = "game"  # used instead of an agent for measures of the game as a whole

Value = TypeVar("Value")
Measure = Callable[[States, Sequence[int]], Mapping[str, float]]

_OF_SIDE = re.compile(r"([^/]+)/([^/]+)")
_OF_ROUND = re.compile(r"([^/]+)/([^/]+)/r(\d+)")
_OF_SEAT = re.compile(r"seat(\d+)/(.+)")


@dataclass(frozen=True)
class Measures:
    """Mean and interval of each measure, per agent spec (and `game` for the game as a whole)."""

    game: str
    games: int
    by_agent: Mapping[str, Mapping[str, Mean]]

    @property
    def agents(self) -> list[str]:
        """Specs of all agents that were measured."""
        return [agent for agent in self.by_agent if agent != ALL_GAMES]

    @property
    def names(self) -> list[str]:
        """Names of all measures, in the game's order."""
        names: dict[str, None] = {}
        for values in self.by_agent.values():
            names.update(dict.fromkeys(values))
        return list(names)

    @property
    def plain(self) -> list[str]:
        """Names of the measures without sides."""
        return [name for name in self.names if "/" not in name]

    def as_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "games": self.games,
            "agents": {
                agent: {name: asdict(value) for name, value in values.items()}
                for agent, values in self.by_agent.items()
            },
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Measures:
        """Parse the output of `as_json`."""
        by_agent = {
            agent: {name: Mean(**value) for name, value in named.items()}
            for agent, named in values["agents"].items()
        }
        return cls(values["game"], values["games"], by_agent)


def measures_of(game: Game) -> Measure | None:
    """Return the game's own measures plus those of `stratagem.measures` entry points."""
    found: list[Measure] = [] if game.rules.measures is None else [game.rules.measures]
    for name in plugins("measures"):
        outside: Any = load_plugin("measures", name)
        found.append(functools.partial(outside, game))
    if not found:
        return None

    def count(states: States, actions: Sequence[int]) -> dict[str, float]:
        return {key: value for measure in found for key, value in measure(states, actions).items()}

    return count


def measure_games(
    game: Game, records: Iterable[GameRecord], measures: Measure | None = None
) -> Measures:
    """Replay games and average their measures. An agent in several seats counts once for each.

    `measures(states [n + 1], actions [n])` counts one game; default: what the game declares.
    """
    measures = measures or measures_of(game)
    if measures is None:
        raise BadSetting(f"{game.name} declares no measures: nothing can be measured")
    values: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    games = 0
    for record in records:
        games += 1
        states = replay(record, game)
        for name, value in measures(states, [event.action for event in record.events]).items():
            if math.isnan(value):
                continue
            found = _OF_SEAT.fullmatch(name)
            if found and len(record.agents) != game.num_seats:
                raise BadRecord(
                    f"a record names {len(record.agents)} agents, but {game.spec} has "
                    f"{game.num_seats} seats: it was edited or damaged"
                )
            agent = record.agents[int(found[1])] if found else ALL_GAMES
            values[agent][found[2] if found else name].append(float(value))
    return Measures(
        game.spec,
        games,
        {
            agent: {name: mean_interval(numbers) for name, numbers in by_name.items()}
            for agent, by_name in values.items()
        },
    )


def read_games_of(player: str, files: Sequence[Path]) -> list[GameRecord]:
    """Read records, naming all seats as one player, whatever the network was called then."""
    records = [read_record(file) for file in files]
    return [replace(one, agents=(player,) * len(one.agents)) for one in records]


def is_of_round(name: str) -> bool:
    """Whether this measure is part of a series over rounds."""
    return _OF_ROUND.fullmatch(name) is not None


def by_side(values: Mapping[str, Value]) -> dict[str, dict[str, Value]]:
    """Group the values named NAME/SIDE as [NAME][SIDE]."""
    found: dict[str, dict[str, Value]] = {}
    for name, value in values.items():
        if parts := _OF_SIDE.fullmatch(name):
            found.setdefault(parts[1], {})[parts[2]] = value
    return found


def by_round(values: Mapping[str, Value]) -> dict[str, dict[str, dict[int, Value]]]:
    """Group the values named NAME/SIDE/rN as [NAME][SIDE][N]."""
    found: dict[str, dict[str, dict[int, Value]]] = {}
    for name, value in values.items():
        if parts := _OF_ROUND.fullmatch(name):
            found.setdefault(parts[1], {}).setdefault(parts[2], {})[int(parts[3])] = value
    return found
