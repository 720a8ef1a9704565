"""The same games with and without the JIT: kernels must not depend on being compiled."""

import os
import subprocess
import sys
from collections.abc import Sequence

from stratagem.core.conformance import trace_game
from stratagem.core.registry import load_game

_CODE = """
import sys
from stratagem.core.conformance import trace_game
from stratagem.core.registry import load_game
for pair in sys.argv[1:]:
    spec, _, seed = pair.rpartition(" ")
    print(trace_game(load_game(spec), int(seed)))
"""


def assert_interpreted_equals_compiled(specs: Sequence[str], seeds: Sequence[int] = (0,)) -> None:
    """Random games of each spec and seed take the same course in both; warnings are errors."""
    pairs = [(spec, seed) for spec in specs for seed in seeds]
    shown = subprocess.run(
        [sys.executable, "-W", "error", "-c", _CODE, *(f"{spec} {seed}" for spec, seed in pairs)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert shown.split() == [str(trace_game(load_game(spec), seed)) for spec, seed in pairs]
