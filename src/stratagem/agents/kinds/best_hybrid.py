"""`best-hybrid`: a shipped network that also asks a scripted player while it plays.

Where the network alone is not yet the strongest player, its search mixes in the scripted player's
playouts or choices. Tables list it under this name, never as `best`.
"""

from __future__ import annotations

from collections.abc import Mapping

from stratagem.agents.shipped import build_shipped
from stratagem.core.agent import Agent
from stratagem.core.game import Game


def build(target: str, options: Mapping[str, str], game: Game, spec: str) -> Agent:
    """Build `best-hybrid`, or `best-hybrid:SCENARIO` for the player of another one."""
    return build_shipped("best-hybrid", target, options, game, spec)
