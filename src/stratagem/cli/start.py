"""The entry point of the `stratagem` script: it answers Ctrl-C while the program is loaded.

Loading takes a moment, and whoever changes their mind in it is shown no traceback.
"""

from __future__ import annotations

import sys

_INTERRUPTED = 130


def main() -> None:
    """Load the program and run it."""
    try:
        from stratagem.cli.main import main as program

        program()
    except KeyboardInterrupt:
        sys.stderr.write("stopped by Ctrl-C\n")
        sys.exit(_INTERRUPTED)
