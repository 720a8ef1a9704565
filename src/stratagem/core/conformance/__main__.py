"""`python -m stratagem.core.conformance GAME`: print the trace hash, then check the game.

Run it twice, with and without NUMBA_DISABLE_JIT=1: the trace must be the same.
Exit codes: 0 conforms, 1 does not, 2 the question was wrong.
"""

from __future__ import annotations

import argparse
import sys

from stratagem.core.conformance import NonConformance, check_game, trace_game
from stratagem.core.errors import StratagemError
from stratagem.core.registry import load_game


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m stratagem.core.conformance")
    parser.add_argument("game", help="game spec, e.g. connect_four or dice/three")
    parser.add_argument(
        "--games", type=int, default=20, help="random games to play (0: trace only)"
    )
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(arguments)
    try:
        game = load_game(chosen.game)
        sys.stdout.write(f"trace {trace_game(game, chosen.seed)}\n")
        if chosen.games > 0:
            check_game(game, chosen.games, chosen.seed)
            sys.stdout.write(f"{game.spec} conforms ({chosen.games} random games)\n")
    except NonConformance as error:
        sys.stdout.write(f"{chosen.game} does not conform: {error}\n")
        return 1
    except StratagemError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
