"""`best`: the strongest checkpoint that ships with the package for a game and scenario.

It lies in the game's folder as `best/<scenario>/` (a checkpoint folder) with the search settings
that its measured strength belongs to in `agent.toml`; options override those.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from stratagem.agents import mcts
from stratagem.core.errors import BadCheckpoint, BadSetting
from stratagem.core.game import Game
from stratagem.core.registry import GameSpec
from stratagem.core.toml import read_toml


def best_folder(game: Game) -> Path | None:
    """Where the shipped checkpoint of this game and scenario lies, if there is one."""
    folder = game.rules.folder / "best" / GameSpec.parse(game.spec).scenario
    return folder if (folder / "model.json").is_file() else None


def build(target: str, options: Mapping[str, str], game: Game, spec: str) -> mcts.MctsAgent:
    """`best` or `best:?sims=N`."""
    if target:
        raise BadSetting(f"agent spec {spec!r}: best takes no path, write best or best:?sims=N")
    folder = best_folder(game)
    if folder is None:
        raise BadCheckpoint(
            f"no checkpoint ships for {game.spec}: train one with `stratagem train`"
        )
    defaults = {key: str(value) for key, value in read_toml(folder / "agent.toml").items()}
    return mcts.build(str(folder), {**defaults, **options}, game, spec)
