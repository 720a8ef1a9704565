"""Wrong tokens: the first few are forgiven, then each one makes its sender wait longer."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

_FORGIVEN = 5
_LONGEST = 300.0  # seconds
_REMEMBERED = 10_000  # senders


class BackingOff:
    """Counts wrong tokens by sender."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()  # count, free again at

    def wait(self, sender: str) -> float:
        """Return the seconds until this sender may try again; 0: now."""
        _, until = self._wrong.get(sender, (0, 0.0))
        return max(0.0, until - self._clock())

    def note_wrong(self, sender: str) -> None:
        count = self._wrong.pop(sender, (0, 0.0))[0] + 1
        pause = min(2.0 ** min(count - _FORGIVEN, 32), _LONGEST) if count >= _FORGIVEN else 0.0
        self._wrong[sender] = count, self._clock() + pause
        while len(self._wrong) > _REMEMBERED:
            self._wrong.popitem(last=False)

    def note_right(self, sender: str) -> None:
        self._wrong.pop(sender, None)
