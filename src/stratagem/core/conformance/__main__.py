"""`python -m stratagem.core.conformance GAME`: check the game, then print its trace hash.

Run it twice, with and without NUMBA_DISABLE_JIT=1: the trace must be the same.
Exit codes: 0 conforms, 1 does not conform, 2 bad arguments.
"""

from __future__ import annotations

import argparse
import sys

from stratagem.core.conformance import NonConformance, check_game, trace_game
from stratagem.core.errors import StratagemError
from stratagem.core.patience import PATIENCE
from stratagem.core.registry import load_game


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m stratagem.core.conformance")
    parser.add_argument("game", help="game spec, e.g. connect_four or dice/three")
    parser.add_argument(
        "--games", type=int, default=20, help="random games to play (0: trace only)"
    )
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(arguments)
    PATIENCE.explain(lambda spent: f"compiling and checking: {spent:.0f} s so far")
    with PATIENCE.watching():
        return check(chosen.game, chosen.games, chosen.seed)


def check(spec: str, games: int, seed: int) -> int:
    """Check a game and print the result; return the exit code."""
    try:
        game = load_game(spec)
        if games > 0:  # first: a trace trusts the game, and compiled code may write anywhere
            check_game(game, games, seed)
        _say(f"trace {trace_game(game, seed)}")
        if games > 0:
            _say(f"{game.spec} conforms ({games} random games)")
    except NonConformance as error:
        _say(f"{spec} does not conform: {error}")
        return 1
    except StratagemError as error:
        PATIENCE.clear()
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def _say(text: str) -> None:
    PATIENCE.clear()
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
