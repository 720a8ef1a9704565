"""A recorded game as a picture on a page: its chronicle, or a row of positions."""

from __future__ import annotations

from pathlib import Path

from stratagem.core.game import Game
from stratagem.core.record import GameRecord, replay
from stratagem.evaluate.drawing.charts import short_name
from stratagem.evaluate.drawing.scenes import chronicle_picture, evenly_picked, game_strip
from stratagem.evaluate.reports import Report

_PANELS = 5


def add_course(report: Report, game: Game, record: GameRecord, file: Path) -> None:
    """Add a recorded game as its chronicle, if the game has one, or as a row of positions."""
    draw_course(game, record, file)
    report.picture(file, course_caption(record))


def draw_course(game: Game, record: GameRecord, file: Path) -> None:
    """Draw only the picture of `add_course`."""
    states = replay(record, game)
    if game.rules.chronicle is not None:
        chronicle_picture(game.rules.chronicle(states), file)
    else:
        names = " against ".join(record.agents)
        game_strip(game, states, evenly_picked(len(states), _PANELS), file, names)


def course_caption(record: GameRecord) -> str:
    """Return the caption of the picture."""
    names = list(map(short_name, record.agents))
    if len(set(record.agents)) == 1:
        names = [names[0], "itself"]
    players = " against ".join(names) if len(names) == 2 else ", ".join(names)
    return f"A game from set-up seed {record.setup_seed}: {players}"
