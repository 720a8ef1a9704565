"""`python -m tests.oracles.ledger FILE...`: replay recorded games and compare.

Each file is JSON with `rows` (a ledger), `trace` and `final`. Prints the first difference of a
file with both values, or the line, command and reason of a bad ledger. The last line counts files,
moves compared and differences. Exit code 0 only if every traced number is equal; 1 if not; 2 if a
file cannot be read.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from stratagem.core.errors import StratagemError

from .compare import replay_game
from .text import read_game


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.oracles.ledger")
    parser.add_argument("files", nargs="+", type=Path, help="recorded games (JSON)")
    files = parser.parse_args(arguments).files
    moves = differences = failed = 0
    for file in files:
        try:
            found = replay_game(read_game(file))
        except StratagemError as error:
            failed += 1
            sys.stdout.write(f"{file.name}: {error}\n")
            continue
        moves += found.moves
        differences += len(found.differences)
        if found.differences:
            more = f" (and {len(found.differences) - 1} more)" if found.differences[1:] else ""
            sys.stdout.write(f"{file.name}: {found.differences[0]}{more}\n")
    bad = f", {failed} bad files" if failed else ""
    sys.stdout.write(
        f"{len(files)} files, {moves} moves compared, {differences} differences{bad}\n"
    )
    return 1 if differences or failed else 0


if __name__ == "__main__":
    sys.exit(main())
