"""`stratagem engine`: analysis for other programs, by lines of JSON."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer


def command(
    agent: Annotated[
        str, typer.Option("--agent", help="Who analyses; default: best, else mcts:none.")
    ] = "",
) -> None:
    """Answer queries on standard input, one JSON object a line, until it ends."""
    from stratagem.cli.engine_protocol import EngineProtocol

    protocol = EngineProtocol(agent)
    for line in sys.stdin:
        if line.strip():
            for answer in protocol.answers(line):
                sys.stdout.write(json.dumps(answer) + "\n")
                sys.stdout.flush()
