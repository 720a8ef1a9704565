"""Games between pairs of an experiment's players: spread over the cores, and kept in files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from stratagem.agents import make_agent
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seed
from stratagem.evaluate.matches import play_match
from stratagem.experiments.call import Call
from stratagem.experiments.kept import Job, do_missing, read_kept


class Player(NamedTuple):
    """An agent spec and the iteration of its network: more training makes another player."""

    spec: str
    iteration: int = 0


class Meeting(NamedTuple):
    """Two players and the number of games between them."""

    mine: Player
    theirs: Player
    games: int
    seats: Literal["rotate", "fixed"]


@dataclass(frozen=True)
class Arena:
    """Plays games and stores their results: one file for each meeting."""

    game: str
    call: Call

    def play(self, what: str, meetings: Sequence[Meeting]) -> list[list[float]]:
        """Return 1, 1/2 or 0 for the first agent in each game of each meeting; use all cores."""
        seed = derive_seed(self.call.seed, what, self.game)
        files = [self._file(meeting, seed) for meeting in meetings]
        jobs = {
            file: Job(_play, (self.game, meeting, seed))
            for meeting, file in zip(meetings, files, strict=True)
        }
        do_missing(what, jobs, self.call)
        return [read_kept(file) for file in files]

    def _file(self, meeting: Meeting, seed: int) -> Path:
        mine, theirs, games, seats = meeting
        key = derive_seed(seed, self.game, *map(str, (*mine, *theirs)), games, seats)
        return self.call.out / "played" / f"{key:016x}.json"


def _play(game_spec: str, meeting: Meeting, seed: int) -> list[float]:
    game = load_game(game_spec)
    agents = [make_agent(player.spec, game) for player in (meeting.mine, meeting.theirs)]
    outcomes = play_match(game, agents, meeting.games, seed, seats=meeting.seats).outcomes
    return [one.duel(0, 1) for one in outcomes]
