"""`stratagem engine`: analysis for other programs, one line of JSON at a time."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Annotated, TextIO

import typer

from stratagem.cli.output import print_note
from stratagem.core.patience import PATIENCE

_EXAMPLE = '{"id": "1", "game": "connect_four", "moves": [3, 3], "maxVisits": 100}'


def command(
    agent: Annotated[
        str,
        typer.Option("--agent", help="The analysing agent; default: best, otherwise mcts:none."),
    ] = "",
) -> None:
    """Answer analysis queries from standard input, one JSON object per line."""
    from stratagem.cli.engine_protocol import EngineProtocol

    protocol = EngineProtocol(agent)
    if sys.stdin.isatty():
        print_note(f"waiting for queries, one line each, such as\n  {_EXAMPLE}\nCtrl-D ends")
    with PATIENCE.muted():  # it waits for queries
        for line in _lines(sys.stdin):
            if line.strip():
                for answer in protocol.answers(line):
                    sys.stdout.write(json.dumps(answer) + "\n")
                    sys.stdout.flush()


def _lines(stream: TextIO) -> Iterator[str]:
    """Yield the lines of a stream; of overlong lines only the beginning."""
    from stratagem.cli.engine_protocol import LONGEST_QUERY

    begun = True
    while line := stream.readline(LONGEST_QUERY + 1):
        if begun:
            yield line
        begun = line.endswith("\n")
