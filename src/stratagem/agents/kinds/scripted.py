"""Players that come with a game: its `bots`, small compiled functions over one state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from stratagem.agents.spec import check_options
from stratagem.core.errors import BadSetting, UnknownName
from stratagem.core.game import Actions, Game, States
from stratagem.core.seeding import Seeds


@dataclass(frozen=True)
class ScriptedAgent:
    """A bot of the game, called for a whole batch at once."""

    game: Game
    bot: str
    spec: str

    def act(self, states: States, seeds: Seeds) -> Actions:
        chosen = np.empty(len(states), np.int32)
        self.game.rules.bot_kernels[self.bot](states, seeds, self.game.width, chosen)
        return chosen


def find_bot(game: Game, name: str = "") -> str:
    """Return the name of a bot: the given one, else `scripted`, else the first declared."""
    bots = game.rules.bots
    if not bots:
        raise BadSetting(f"{game.name} declares no scripted players: use random or a search agent")
    bot = name or ("scripted" if "scripted" in bots else next(iter(bots)))
    if bot not in bots:
        raise UnknownName("scripted player", bot, bots, game.name)
    return bot


def build(target: str, options: Mapping[str, str], game: Game, spec: str) -> ScriptedAgent:
    """Build `scripted:NAME`; without a name, `scripted` or the first bot declared."""
    check_options(spec, options, ())
    return ScriptedAgent(game, find_bot(game, target), spec)
