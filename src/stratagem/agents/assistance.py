"""The help that an agent had: in training, from a teacher or bots, and while it plays."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from stratagem.agents.shipped import KINDS, shipped
from stratagem.agents.spec import AgentSpec
from stratagem.core.errors import StratagemError
from stratagem.core.game import Game
from stratagem.core.toml import read_toml
from stratagem.runs.checkpoints import find_checkpoint
from stratagem.runs.folder import run_around

FROM_SCRATCH = "from scratch"
_SHIPPED_SETTINGS = "run.toml"  # next to a shipped network
_NO_NETWORK = {"": "", "none": "search alone", "heuristic": "search over the game's own evaluation"}


def shipped_agents(game: Game) -> list[str]:
    """Return the names of the players that ship for a game and scenario: `best` and variants."""
    return [kind for kind in KINDS if shipped(game, kind=kind) is not None]


def describe_help(text: str, game: Game) -> str:
    """Describe in a few words, for tables, what an agent's play is based on."""
    spec = AgentSpec.parse(text)
    if spec.kind == "random":
        return "plays at random"
    if spec.kind == "scripted" or spec.kind in game.rules.bots:
        return "a scripted player"
    if spec.kind in KINDS:
        inner = shipped(game, spec.target, spec.kind)
        if inner is None:
            return ""
        kind = "mcts" if "sims" in spec.options else inner.kind
        spec = AgentSpec(kind, inner.target, {**inner.options, **spec.options})
    trained = _NO_NETWORK[spec.target] if spec.target in _NO_NETWORK else _training(spec.target)
    bot = bot_at_play(spec, game)
    return "; ".join(filter(None, [trained, f"bot at play: `{bot}`" if bot else ""]))


def bot_at_play(spec: AgentSpec, game: Game) -> str:
    """Return the scripted player that an agent asks while it plays; empty: none."""
    if spec.kind == "rollout":
        return spec.options.get("bot") or next(iter(game.rules.bots), "")
    return spec.options.get("playout", "")


def _training(target: str) -> str:
    """Describe the help named in the settings of a network's run."""
    settings = _settings(target)
    if settings is None:
        return "training unknown"
    parts = []
    if teacher := settings.get("imitation", {}).get("teacher", ""):
        parts.append(f"teacher: `{teacher}`")
    partners = settings.get("opponents", {}).get("agents", {})
    if named := [f"`{agent}`" for agent, weight in partners.items() if weight]:
        parts.append(f"trained against {', '.join(named)}")
    if settings.get("start"):
        parts.append("started from another network")
    return "; ".join(parts) or FROM_SCRATCH


def _settings(target: str) -> Mapping[str, Any] | None:
    try:
        checkpoint = find_checkpoint(target)
        beside = Path(checkpoint) / _SHIPPED_SETTINGS
        return read_toml(beside) if beside.is_file() else run_around(checkpoint).settings()
    except StratagemError:
        return None
