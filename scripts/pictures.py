"""Draw docs/pictures/GAME.png, a position of each game with its panels, for the games' pages.

    python scripts/pictures.py [GAME ...]

Positions come from games between scripted players with fixed seeds, so a picture changes only when
the rules, the players or the drawing do. Battlefield's is a strip of a whole game of its agent.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

from stratagem.agents import make_agent
from stratagem.core.game import Game, States
from stratagem.core.record import replay
from stratagem.core.registry import load_game
from stratagem.evaluate.drawing.scenes import evenly_picked, game_strip, position_picture
from stratagem.evaluate.matches import play_match

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
COLOURS = 256  # drawings are flat: no more are needed, and a file is a third as large
LARGEST = 150_000  # bytes
NOWHERE = 0xFFFF


@dataclass(frozen=True)
class Picture:
    """The first position from `ply` on of a game in which `wanted` holds."""

    spec: str
    agent: str
    ply: int
    seed: int = 1
    width: float = 9.0  # inches
    wanted: Callable[[Any], bool] = lambda s: True


PICTURES = {
    "catan": Picture("catan/official?players=4", "scripted", 330, seed=3),
    "connect_four": Picture("connect_four", "scripted", 30, seed=4, width=4.0),
    "hexwar": Picture(
        "hexwar/crossroads", "goal-rush", 105, seed=3,
        wanted=lambda s: s["target"] != NOWHERE and s["crew_size"] > 0,
    ),
    "hispania": Picture(
        "hispania", "scripted", 700, width=11.0, wanted=lambda s: s["attacking"] > 3
    ),
    "terra_mystica": Picture("terra_mystica/4p", "scripted", 120, seed=3, width=11.0),
}  # fmt: skip


def states_of(game: Game, agent: str, seed: int) -> States:
    players = [make_agent(agent, game)] * game.num_seats
    (record,) = play_match(game, players, 1, seed=seed, keep=True).records
    return replay(record, game)


def draw(name: str) -> Path:
    file = FOLDER / f"{name}.png"
    if name == "battlefield":
        game = load_game("battlefield")
        states = states_of(game, "best", 4)
        game_strip(game, states, evenly_picked(len(states), 5), file, "best against best")
    else:
        picture = PICTURES[name]
        game = load_game(picture.spec)
        states = states_of(game, picture.agent, picture.seed)
        late = range(min(picture.ply, len(states) - 1), len(states))
        ply = next((k for k in late if picture.wanted(states[k])), len(states) - 1)
        assert game.rules.view is not None
        position_picture(game.rules.view(states[ply]), file, width=picture.width)
    with Image.open(file) as drawn:
        drawn.convert("RGB").quantize(COLOURS).save(file, optimize=True)
    if file.stat().st_size > LARGEST:
        raise SystemExit(f"{file.name} has {file.stat().st_size} bytes: draw it smaller")
    return file


def main() -> None:
    games = sorted([*PICTURES, "battlefield"])
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(games)}")
    chosen = parser.parse_args().games or games
    unknown = sorted(set(chosen) - set(games))
    if unknown:
        parser.error(f"no picture of {unknown[0]}: choose from {', '.join(games)}")
    for name in chosen:
        draw(name)


if __name__ == "__main__":
    main()
