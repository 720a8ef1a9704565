"""`best`: the strongest network that ships with the package for a game and scenario.

It plays with or without a search, but asks no scripted player: that is `best-hybrid`. Options
override those of the shipped spec. `best:SCENARIO` is the player of another scenario of the same
game, to see how well it generalises.
"""

from __future__ import annotations

from collections.abc import Mapping

from stratagem.agents.shipped import build_shipped
from stratagem.core.agent import Agent
from stratagem.core.game import Game


def build(target: str, options: Mapping[str, str], game: Game, spec: str) -> Agent:
    """Build `best`, or `best:SCENARIO` for the player of another one; `?sims=N` adds a search."""
    return build_shipped("best", target, options, game, spec)
