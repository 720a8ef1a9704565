"""Measure how fast the web server answers during fifty games at once, while agents think.

    python benchmarks/web_load.py [--games 50] [--seconds 120] [--opponent "mcts:none?sims=50"]

Starts its own server on a free port with a temporary data folder. In each game, a simulated person
decides once per second against an agent; a finished game is followed by a new one. Besides moves,
the clients request the state, a preview and positions. For each route, the number of answers, the
median, the 95th percentile and the slowest are printed. No request waits for a search, but the
agents search all the time. Exit code 1 means that a request failed, that the median exceeds 50 ms
or the 95th percentile 200 ms. These limits are for a quiet machine with two cores; the machine's
load is printed too.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from urllib.parse import urlencode, urlsplit

MEDIAN_LIMIT = 0.050
LATE_LIMIT = 0.200  # 95 % are answered sooner
PATIENCE = 60.0  # seconds until a request counts as failed
STARTER = "import sys; from stratagem.cli.main import run; sys.exit(run(sys.argv[1:]))"


class Connection:
    """One kept-alive connection: as little work as possible, for the server has the same cores."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, address: str) -> Connection:
        place = urlsplit(address)
        return cls(*await asyncio.open_connection(place.hostname, place.port, limit=2**20))

    async def ask(self, method: str, path: str, body: object = None) -> tuple[int, bytes]:
        """Status and body of the answer."""
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: {len(data)}\r\n"
        self._writer.write(f"{head}content-type: application/json\r\n\r\n".encode() + data)
        lines = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        fields = dict(line.lower().split(": ", 1) for line in lines[1:] if line)
        return int(lines[0].split()[1]), await self._reader.readexactly(
            int(fields["content-length"])
        )

    def close(self) -> None:
        self._writer.close()


class Load:
    """People at one server, and how long each of their requests took."""

    def __init__(self, address: str, game: str, opponent: str) -> None:
        self.address = address
        self.game = game
        self.opponent = opponent
        self.times: dict[str, list[float]] = defaultdict(list)
        self.errors: list[str] = []
        self.finished = 0

    async def ask(
        self, to: Connection, what: str, method: str, path: str, body: object = None
    ) -> dict[str, object]:
        """One request, timed; an answer that is no success is an error of the server."""
        started = time.perf_counter()
        try:
            status, answer = await asyncio.wait_for(to.ask(method, path, body), PATIENCE)
        except (OSError, EOFError, TimeoutError) as error:
            self.errors.append(f"{what}: {type(error).__name__}")
            return {}
        self.times[what].append(time.perf_counter() - started)
        if status >= 400:
            self.errors.append(f"{what}: {status} {answer[:120].decode(errors='replace')}")
            return {}
        return dict(json.loads(answer))

    async def begin(self, to: Connection) -> str:
        body = {"game": self.game, "seats": ["human", self.opponent]}
        state = await self.ask(to, "begin", "POST", "/api/sessions", body)
        return f"/api/sessions/{state['id']}" if "id" in state else ""

    async def play(self, until: float, generator: random.Random) -> None:
        """One person: looks, thinks for a second, decides."""
        to = await Connection.open(self.address)
        session = await self.begin(to)
        while session and time.monotonic() < until:
            pause = asyncio.create_task(asyncio.sleep(1.0))
            state = await self.ask(to, "state", "GET", session)
            legal = state.get("legal")
            if state.get("status") == "over":
                self.finished += 1
                await self.ask(to, "positions", "GET", f"{session}/positions")
                session = await self.begin(to)
            elif isinstance(legal, list) and legal:
                choice = {"action": generator.choice(legal)["action"], "ply": state["plies"]}
                await self.ask(to, "preview", "GET", f"{session}/preview?{urlencode(choice)}")
                await self.ask(to, "act", "POST", f"{session}/act", choice)
            if state.get("error"):
                self.errors.append(f"session: {state['error']}")
            await pause
        to.close()

    def report(self) -> tuple[float, float]:
        """Print the table of times; returns median and 95th percentile over everything."""
        everything = [seconds for times in self.times.values() for seconds in times]
        print(f"{'request':12} {'count':>7} {'median':>9} {'95 %':>9} {'slowest':>9}")
        for what, times in [*sorted(self.times.items()), ("all", everything)]:
            ordered = sorted(times)
            late = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
            print(
                f"{what:12} {len(times):7d} {1e3 * statistics.median(times):6.1f} ms "
                f"{1e3 * late:6.1f} ms {1e3 * ordered[-1]:6.1f} ms"
            )
        ordered = sorted(everything)
        return statistics.median(ordered), ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]


async def run(address: str, games: int, seconds: float, game: str, opponent: str) -> int:
    warm = Load(address, game, opponent)  # rules are loaded and compiled before time counts
    await warm.play(time.monotonic() + 10, random.Random(0))
    load = Load(address, game, opponent)
    until = time.monotonic() + seconds
    people = []
    for number in range(games):
        people.append(asyncio.create_task(load.play(until, random.Random(number))))
        await asyncio.sleep(min(1.0, seconds) / games)  # spread over the first second
    await asyncio.gather(*people)
    median, late = load.report()
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"{load.finished} games finished, {len(load.errors)} errors")
    for error in load.errors[:10]:
        print("  ", error)
    fast = median < MEDIAN_LIMIT and late < LATE_LIMIT
    return 0 if fast and not load.errors else 1


def main() -> int:
    """Start a server, load it, stop it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--game", default="connect_four")
    parser.add_argument("--opponent", default="mcts:none?sims=50")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-c", STARTER, "serve", "-p", "0", "--json", "--data", folder]
        # More games than are played are begun: finished ones stay on disk.
        words += ["--max-games", str(100 * chosen.games)]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                address = json.loads(server.stdout.readline())["url"]
                return asyncio.run(
                    run(address, chosen.games, chosen.seconds, chosen.game, chosen.opponent)
                )
            finally:
                server.terminate()


if __name__ == "__main__":
    sys.exit(main())
