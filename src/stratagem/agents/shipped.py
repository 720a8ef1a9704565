"""The players that ship with a game, listed by scenario in its `best.toml`.

    [agents]
    symmetric = "mcts:symmetric?sims=100"
    "randomized-*" = "mcts:randomized-6?sims=64"

    [hybrids]
    breakthrough = "mcts:breakthrough?sims=16&playout=scripted&playout_share=0.2"

`[agents]` lists networks, with or without a search; `[hybrids]` lists players that also ask a
scripted player while they play. A target is the name of a checkpoint folder below `best/`. A
scenario's own line comes first, then the first matching pattern.
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal

from stratagem.agents.spec import AgentSpec, agent_kind, agent_kinds
from stratagem.core.agent import Agent
from stratagem.core.errors import BadCheckpoint, BadSetting
from stratagem.core.game import Game
from stratagem.core.registry import GameSpec
from stratagem.core.scenario_files import find_scenarios
from stratagem.core.toml import read_toml

Table = Literal["agents", "hybrids"]
KINDS: Mapping[str, Table] = {"best": "agents", "best-hybrid": "hybrids"}  # what users write

_ADVISER_SIMS = 64  # for a shipped network that plays without a search
_NO_NETWORK = "mcts:none?sims=400"
_PLAIN_SEARCH = "mcts:none?sims=200"


def shipped(game: Game, scenario: str = "", kind: str = "best") -> AgentSpec | None:
    """Return the player that ships for this game and scenario (default: the game's own), if any."""
    file = game.rules.folder / "best.toml"
    text = _choose(file, KINDS[kind], scenario or GameSpec.parse(game.spec).scenario)
    if text is None:
        return None
    spec = AgentSpec.parse(text)
    outside = spec.target == ".." or Path(spec.target).name != spec.target
    if spec.kind in KINDS or outside:
        raise BadSetting(
            f"{file.name}: {text!r}: write kind:NAME, where NAME is a folder below best/"
        )
    checkpoint = file.with_name("best") / spec.target
    if not spec.target or not checkpoint.is_dir():
        return spec
    return AgentSpec(spec.kind, str(checkpoint.resolve()), spec.options)


def adviser(game: Game) -> str:
    """Return the default agent for hints and analyses: one that searches."""
    player = shipped(game)
    if player is None:
        return _NO_NETWORK
    return "best" if player.kind == "mcts" else f"best:?sims={_ADVISER_SIMS}"


def default_opponent(game: Game) -> str:
    """Return the strongest player: a hybrid ships only where it beats the network alone.

    The random player is never the default.
    """
    for kind in ("best-hybrid", "best"):
        if shipped(game, kind=kind) is not None:
            return kind
    return "scripted" if "scripted" in game.rules.bots else _PLAIN_SEARCH


def build_shipped(
    kind: str, target: str, options: Mapping[str, str], game: Game, spec: str
) -> Agent:
    """Build the shipped player, or that of another scenario; with `?sims=N` it searches."""
    if target and (
        target not in find_scenarios(game.rules.folder) or not shipped(game, target, kind)
    ):
        known = [name for name in find_scenarios(game.rules.folder) if shipped(game, name, kind)]
        raise BadSetting(
            f"agent spec {spec!r}: {kind} takes no path, write {kind}, {kind}:?sims=N or the "
            f"player of another scenario: "
            f"{', '.join(f'{kind}:{name}' for name in known) or 'none ships'}"
        )
    player = shipped(game, target, kind)
    if player is None:
        raise BadCheckpoint(_none_ships(kind, game))
    inner, own = player.kind, player.options
    if "sims" in options and inner != "mcts":
        # The same network in a search, which does not use its player's own settings.
        inner, own = "mcts", {}
    if inner not in agent_kinds():
        raise BadSetting(f"best.toml of {game.name}: there is no kind of agent called {inner!r}")
    agent: Agent = agent_kind(inner, game).build(player.target, {**own, **options}, game, spec)
    return agent


def _none_ships(kind: str, game: Game) -> str:
    if kind == "best":
        return f"no checkpoint ships for {game.spec}: train one with `stratagem train`"
    instead = "use best" if shipped(game) is not None else "use scripted"
    return f"no hybrid ships for {game.spec}: {instead}"


def _choose(file: Path, table: Table, scenario: str) -> str | None:
    """Return the agent spec for a scenario: its own line, else the first matching pattern."""
    agents = read_toml(file).get(table, {}) if file.is_file() else {}
    if not isinstance(agents, dict) or not all(isinstance(one, str) for one in agents.values()):
        raise BadSetting(f"{file}: write scenarios and agents below [{table}]: default = 'random'")
    if scenario in agents:
        return str(agents[scenario])
    return next((str(spec) for name, spec in agents.items() if fnmatchcase(scenario, name)), None)
