"""Agents by name: builds a player from `kind:target?key=value`.

A kind is a module of `agents/kinds` with a function `build(target, options, game, spec)`, so there
is no list to maintain. A bare name can also be a scripted player that the game declares. Kinds from
other packages are found by their entry point in `stratagem.agents`, or by the dotted name of their
module. Modules are imported only when needed, so naming agents never loads PyTorch.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from stratagem.agents import kinds
from stratagem.core.agent import Agent
from stratagem.core.errors import BadSetting, UnknownName
from stratagem.core.game import Game, require_game
from stratagem.core.plugins import load_plugin, plugins
from stratagem.core.registry import parse_query


@dataclass(frozen=True)
class AgentSpec:
    """The parts of an agent spec as the user wrote it."""

    kind: str
    target: str
    options: Mapping[str, str]

    @classmethod
    def parse(cls, text: str) -> AgentSpec:
        path, _, query = text.partition("?")
        kind, _, target = path.partition(":")
        if not kind:
            raise BadSetting(
                f"agent spec {text!r}: write name, kind:target or kind:target?key=value"
            )
        return cls(kind, target, dict(parse_query(query)))


def make_agent(spec: str | Agent, game: Game) -> Agent:
    """Build the player that a spec describes, e.g. `random`, `mcts:runs/latest?sims=200`.

    Agents are returned unchanged, so functions that take specs can take agents too.
    """
    require_game(game)
    if not isinstance(spec, str):
        if not isinstance(spec, Agent):
            raise BadSetting(f"agent {spec!r}: pass a spec such as 'random', or an agent")
        return spec
    wanted = AgentSpec.parse(spec)
    kind, target = wanted.kind, wanted.target
    if kind not in agent_kinds() and kind in game.rules.bots and not target:
        kind, target = "scripted", kind
    agent: Agent = agent_kind(kind, game).build(target, dict(wanted.options), game, spec)
    return agent


def agent_kind(kind: str, game: Game) -> Any:
    """Return the module of a kind of agent, which has a function `build`."""
    if kind in agent_kinds():
        return importlib.import_module(f"{kinds.__name__}.{kind.replace('-', '_')}")
    module = load_plugin("agents", kind)
    if not hasattr(module, "build"):
        raise UnknownName("agent", kind, known_agents(game), game.name)
    return module


def known_agents(game: Game) -> list[str]:
    """Return every kind of agent, and the scripted players of this game."""
    return sorted({*agent_kinds(), *plugins("agents"), *game.rules.bots})


def check_options(spec: str, options: Iterable[str], known: Iterable[str]) -> None:
    """Refuse options that this agent does not have."""
    allowed = list(known)
    for key in options:
        if key not in allowed:
            raise UnknownName("option", key, allowed, f"agent {spec!r}")


@cache
def agent_kinds() -> frozenset[str]:
    """Return the modules of agents/kinds by name; users write hyphens for underscores."""
    return frozenset(
        module.name.replace("_", "-") for module in pkgutil.iter_modules(kinds.__path__)
    )
