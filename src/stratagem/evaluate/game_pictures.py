"""A recorded game as a picture on a page: its chronicle, or a row of positions."""

from __future__ import annotations

from pathlib import Path

from stratagem.core.game import Game
from stratagem.core.record import GameRecord, replay
from stratagem.evaluate.drawing.charts import short_name
from stratagem.evaluate.drawing.scenes import chronicle_picture, evenly_picked, game_strip
from stratagem.evaluate.reports import Report


def add_strip(report: Report, game: Game, record: GameRecord, file: Path, panels: int = 5) -> None:
    """A recorded game as a row of positions."""
    states = replay(record, game)
    names = " against ".join(record.agents)
    strip = game_strip(game, states, evenly_picked(len(states), panels), file, names)
    report.picture(strip, f"A game of {names}, set-up seed {record.setup_seed}")


def add_course(report: Report, game: Game, record: GameRecord, file: Path) -> None:
    """A recorded game as its chronicle, in games that have one, else as a row of positions."""
    if game.rules.chronicle is None:
        add_strip(report, game, record, file)
        return
    names = ", ".join(f"{n}: {short_name(agent)}" for n, agent in enumerate(record.agents, start=1))
    chronicle_picture(game.rules.chronicle(replay(record, game)), file)
    report.picture(file, f"A game, set-up seed {record.setup_seed}; players {names}")
