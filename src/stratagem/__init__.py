"""Train, measure, watch and play learned agents for strategy board games.

    from stratagem import load_game, make_agent, play_match

    game = load_game("battlefield/duel")
    agents = [make_agent("mcts:none?sims=200", game), make_agent("goal-rush", game)]
    print(play_match(game, agents, games=20, seed=1).agents[0].tally)

Everything in `__all__` is public. Names are imported on first use, so `import stratagem` is fast
and does not load PyTorch.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stratagem.agents.spec import make_agent
    from stratagem.api import analyse, bench, load_run, search_positions, train_agent
    from stratagem.backend.choose import make_backend
    from stratagem.core.agent import Agent
    from stratagem.core.errors import StratagemError
    from stratagem.core.game import Game
    from stratagem.core.record import GameRecord, read_record, replay, write_record
    from stratagem.core.registry import list_games, load_game
    from stratagem.core.session import GameSession
    from stratagem.evaluate.match_result import MatchResult
    from stratagem.evaluate.matches import play_match
    from stratagem.evaluate.measures import measure_games
    from stratagem.evaluate.tournaments import Tournament, play_tournament
    from stratagem.nets.output import Network, NetworkOutput
    from stratagem.runs.folder import RunFolder
    from stratagem.search.evaluation import Evaluation, Evaluator
    from stratagem.search.report import RootReport
    from stratagem.search.settings import SearchSettings
    from stratagem.train.settings import RunSettings

__version__ = "0.2.0"

__all__ = [
    "Agent",
    "Evaluation",
    "Evaluator",
    "Game",
    "GameRecord",
    "GameSession",
    "MatchResult",
    "Network",
    "NetworkOutput",
    "RootReport",
    "RunFolder",
    "RunSettings",
    "SearchSettings",
    "StratagemError",
    "Tournament",
    "analyse",
    "bench",
    "list_games",
    "load_game",
    "load_run",
    "make_agent",
    "make_backend",
    "measure_games",
    "play_match",
    "play_tournament",
    "read_record",
    "replay",
    "search_positions",
    "train_agent",
    "write_record",
]

_HOMES = {
    "agents.spec": ("make_agent",),
    "api": ("analyse", "bench", "load_run", "search_positions", "train_agent"),
    "backend.choose": ("make_backend",),
    "core.agent": ("Agent",),
    "core.errors": ("StratagemError",),
    "core.game": ("Game",),
    "core.record": ("GameRecord", "read_record", "replay", "write_record"),
    "core.registry": ("list_games", "load_game"),
    "core.session": ("GameSession",),
    "evaluate.match_result": ("MatchResult",),
    "evaluate.matches": ("play_match",),
    "evaluate.measures": ("measure_games",),
    "evaluate.tournaments": ("Tournament", "play_tournament"),
    "nets.output": ("Network", "NetworkOutput"),
    "runs.folder": ("RunFolder",),
    "search.evaluation": ("Evaluation", "Evaluator"),
    "search.report": ("RootReport",),
    "search.settings": ("SearchSettings",),
    "train.settings": ("RunSettings",),
}
_HOME_OF = {name: f"stratagem.{home}" for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'stratagem' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
