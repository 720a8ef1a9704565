"""A program that answers questions, one line of JSON each.

It is asked one question at a time, with a time limit for each. A program that ends, hangs or writes
anything else is stopped, and started again for the next question. Nothing here waits for a pipe
longer than the time limit, whoever holds its other end.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from stratagem.core.errors import BadSetting, StratagemError

_LONGEST_ANSWER = 1 << 20  # bytes
_SHOWN = 200  # characters of a wrong answer that are quoted in a message
_FLUSH = "too slow, or its output is not flushed after each line"
_LAST_WORDS = 4096  # bytes of its error stream that are kept
_PORTION = 1 << 16


class NoAnswer(StratagemError):
    """The program gave no readable answer; the message says what it did instead."""


class ExternalProcess:
    """One program and the pipe to it; `ask` starts it if needed."""

    def __init__(
        self, command: Sequence[str], timeout: float, longest_answer: int = _LONGEST_ANSWER
    ) -> None:
        self._command, self._timeout = list(command), timeout
        self._longest_answer = longest_answer
        self._process: subprocess.Popen[bytes] | None = None
        self._last_words = b""  # of its error stream
        self._said_more = False
        self._stop: Callable[[], object] = lambda: None
        self._number = 0

    def ask(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return the program's answer to one question, an object with the same `id`."""
        self._number += 1
        process = self._running()
        text = json.dumps({"id": str(self._number), **question})
        try:
            line = self._converse(process, f"{text}\n".encode())
        except TimeoutError:
            self.stop()
            raise NoAnswer(f"no answer within {self._timeout:g} s ({_FLUSH})") from None
        if line is None:
            raise NoAnswer(f"the program ended{self._complaint(process)}")
        return self._parse(line)

    def stop(self) -> None:
        """Stop the program; the next question starts it again."""
        self._stop()
        self._process = None

    def _running(self) -> subprocess.Popen[bytes]:
        process = self._process
        # Unrequested output could be taken for the next answer, so the program is restarted.
        said_more = process is not None and (self._said_more or _has_said(process))
        if process is not None and process.poll() is None and not said_more:
            return process
        self.stop()
        try:
            process = subprocess.Popen(
                self._command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # so that programs started by it end with it
            )
        except OSError as error:
            raise BadSetting(
                f"external program {self._command[0]!r} cannot be started: {error.strerror}"
            ) from None
        for stream in (process.stdin, process.stdout, process.stderr):
            assert stream is not None
            os.set_blocking(stream.fileno(), False)
        self._last_words, self._said_more = b"", False
        self._stop = weakref.finalize(self, _end, process)
        self._process = process
        return process

    def _converse(self, process: subprocess.Popen[bytes], question: bytes) -> str | None:
        """Write the question and read a line; None if the program ends or closes its output."""
        assert process.stdin is not None and process.stdout is not None
        stdin, stdout = process.stdin.fileno(), process.stdout.fileno()
        assert process.stderr is not None
        stderr = process.stderr.fileno()
        limit, answer = time.monotonic() + self._timeout, bytearray()
        waiting = select.poll()
        waiting.register(stdin, select.POLLOUT)
        waiting.register(stdout, select.POLLIN)
        waiting.register(stderr, select.POLLIN)
        while (left := limit - time.monotonic()) > 0:
            for stream, _ in waiting.poll(1000 * left):
                if stream == stdin:
                    question = question[_write(stdin, question) :]
                    if not question:
                        waiting.unregister(stdin)
                    continue
                part = _read(stream)
                if part is None:
                    continue
                if stream == stderr:
                    self._last_words = (self._last_words + part)[-_LAST_WORDS:]
                    if not part:
                        waiting.unregister(stderr)
                    continue
                answer += part
                if b"\n" in part or len(answer) > self._longest_answer or not part:
                    line, _, more = answer.partition(b"\n")
                    self._said_more = bool(more.strip())
                    return line.decode(errors="replace") if answer else None
        raise TimeoutError

    def _parse(self, line: str) -> dict[str, Any]:
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict) or str(answer.get("id")) != str(self._number):
            self.stop()
            raise NoAnswer(f"not an answer with the question's id: {line.strip()[:_SHOWN]!r}")
        return answer

    def _complaint(self, process: subprocess.Popen[bytes]) -> str:
        """Return the last line that the program wrote to its error stream."""
        _kill(process)
        process.wait()  # so that everything has been written
        assert process.stderr is not None
        while part := _read(process.stderr.fileno()):
            self._last_words = (self._last_words + part)[-_LAST_WORDS:]
        lines = self._last_words.decode(errors="replace").strip().splitlines()
        self.stop()
        return f": {printable(lines[-1][:_SHOWN])}" if lines else ""


def printable(text: str) -> str:
    """Remove characters that would move a terminal's cursor or cannot be written."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)


def _has_said(process: subprocess.Popen[bytes]) -> bool:
    """Whether there is unrequested output to read, or the pipe has ended."""
    assert process.stdout is not None
    waiting = select.poll()
    waiting.register(process.stdout.fileno(), select.POLLIN)
    return bool(waiting.poll(0))


def _write(stream: int, data: bytes) -> int:
    """Write and return how much was taken; all if nobody reads: the program may still answer."""
    try:
        return os.write(stream, data)
    except BlockingIOError:
        return 0
    except OSError:
        return len(data)


def _read(stream: int) -> bytes | None:
    """Read what is available; empty at the end, None if there is nothing yet."""
    try:
        return os.read(stream, _PORTION)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the program and everything it started."""
    if process.poll() is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def _end(process: subprocess.Popen[bytes]) -> None:
    _kill(process)
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            stream.close()
