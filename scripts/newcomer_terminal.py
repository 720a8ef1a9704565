"""Run commands in their own terminal and measure how long they are silent. For newcomer.py."""

from __future__ import annotations

import fcntl
import math
import os
import pty
import re
import select
import signal
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ADDRESS = re.compile(r"Stratagem is at (http://\S+)")
PROMPT = re.compile(r"> $")
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07|\x1b[=>]")
PATIENCE = 5.0  # seconds for a server to end after Ctrl-C
ENDED = (0, 130, 143, -signal.SIGINT, -signal.SIGTERM)
LONGEST = 1800.0  # seconds until a command is given up
_POLL = 0.1


@dataclass
class Heard:
    """What somebody at the terminal saw of one command."""

    seconds: float = 0.0
    silence: float = 0.0  # the longest time without anything new on the screen
    before: str = ""  # the last line before it
    code: int | None = None
    text: str = ""
    visited: str = ""  # what the browser did with the address that the command gave


class Terminal:
    """Runs commands with a terminal for input, output and errors."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.environment = dict(environment)

    def run(
        self,
        command: str,
        place: Path,
        log: Path,
        typed: Sequence[str] = (),
        serving: Callable[[str], str] | None = None,
    ) -> Heard:
        """Run to the end; what is typed goes in line by line, a server is visited and stopped."""
        parent, child = pty.openpty()
        began = time.monotonic()
        process = subprocess.Popen(
            ["bash", "-c", command], cwd=place, env=self.environment,
            stdin=child, stdout=child, stderr=child, close_fds=True,
            preexec_fn=lambda: _own_terminal(child),
        )  # fmt: skip
        os.close(child)
        ear = _Ear(parent, began)
        lines = list(typed)
        visited, stopped_at = "", math.inf
        try:
            while ear.listen() or process.poll() is None:
                if time.monotonic() - began > LONGEST:
                    os.killpg(process.pid, signal.SIGKILL)
                if lines and PROMPT.search(ear.tail):
                    ear.say(lines.pop(0) + "\n")
                found = ADDRESS.search(ear.text) if serving is not None and not visited else None
                if serving is not None and found is not None:
                    ear.stop()  # from now on the page answers, not the terminal
                    visited = _visit(serving, found[1])
                    os.killpg(process.pid, signal.SIGINT)
                    stopped_at = time.monotonic()
                # A script that runs in the background hands on that Ctrl-C is ignored.
                if visited and time.monotonic() - stopped_at > PATIENCE:
                    os.killpg(process.pid, signal.SIGTERM)
                    stopped_at = math.inf
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            code = process.wait()
            os.close(parent)
        log.write_text(f"$ {command}\n{ear.text}")
        stopped = serving is not None and code in ENDED
        return Heard(
            ear.seconds, ear.silence, ear.before, 0 if stopped else code, ear.text, visited
        )


class _Ear:
    """Everything that appeared on the screen, and the longest time in which nothing did."""

    def __init__(self, parent: int, began: float) -> None:
        self._parent, self._began, self._last = parent, began, began
        self._stopped = False
        self._raw = ""
        self.silence, self.before = 0.0, ""
        self.seconds = 0.0

    @property
    def text(self) -> str:
        return ESCAPES.sub("", self._raw)

    @property
    def tail(self) -> str:
        return ESCAPES.sub("", self._raw[-200:])

    def listen(self) -> bool:
        """Take what has come; False at the end of the output."""
        ready, _, _ = select.select([self._parent], [], [], _POLL)
        now = time.monotonic()
        if not self._stopped:
            self.seconds = now - self._began
            if now - self._last > self.silence:
                self.silence, self.before = now - self._last, self._last_line()
        if not ready:
            return True
        try:
            data = os.read(self._parent, 65536)
        except OSError:  # Linux says so when the other side is closed
            return False
        self._raw += data.decode(errors="replace")
        self._last = now
        return bool(data)

    def say(self, text: str) -> None:
        os.write(self._parent, text.encode())
        self._last = time.monotonic()

    def stop(self) -> None:
        self._stopped = True

    def _last_line(self) -> str:
        lines = [one.strip() for one in re.split(r"[\r\n]+", self.text[-2000:]) if one.strip()]
        return lines[-1][:120] if lines else "the command"


def _visit(serving: Callable[[str], str], address: str) -> str:
    try:
        return serving(address.rstrip("/"))
    except Exception as error:  # a page that cannot be used is a finding, not a crash
        return f"failed: {str(error).splitlines()[0][:120]}"


def _own_terminal(child: int) -> None:
    """Make the terminal that of the new process, so that Ctrl-C would reach it."""
    os.setsid()
    fcntl.ioctl(child, termios.TIOCSCTTY, 0)
