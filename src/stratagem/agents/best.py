"""`best`: the strongest player that ships with the package for a game and scenario.

It lies in the game's folder as `best/<scenario>/`. The one key of its `agent.toml`, `plays`, is the
agent spec behind the leaderboard row; a target that begins with a dot is a checkpoint
folder, seen from there (`mcts:.?sims=100`). Options override those of the spec. `best:SCENARIO` is
the player of another scenario of the same game.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from stratagem.agents.spec import AgentSpec
from stratagem.core.agent import Agent
from stratagem.core.errors import BadCheckpoint, BadSetting
from stratagem.core.game import Game
from stratagem.core.registry import GameSpec
from stratagem.core.toml import read_toml

_ADVISER_SIMS = 64  # of a shipped network that plays without search
_NO_NETWORK = "mcts:none?sims=400"


def shipped(game: Game, scenario: str = "") -> AgentSpec | None:
    """The player that ships for this game and scenario (default: the game's own), if any."""
    folder = game.rules.folder / "best" / (scenario or GameSpec.parse(game.spec).scenario)
    file = folder / "agent.toml"
    if not file.is_file():
        return None
    spec = AgentSpec.parse(str(read_toml(file)["plays"]))
    if not spec.target.startswith("."):
        return spec
    return AgentSpec(spec.kind, str((folder / spec.target).resolve()), spec.options)


def adviser(game: Game) -> str:
    """The agent that gives hints and analyses unless another is named; it searches."""
    player = shipped(game)
    if player is None:
        return _NO_NETWORK
    return "best" if player.kind == "mcts" else f"best:?sims={_ADVISER_SIMS}"


def build(target: str, options: Mapping[str, str], game: Game, spec: str) -> Agent:
    """`best`, or `best:SCENARIO` for the player of another one; with `?sims=N` it searches."""
    known = sorted(file.parent.name for file in game.rules.folder.glob("best/*/agent.toml"))
    if target and target not in known:
        raise BadSetting(
            f"agent spec {spec!r}: best takes no path, write best, best:?sims=N or the player of "
            f"another scenario: {', '.join(f'best:{name}' for name in known) or 'none ships'}"
        )
    player = shipped(game, target)
    if player is None:
        raise BadCheckpoint(
            f"no checkpoint ships for {game.spec}: train one with `stratagem train`"
        )
    kind, own = player.kind, player.options
    if "sims" in options and kind != "mcts":
        # The same network in a search, where its player's own options mean nothing.
        kind, own = "mcts", {}
    module = importlib.import_module(f"stratagem.agents.{kind}")
    agent: Agent = module.build(player.target, {**own, **options}, game, spec)
    return agent
