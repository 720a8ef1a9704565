"""A program that answers questions, one line of JSON each: started, asked, stopped.

It is asked one question at a time and has a time limit for each. A program that ends, hangs or
writes something else is stopped; it is started again for the next question.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import IO, Any

from stratagem.core.errors import BadSetting, StratagemError

_LONGEST_ANSWER = 1 << 20  # characters
_SHOWN = 200  # characters of a wrong answer that a message repeats
_FLUSH = "too slow, or its output is not flushed after each line"
_MOST_UNASKED = 1000  # lines that wait to be read; a program that writes more is ended


class NoAnswer(StratagemError):
    """The program gave no answer that can be read; the message says what it did instead."""


class ExternalProcess:
    """One program and the pipe to it; `ask` starts it when needed."""

    def __init__(
        self, command: Sequence[str], timeout: float, longest_answer: int = _LONGEST_ANSWER
    ) -> None:
        self._command, self._timeout = list(command), timeout
        self._longest_answer = longest_answer
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._stop: Callable[[], object] = lambda: None
        self._number = 0

    def ask(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """The program's answer to one question, an object with the same `id`."""
        self._number += 1
        process = self._running()
        text = json.dumps({"id": str(self._number), **question})
        limit = time.monotonic() + self._timeout
        # A program that does not read fills the pipe, and writing would wait for ever: the time
        # limit holds for the question as well, and ending the program ends the wait.
        late = threading.Timer(self._timeout, _kill, (process,))
        late.start()
        try:
            assert process.stdin is not None
            process.stdin.write(text + "\n")
            process.stdin.flush()
            line = self._lines.get(timeout=self._timeout + 1.0)
        except (OSError, queue.Empty):
            line = None
        finally:
            late.cancel()
        if line is None and time.monotonic() >= limit:
            self.stop()
            raise NoAnswer(f"no answer within {self._timeout:g} s ({_FLUSH})")
        if line is None:
            raise NoAnswer(f"the program ended{self._last_words()}")
        return self._parse(line)

    def stop(self) -> None:
        """End the program; the next question starts it again."""
        self._stop()
        self._process = None

    def _running(self) -> subprocess.Popen[str]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self.stop()
        errors = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115
        try:
            process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,  # so that programs which it starts end with it
            )
        except OSError as error:
            errors.close()
            raise BadSetting(
                f"external program {self._command[0]!r} cannot be started: {error.strerror}"
            ) from None
        self._lines = queue.Queue()
        reader = threading.Thread(
            target=_read_lines,
            args=(process, self._lines, self._longest_answer),
            daemon=True,
        )
        reader.start()
        self._stop = weakref.finalize(self, _end, process, errors)
        self._errors = errors
        self._process = process
        return process

    def _parse(self, line: str) -> dict[str, Any]:
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict) or str(answer.get("id")) != str(self._number):
            self.stop()
            raise NoAnswer(f"not an answer with the id of the question: {line.strip()[:_SHOWN]!r}")
        return answer

    def _last_words(self) -> str:
        """The last line that the program wrote to its error stream."""
        if self._process is not None:
            _kill(self._process)
            self._process.wait()  # so that everything has been written
        self._errors.seek(0)
        lines = self._errors.read(_LONGEST_ANSWER).strip().splitlines()
        self.stop()
        return f": {printable(lines[-1][:_SHOWN])}" if lines else ""


def printable(text: str) -> str:
    """The text without what would move the cursor of a terminal or cannot be written."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)


def _read_lines(
    process: subprocess.Popen[str], lines: queue.Queue[str | None], longest: int
) -> None:
    """Hand over what the program writes, line by line; None at its end."""
    assert process.stdout is not None
    try:
        while line := process.stdout.readline(longest):
            lines.put(line)
            if lines.qsize() > _MOST_UNASKED:  # it would fill the memory
                _kill(process)
                break
    except (OSError, ValueError):  # the pipe was closed under the reader
        pass
    lines.put(None)


def _kill(process: subprocess.Popen[str]) -> None:
    """End the program and what it started."""
    if process.poll() is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def _end(process: subprocess.Popen[str], errors: IO[str]) -> None:
    _kill(process)
    process.wait()
    for stream in (process.stdin, process.stdout, errors):
        if stream is not None:
            try:
                stream.close()
            except OSError:  # what was buffered cannot be delivered any more
                continue
