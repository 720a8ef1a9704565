"""`best`: the strongest player that ships with the package for a game and scenario.

A game's `best.toml` says who that is, by scenario:

    [agents]
    symmetric = "mcts:symmetric?sims=100"
    "randomized-*" = "mcts:randomized-6?sims=64"

A target is the name of a checkpoint folder below `best/`. A scenario's own line counts first, then
the first pattern that fits. Options that a user gives override those of the spec. `best:SCENARIO`
is the player of another scenario of the same game, to see how far its learning carries.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path

from stratagem.agents.spec import AgentSpec
from stratagem.core.agent import Agent
from stratagem.core.errors import BadCheckpoint, BadSetting
from stratagem.core.game import Game
from stratagem.core.registry import GameSpec
from stratagem.core.scenario_files import find_scenarios
from stratagem.core.toml import read_toml

_ADVISER_SIMS = 64  # of a shipped network that plays without search
_NO_NETWORK = "mcts:none?sims=400"


def shipped(game: Game, scenario: str = "") -> AgentSpec | None:
    """The player that ships for this game and scenario (default: the game's own), if any."""
    file = game.rules.folder / "best.toml"
    text = _choose(file, scenario or GameSpec.parse(game.spec).scenario)
    if text is None:
        return None
    spec = AgentSpec.parse(text)
    outside = spec.target == ".." or Path(spec.target).name != spec.target
    if spec.kind == "best" or outside:
        raise BadSetting(f"{file.name}: {text!r}: write kind:NAME, with NAME a folder below best/")
    checkpoint = file.with_name("best") / spec.target
    if not spec.target or not checkpoint.is_dir():
        return spec
    return AgentSpec(spec.kind, str(checkpoint.resolve()), spec.options)


def adviser(game: Game) -> str:
    """Who gives hints and analyses unless another is named: somebody who searches."""
    player = shipped(game)
    if player is None:
        return _NO_NETWORK
    return "best" if player.kind == "mcts" else f"best:?sims={_ADVISER_SIMS}"


def build(target: str, options: Mapping[str, str], game: Game, spec: str) -> Agent:
    """`best`, or `best:SCENARIO` for the player of another one; with `?sims=N` it searches."""
    if target and (target not in find_scenarios(game.rules.folder) or not shipped(game, target)):
        known = [name for name in find_scenarios(game.rules.folder) if shipped(game, name)]
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
        # The same network in a search, where its player's own settings mean nothing.
        kind, own = "mcts", {}
    name = f"{__package__}.{kind}"
    if not kind.isidentifier() or importlib.util.find_spec(name) is None:
        raise BadSetting(f"best.toml of {game.name}: no kind of agents is called {kind!r}")
    module = importlib.import_module(name)
    agent: Agent = module.build(player.target, {**own, **options}, game, spec)
    return agent


def _choose(file: Path, scenario: str) -> str | None:
    """The agent spec of a scenario: its own line, else the first pattern that fits."""
    agents = read_toml(file).get("agents", {}) if file.is_file() else {}
    if not isinstance(agents, dict) or not all(isinstance(one, str) for one in agents.values()):
        raise BadSetting(f"{file}: write scenarios and agents below [agents]: default = 'random'")
    if scenario in agents:
        return str(agents[scenario])
    return next((str(spec) for name, spec in agents.items() if fnmatchcase(scenario, name)), None)
