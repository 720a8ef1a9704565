"""Progress output of commands: one line on stderr that a terminal rewrites every second.

Without a terminal, plain lines are printed instead: the first after some seconds, then less and
less often. Commands that take less than two seconds print nothing. Results never go through here.
"""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from stratagem.cli.durations import format_seconds
from stratagem.cli.output import harmless
from stratagem.core.patience import PATIENCE, QUIET, TICK, WIPE, is_watched

if TYPE_CHECKING:
    from stratagem.core.game import Game
    from stratagem.evaluate.match_progress import MatchProgress

Describe = Callable[[float], str]  # from the seconds since the work began; empty: print nothing

_FIRST_LINE = 10.0  # seconds before the first plain line; the gap then doubles each time
_LONGEST_GAP = 300.0


class ProgressLine:
    """Shows the state of some work in a line; calls `describe` whenever the line is shown."""

    def __init__(self, describe: Describe, watched: bool | None = None) -> None:
        self._describe = describe
        self._watched = is_watched() if watched is None else watched
        self._began = time.monotonic()
        self._next_line, self._gap = _FIRST_LINE, _FIRST_LINE
        self._shown = False
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._tick, daemon=True)

    def __enter__(self) -> ProgressLine:
        PATIENCE.mute()
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._thread.join()
        self.clear()
        PATIENCE.unmute()

    def note(self, text: str) -> None:
        """Print a permanent line above the one that is rewritten."""
        with self._lock:
            self._wipe()
            _write(harmless(text) + "\n")

    def clear(self) -> None:
        """Erase the line, so that something else can be written."""
        with self._lock:
            self._wipe()

    def _tick(self) -> None:
        while not self._over.wait(TICK):
            spent = time.monotonic() - self._began
            if spent < QUIET:
                continue
            if self._watched:
                self._rewrite(spent)
            elif spent >= self._next_line:
                self._gap = min(2 * self._gap, _LONGEST_GAP)
                self._next_line = spent + self._gap
                if text := self._describe(spent):
                    with self._lock:
                        _write(text + "\n")

    def _rewrite(self, spent: float) -> None:
        text = self._describe(spent)
        with self._lock:
            self._wipe()
            if text:
                width = shutil.get_terminal_size().columns - 1
                _write(text if len(text) <= width else text[: width - 1] + "…")
                self._shown = True

    def _wipe(self) -> None:
        if self._shown:
            _write(WIPE)
            self._shown = False


def time_left(spent: float, share: float) -> str:
    """Return `about 40s left`, from the share of the work done; empty if there is none yet."""
    if not 0.0 < share <= 1.0:
        return ""
    return f"about {format_seconds(spent * (1.0 - share) / share)} left"


def time_so_far(title: str) -> Describe:
    """Return a description `TITLE: 12s so far`, for work whose end cannot be predicted."""
    return lambda spent: f"{title}: {format_seconds(spent)} so far"


def describe_match(title: str, progress: MatchProgress | None, spent: float) -> str:
    """Return `TITLE: 12 of 100 games, score so far 0.583, about 40s left`."""
    if progress is None:
        return f"{title}: {format_seconds(spent)} so far"
    parts = [f"{title}: {progress.finished} of {progress.games} games"]
    if progress.score is not None:
        parts.append(f"score so far {progress.score:.3f}")
    else:
        parts.append(f"the longest has {progress.plies} plies")
    left = time_left(spent, progress.share)
    return ", ".join([*parts, left or f"{format_seconds(spent)} so far"])


def while_compiling(game: Game, describe: Describe = lambda spent: "") -> Describe:
    """Wrap a description so that it mentions kernels while they are being compiled."""
    from stratagem.core.compiling import WATCH

    before = WATCH.seconds
    estimate = game.rules.about.compile_seconds
    about = f", about {estimate} s" if estimate else ""

    def compiling_or(spent: float) -> str:
        seconds = WATCH.seconds - before
        if not WATCH.compiling or seconds < 1.0:
            return describe(spent)
        return f"compiling {game.name}, once{about}: {seconds:.0f} s so far"

    return compiling_or


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
