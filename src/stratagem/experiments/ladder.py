"""The ladder of a scenario: its players, a file from which it can be resumed, and its result.

The file contains every game that was played, so a ladder can be stopped at any time, refined later,
or extended by more players.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from stratagem.agents import make_agent
from stratagem.agents.assistance import describe_help, shipped_agents
from stratagem.core.errors import BadCheckpoint, BadSetting
from stratagem.core.files import write_atomically
from stratagem.core.game import Game
from stratagem.core.reading import MEGABYTE, read_json
from stratagem.evaluate.ladder import Block, Ladder, StopRule
from stratagem.evaluate.tournaments import ANCHOR
from stratagem.experiments.publish import refuse_changed, results_folder
from stratagem.runs.provenance import find_checkout

FOLDER = "ladder"  # below results/
_MOST_BYTES = 256 * MEGABYTE
PLAIN_SIMS = (20, 200, 1600)  # of searches without a network
_PLAYOUT_SIMS = 800  # of a search with a bot's playouts


class _Rating(BaseModel):
    rating: float
    low: float
    high: float


class _Player(BaseModel):
    agent: str
    rating: _Rating


class _Pair(BaseModel):
    first: str
    second: str
    games: int
    score: float
    wilson: tuple[float, float]


class _Published(BaseModel):
    """The parts of a published ladder that its readers need."""

    model_config = ConfigDict(extra="allow", allow_inf_nan=False)

    game: str
    anchor: str
    date: str
    commit: str
    agents: list[_Player]
    pairs: list[_Pair]


def default_players(game: Game) -> list[str]:
    """Return players that need no training: shipped agents, bots, plain searches, random."""
    bots = list(game.rules.bots)
    searches = [f"mcts:none?sims={sims}" for sims in PLAIN_SIMS]
    playouts = [f"mcts:none?sims={_PLAYOUT_SIMS}&playout={bot}" for bot in bots[:1]]
    shipped = [name for name in shipped_agents(game) if _can_play(name, game)]
    return [*shipped, *bots, *searches, *playouts, ANCHOR]


def _can_play(name: str, game: Game) -> bool:
    """Whether a shipped network fits; it may not if a scenario's board was changed."""
    try:
        make_agent(name, game)
    except BadCheckpoint:
        return False
    return True


def start_ladder(
    game: Game, players: Sequence[str], seed: int, precision: StopRule, file: Path
) -> Ladder:
    """Start a new ladder; refuse a file that already contains one."""
    if file.exists():
        raise BadSetting(
            f"{file} already contains a ladder: continue with --resume, or choose another --out"
        )
    return Ladder(game, check_players(game, players), seed, precision)


def resume_ladder(
    game: Game, players: Sequence[str], seed: int, precision: StopRule, file: Path
) -> Ladder:
    """Load a ladder with every game that was played; players may be added."""
    if not file.is_file():
        raise BadSetting(f"no ladder to continue in {file}: leave out --resume")
    try:
        values = read_json(file, _MOST_BYTES)
        blocks = [Block.from_json(block) for block in values["blocks"]]
        was = {key: values[key] for key in ("game", "version", "seed", "commit")}
        names = [str(agent["agent"]) for agent in values["agents"]]
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError):
        raise BadSetting(f"{file} is not a ladder: choose another --out") from None
    commit = str(find_checkout())
    now = {"game": game.spec, "version": game.version, "seed": seed, "commit": commit}
    for key, value in now.items():
        if was[key] != value:
            raise BadSetting(
                f"{file} was played with {key} {was[key]!r}, not {value!r}: start another "
                "ladder with --out"
            )
    joined = [*names, *players]
    return Ladder(game, check_players(game, joined), seed, precision, blocks)


def check_players(game: Game, players: Sequence[str]) -> list[str]:
    """Return each player once, in order; refuse a spec from which no agent can be built."""
    chosen = list(dict.fromkeys([*players, ANCHOR]))
    for spec in chosen:
        make_agent(spec, game)
    if len(chosen) < 2:
        raise BadSetting("a ladder needs an agent besides random: add one")
    return chosen


def write_ladder(ladder: Ladder, done: bool, file: Path) -> dict[str, Any]:
    """Write the whole ladder to its file, and return its contents."""
    result = ladder_json(ladder, done)
    write_atomically(file, json.dumps(result, indent=1) + "\n")
    return result


def ladder_json(ladder: Ladder, done: bool) -> dict[str, Any]:
    """Return the rungs with the help each player had, all pairs, and their games."""
    game, seats = ladder.game, ladder.game.num_seats
    rungs = [{**asdict(rung), "help": describe_help(rung.agent, game)} for rung in ladder.rungs()]
    return {
        "game": game.spec,
        "title": game.title,
        "version": game.version,
        "seats": seats,
        "parity": {"mean_rank": (seats + 1) / 2.0, "share_of_points": 1.0 / seats},
        "anchor": ANCHOR,
        "seed": ladder.seed,
        "precision": asdict(ladder.precision),
        "done": done,
        "date": datetime.date.today().isoformat(),
        "commit": str(find_checkout()),
        "agents": rungs,
        "pairs": ladder.pairs(),
        "blocks": [block.as_json() for block in ladder.blocks],
    }


def file_name(game: Game) -> str:
    """Return the name of a game's ladder file: `battlefield-default.json`."""
    return "".join(c if c.isalnum() or c in "-_." else "-" for c in game.spec) + ".json"


def publish_ladder(result: dict[str, Any], game: Game, folder: Path | None = None) -> Path:
    """Write the ladder to results/ladder, from which tables are generated."""
    refuse_changed(result, "the ladder")
    count = len(result["agents"])
    if len(result["pairs"]) < count * (count - 1) // 2:
        raise BadSetting("some pairs of this ladder have not played yet: continue with --resume")
    file = (folder or results_folder() / FOLDER) / file_name(game)
    write_atomically(file, json.dumps(result, indent=1) + "\n")
    return file


def read_ladders(folder: Path) -> list[dict[str, Any]]:
    """Read every published ladder, by the name of its game; other files are skipped."""
    found = []
    for file in sorted(folder.glob("*.json")):
        try:
            values = read_json(file, _MOST_BYTES)
            _Published.model_validate(values)
        except (OSError, ValueError):  # one damaged file must not hide the others
            continue
        found.append(values)
    return sorted(found, key=lambda values: str(values["game"]))
