"""Many games played side by side: `GameBatch` event by event, `CompiledBatch` inside a kernel.

`GameSession` plays one game. No other code drives games; callers only say who decides what.
"""

from stratagem.core.driver.batch import GameBatch
from stratagem.core.driver.play_on import ASKED, COMPILED, LEARNS, NOBODY, RANDOM, CompiledBatch
from stratagem.core.driver.streams import GameStreams, GeneratorStreams, Rows, Streams

__all__ = [
    "ASKED",
    "COMPILED",
    "LEARNS",
    "NOBODY",
    "RANDOM",
    "CompiledBatch",
    "GameBatch",
    "GameStreams",
    "GeneratorStreams",
    "Rows",
    "Streams",
]
