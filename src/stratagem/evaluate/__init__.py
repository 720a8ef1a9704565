"""Measuring strength: matches, ratings, tests and tournaments.

Reports and pictures are imported from `stratagem.evaluate.reports` and
`stratagem.evaluate.drawing`, because matplotlib takes a while to load.
"""

from stratagem.evaluate.bradley_terry import Rating, bradley_terry
from stratagem.evaluate.elo import RatedGame, elo_ratings, expected_score
from stratagem.evaluate.intervals import accept_by_wilson, mean_interval, wilson
from stratagem.evaluate.match_result import MatchResult, Outcome
from stratagem.evaluate.matches import play_match
from stratagem.evaluate.measures import Measures, measure_games
from stratagem.evaluate.sprt import Sprt
from stratagem.evaluate.tournaments import Tournament, play_tournament

__all__ = [
    "MatchResult",
    "Measures",
    "Outcome",
    "RatedGame",
    "Rating",
    "Sprt",
    "Tournament",
    "accept_by_wilson",
    "bradley_terry",
    "elo_ratings",
    "expected_score",
    "mean_interval",
    "measure_games",
    "play_match",
    "play_tournament",
    "wilson",
]
