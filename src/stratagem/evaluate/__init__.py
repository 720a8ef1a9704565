"""Measuring strength: matches, ratings, tests and tournaments.

Drawing and report writing are separate doors, `stratagem.evaluate.figures` and
`stratagem.evaluate.reports`, because matplotlib takes a while to load.
"""

from stratagem.evaluate.bradley_terry import Rating, bradley_terry
from stratagem.evaluate.elo import RatedGame, elo_ratings, expected_score
from stratagem.evaluate.intervals import accept_by_wilson, mean_interval, wilson
from stratagem.evaluate.match_result import MatchResult, Outcome
from stratagem.evaluate.matches import play_match
from stratagem.evaluate.sprt import Sprt
from stratagem.evaluate.tactics import Tactics, measure_tactics
from stratagem.evaluate.tournaments import Tournament, play_tournament

__all__ = [
    "MatchResult",
    "Outcome",
    "RatedGame",
    "Rating",
    "Sprt",
    "Tactics",
    "Tournament",
    "accept_by_wilson",
    "bradley_terry",
    "elo_ratings",
    "expected_score",
    "mean_interval",
    "measure_tactics",
    "play_match",
    "play_tournament",
    "wilson",
]
