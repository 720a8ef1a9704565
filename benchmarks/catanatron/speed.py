"""Random two-player games to 15 points per second of CPU time, both engines taking turns.

    python benchmarks/catanatron/speed.py [--seconds 5] [--repeats 3] [--python PY] [--json]

Each side runs its own loop on one core: ours the batched random games of `stratagem bench`,
theirs `Game(...).play()` with two RandomPlayers. The best of the repeats counts on both sides.
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np
from link import start_catanatron
from translate import load

from stratagem.core.game import Game
from stratagem.core.seeding import derive_seeds

GAMES_AT_ONCE = 500


def our_rate(game: Game, seconds: float, seed: int) -> float:
    """Whole random games per second of CPU time."""
    started, games = time.process_time(), 0
    while time.process_time() - started < seconds:
        states = np.zeros(GAMES_AT_ONCE, game.rules.dtype)
        seeds = derive_seeds(seed, "speed", games, count=GAMES_AT_ONCE)
        game.kernels.random_play(states, game.packed_scenario, seeds, game.width)
        games += GAMES_AT_ONCE
    return games / (time.process_time() - started)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--python", help="Python with Catanatron; default: $CATANATRON_PYTHON")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    game = load()
    our_rate(game, 0.1, 0)  # compiles
    ours, theirs = [], []
    with start_catanatron(given.python) as other:
        for number in range(given.repeats):
            ours.append(our_rate(game, given.seconds, number))
            done = other.ask({"do": "random-games", "seconds": given.seconds})
            theirs.append(done["games"] / done["seconds"])
    report = {
        "stratagem_games_per_s": round(max(ours), 1),
        "catanatron_games_per_s": round(max(theirs), 2),
        "ratio": round(max(ours) / max(theirs), 1),
    }
    print(json.dumps(report, indent=None if given.json else 2))


if __name__ == "__main__":
    main()
