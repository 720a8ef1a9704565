"""Plays whole games side by side and records the learner's decisions.

Seats are played by the learner, by earlier networks, or by agents such as a game's bots. Dice are
rolled until every game waits for a seat; then each player answers for all its games at once. A
decision with only one legal action is played without being recorded. All randomness comes from one
generator, so the same generator plays the same games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from stratagem.core.agent import Agent
from stratagem.core.driver import GameBatch, GeneratorStreams, Rows
from stratagem.core.game import Game, Observer, States, Values
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.state_arrays import take
from stratagem.nets.inference.sequences import Stepper
from stratagem.nets.strength import write_strength
from stratagem.search.outcomes import outcome_values
from stratagem.train.lineups import SELF, Lineups
from stratagem.train.ppo.episodes import Episodes
from stratagem.train.ppo.settings import OutcomeSection, PlaySection


@dataclass(frozen=True)
class Players:
    """Who can play a seat, by number. Decisions of players that are learned from are recorded."""

    observer: Observer
    networks: Mapping[int, Stepper]  # the learner and earlier networks
    agents: Mapping[int, Agent]
    learned: int = SELF  # whose decisions are recorded: the learner's, or a teacher's
    strengths: Values | None = None  # [games, P] for networks with that input


@dataclass
class _Ledger:
    """Decisions in the order they are made, in parts of one batch each."""

    states: list[States] = field(default_factory=list)
    actions: list[npt.NDArray[np.int32]] = field(default_factory=list)
    log_probabilities: list[npt.NDArray[np.float32]] = field(default_factory=list)
    sequences: list[Rows] = field(default_factory=list)
    games: list[Rows] = field(default_factory=list)
    seats: list[Rows] = field(default_factory=list)
    values: list[npt.NDArray[np.float32]] = field(default_factory=list)


class EpisodePlayer:
    """One group of games, played from start to end."""

    def __init__(
        self,
        game: Game,
        players: Players,
        settings: PlaySection,
        lineups: Lineups,
        generator: np.random.Generator,
    ) -> None:
        self.game, self.players, self.settings = game, players, settings
        self.lineups, self._generator = lineups, generator
        count = len(lineups)
        self.batch = GameBatch(game, count, GeneratorStreams(generator), recorded=1)
        self.batch.start(np.arange(count))
        self.ledger = _Ledger()
        self._sequences = 0  # started so far
        self._open = np.full(count, -1, np.int64)  # current sequence, -1: none
        self._length = np.zeros(count, np.int64)  # its decisions so far
        self._seat = np.full(count, -1, np.int64)  # its seat
        self._previous = np.full(count, -1, np.int64)  # its last action

    def play(self, outcome: OutcomeSection) -> Episodes:
        """Play all games to the end."""
        while self.play_round():
            pass
        return self._close(outcome)

    def play_round(self) -> bool:
        """Play one decision in every game that is not over; return False if none is left."""
        self._roll()
        deciding = np.flatnonzero(self.batch.states["seat"] >= 0)
        if len(deciding):
            self._decide(deciding)
        return len(deciding) > 0

    @property
    def written(self) -> int:
        """The number of decisions recorded so far."""
        return sum(len(part) for part in self.ledger.actions)

    def _roll(self) -> None:
        """Roll dice until no game waits for them, which interrupts the seat that decided before."""
        while len(rows := np.flatnonzero(self.batch.states["seat"] == CHANCE)):
            self._open[rows] = -1
            self.batch.roll(rows)

    def _decide(self, rows: Rows) -> None:
        """Play one decision in each of these games."""
        states = take(self.batch.states, rows)
        seats = states["seat"].astype(np.int64)
        self._open[rows[self._seat[rows] != seats]] = -1
        self._seat[rows] = seats
        ids, counts = self.game.legal(states)
        actions = ids[:, 0].copy()
        forced = counts == 1
        self._open[rows[forced]] = -1
        players = self.lineups[rows, seats]
        for player in np.unique(players[~forced]):
            mine = np.flatnonzero((players == player) & ~forced)
            actions[mine] = self._ask(
                int(player), rows[mine], states[mine], ids[mine], counts[mine]
            )
        self.batch.step(rows, actions)

    def _ask(
        self,
        player: int,
        rows: Rows,
        states: States,
        ids: npt.NDArray[np.int32],
        counts: npt.NDArray[np.int32],
    ) -> npt.NDArray[np.int32]:
        if player in self.players.agents:
            actions = self.batch.ask(self.players.agents[player], rows)
            if player == self.players.learned:
                begun = self._extend(rows)
                nothing = np.zeros(len(rows), np.float32)
                self._write(rows, states, actions, nothing, begun, nothing[begun])
            return actions
        stepper = self.players.networks[player]
        observations = self.players.observer(states)
        if self.players.strengths is not None:
            drawn = self.players.strengths[rows, states["seat"].astype(np.int64)]
            write_strength(self.players.observer.spec, observations, drawn)
        begun = self._extend(rows)
        logits = np.empty((len(rows), self.game.actions.size), np.float32)
        values = np.zeros(0, np.float32)
        if begun.any():
            logits[begun], found = stepper.begin(rows[begun], observations[begun])
            values = found[:, 0]
        if not begun.all():
            on = ~begun
            logits[on] = stepper.go_on(rows[on], observations[on], self._previous[rows[on]])
        actions, log_probabilities = sample(logits, ids, counts, self._generator)
        self._previous[rows] = actions
        if player == self.players.learned:
            self._write(rows, states, actions, log_probabilities, begun, values)
        return actions

    def _extend(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """Continue each game's sequence or begin one; return which ones began."""
        full = self._length[rows] >= self.settings.sequence
        renewed = self._generator.random(len(rows)) < self.settings.renew
        begun = (self._open[rows] < 0) | full | renewed
        fresh = rows[begun]
        self._open[fresh] = self._sequences + np.arange(len(fresh))
        self._sequences += len(fresh)
        self._length[fresh] = 0
        self._length[rows] += 1
        return begun

    def _write(
        self,
        rows: Rows,
        states: States,
        actions: npt.NDArray[np.int32],
        log_probabilities: npt.NDArray[np.float32],
        begun: npt.NDArray[np.bool_],
        values: npt.NDArray[np.float32],
    ) -> None:
        kept = self.ledger
        kept.states.append(states)
        kept.actions.append(actions)
        kept.log_probabilities.append(log_probabilities)
        kept.sequences.append(self._open[rows])
        kept.games.append(rows[begun])
        kept.seats.append(states["seat"][begun].astype(np.int64))
        kept.values.append(values)

    def _close(self, outcome: OutcomeSection) -> Episodes:
        """Sort the decisions by game, seat and time."""
        finals = self.batch.states
        assert (finals["seat"] == OVER).all()
        kept = self.ledger
        sequences = _joined(kept.sequences, np.int64)  # [N], numbers with gaps
        games, seats = _joined(kept.games, np.int64), _joined(kept.seats, np.int64)
        numbers = np.unique(sequences)  # [M] in order of their start
        order = np.lexsort((numbers, seats, games))
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        place = rank[np.searchsorted(numbers, sequences)]  # [N]
        sorted_rows = np.argsort(place, kind="stable")
        lengths = np.bincount(place, minlength=len(order))
        states = np.concatenate(kept.states) if kept.states else finals[:0]
        return Episodes(
            states=states[sorted_rows],
            actions=_joined(kept.actions, np.int32)[sorted_rows],
            log_probabilities=_joined(kept.log_probabilities, np.float32)[sorted_rows],
            starts=np.concatenate([[0], np.cumsum(lengths)]),
            games=games[order],
            seats=seats[order],
            values=_joined(kept.values, np.float32)[order],
            outcomes=outcome_values(self.game, finals, outcome),
            returns=self.game.returns(finals),
            scores=self.game.scores(finals),
            learners=self.lineups == self.players.learned,
            lineups=self.lineups,
            setup_seed=int(self.batch.setup_seeds[0]),
            events=tuple(self.batch.events[0]),
            strengths=self.players.strengths,
        )


def sample(
    logits: npt.NDArray[np.float32],
    ids: npt.NDArray[np.int32],
    counts: npt.NDArray[np.int32],
    generator: np.random.Generator,
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]:
    """Return (actions [B], their log-probabilities [B]) from the legal ids [B, W]."""
    width = int(counts.max())
    legal = np.arange(width) < counts[:, None]
    rows = np.arange(len(ids))
    scores = np.where(legal, logits[rows[:, None], np.where(legal, ids[:, :width], 0)], -np.inf)
    scores -= scores.max(1, keepdims=True)
    log_sums = np.log(np.exp(scores).sum(1))
    noise = generator.gumbel(size=scores.shape)
    picked = np.where(legal, scores + noise, -np.inf).argmax(1)
    log_probabilities = scores[rows, picked] - log_sums
    return ids[rows, picked], log_probabilities.astype(np.float32)


def _joined(parts: Sequence[npt.NDArray[Any]], dtype: type) -> npt.NDArray[Any]:
    return np.concatenate(parts) if parts else np.zeros(0, dtype)
