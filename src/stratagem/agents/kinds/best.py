"""`best`: the strongest network that ships with the package for a game and scenario.

It plays with or without a search, but asks no scripted player: that is `best-hybrid`. Options that
a user gives override those of the shipped spec. `best:SCENARIO` is the player of another scenario
of the same game, to see how far its learning carries.
"""

from __future__ import annotations

from collections.abc import Mapping

from stratagem.agents.shipped import build_shipped
from stratagem.core.agent import Agent
from stratagem.core.game import Game


def build(target: str, options: Mapping[str, str], game: Game, spec: str) -> Agent:
    """`best`, or `best:SCENARIO` for the player of another one; with `?sims=N` it searches."""
    return build_shipped("best", target, options, game, spec)
