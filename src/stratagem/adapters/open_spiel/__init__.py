"""OpenSpiel, both ways: our games there, its games here, and players for either side.

    to_open_spiel("catan/colonist1v1")   our game as a `pyspiel.Game`
    AgentBot(agent, game, seat)          our agent as a `pyspiel.Bot` in such a game
    BotAgent(game, make_bot, spec)       one of its bots as an agent in our matches
    from_open_spiel("tic_tac_toe")       its game as a `Game`, for agents without a network

docs/adapters.md says what each of them can and cannot do.
"""

from stratagem.adapters.open_spiel.our_games import SpielGame, SpielState, to_open_spiel
from stratagem.adapters.open_spiel.players import AgentBot, BotAgent
from stratagem.adapters.open_spiel.their_games import from_open_spiel

__all__ = ["AgentBot", "BotAgent", "SpielGame", "SpielState", "from_open_spiel", "to_open_spiel"]
