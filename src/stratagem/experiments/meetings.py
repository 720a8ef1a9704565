"""Games between pairs of players of an experiment: spread over the cores, and kept in files.

What was played is never played again, so the same call on the same folder goes on where it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

import torch

from stratagem.agents import make_agent
from stratagem.core.errors import StratagemError
from stratagem.core.files import write_atomically
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seed
from stratagem.evaluate.matches import play_match
from stratagem.experiments.call import Call
from stratagem.experiments.kept import read_kept
from stratagem.experiments.processes import run_jobs


class Player(NamedTuple):
    """An agent spec, and the iteration of its network: more training is another player."""

    spec: str
    iteration: int = 0


class Meeting(NamedTuple):
    """Two players, and how many games they play."""

    mine: Player
    theirs: Player
    games: int
    seats: Literal["rotate", "fixed"]


@dataclass(frozen=True)
class Arena:
    """Where games are played, and what is known of those that were: a file for each meeting."""

    game: str
    call: Call

    def play(self, what: str, meetings: Sequence[Meeting]) -> list[list[float]]:
        """1, 1/2 or 0 of the first agent in each game, for each meeting; all cores play."""
        seed = derive_seed(self.call.seed, what, self.game)
        files = [self._file(meeting, seed) for meeting in meetings]
        todo = [
            (self.game, meeting, seed, file)
            for meeting, file in zip(meetings, files, strict=True)
            if not file.is_file()
        ]
        done = 0

        def report(job: int, outcome: StratagemError | None) -> None:
            nonlocal done
            done += 1
            if outcome is not None:
                meeting = todo[job][1]
                self.call.progress(f"{meeting.mine.spec} and {meeting.theirs.spec}: {outcome}")
            if done % 20 == 0 or done == len(todo):
                self.call.progress(f"{what}: {done} of {len(todo)}")

        run_jobs(_play_one, todo, report, self.call.backend)
        return [read_kept(file) for file in files]

    def _file(self, meeting: Meeting, seed: int) -> Path:
        mine, theirs, games, seats = meeting
        key = derive_seed(seed, self.game, *map(str, (*mine, *theirs)), games, seats)
        return self.call.out / "played" / f"{key:016x}.json"


def _play_one(game_spec: str, meeting: Meeting, seed: int, file: Path) -> None:
    """Play one meeting and keep its results."""
    torch.set_num_threads(1)
    game = load_game(game_spec)
    agents = [make_agent(player.spec, game) for player in (meeting.mine, meeting.theirs)]
    outcomes = play_match(game, agents, meeting.games, seed, seats=meeting.seats).outcomes
    write_atomically(file, json.dumps([one.duel(0, 1) for one in outcomes]) + "\n")
