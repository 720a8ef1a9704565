"""Self-play: many games side by side, where each slot moves on as soon as its search is done.

No slot waits for another, so the evaluator always gets full batches, even if searches differ in
length. When another player is to move, the slot waits until that player is asked for several games
at once. At the start of every round the trees start from new roots and all randomness comes from
the round's own generator, so a resumed run plays the same games.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from stratagem.agents.kinds.mcts import choose
from stratagem.core.driver import GameBatch, GeneratorStreams, Rows
from stratagem.core.game import Actions, Game, States, Values
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import random_seeds
from stratagem.core.state_arrays import Arrays, gather, take
from stratagem.search import (
    ROOT_OBSERVES,
    Evaluator,
    Forest,
    RootReport,
    SearchSettings,
    outcome_values,
)
from stratagem.train.alphazero.opponents import Ending, OtherPlayers
from stratagem.train.alphazero.replay import Samples, join, quantise
from stratagem.train.alphazero.results import FinishedGame, SelfPlayResult, no_samples
from stratagem.train.alphazero.settings import SelfPlaySection, ShapingSection
from stratagem.train.alphazero.slots import Trajectory, export_slots, restore_slots
from stratagem.train.lineups import ALONE, SELF, tally_games

_LOOK_EVERY = 8, 16  # minimum and maximum rounds between checks: a quarter of a search


@dataclass(frozen=True)
class _Call:
    """The inputs of one call of `play`."""

    evaluator: Evaluator
    generator: np.random.Generator
    sims: int
    others: OtherPlayers | None  # None: the learner plays itself


@dataclass
class _Played:
    """What one call of `play` has collected so far."""

    finished: list[Samples] = field(default_factory=list)
    games: list[FinishedGame] = field(default_factory=list)
    returns: list[Values] = field(default_factory=list)
    decisions: int = 0
    sims: int = 0

    def result(self, game: Game) -> SelfPlayResult:
        if not self.finished:
            return SelfPlayResult(no_samples(game), (), self.decisions, self.sims, 0.0, 0.0)
        returns = np.concatenate(self.returns)
        return SelfPlayResult(
            samples=join(self.finished),
            games=tuple(self.games),
            decisions=self.decisions,
            sims=self.sims,
            mean_plies=float(np.mean([len(part) for part in self.finished])),
            draws=int((np.ptp(returns, axis=1) < 1e-6).sum()) / len(self.finished),
            tallies=tally_games(np.array([one.lineup for one in self.games]), returns),
        )


class SelfPlay:
    """A group of slots with its own forest. Several groups can run in parallel threads."""

    def __init__(
        self,
        game: Game,
        settings: SelfPlaySection,
        search: SearchSettings,
        shaping: ShapingSection,
        slots: int,
        scenario_index: int = 0,
    ) -> None:
        self.game = game
        self.scenario_index = scenario_index  # which of the run's games
        self.settings = settings
        self.search = search
        self.shaping = shaping
        self.forest = Forest(game, search, slots)
        # Replaced in every round.
        self.batch = GameBatch(game, slots, GeneratorStreams(np.random.default_rng(0)))
        self.trajectories = [Trajectory() for _ in range(slots)]
        self._budgets = np.zeros(slots, np.int32)
        self._full = np.ones(slots, bool)
        self.lineups = np.full((slots, game.num_seats), SELF, np.int64)  # who plays which seat
        self._waiting = np.full(slots, SELF, np.int64)  # whom the slot waits for; SELF: its search
        self._rooted = np.zeros(slots, bool)  # whether the tree starts at the current position
        self._fresh = True  # no game has been set up yet

    def play(
        self,
        positions: int,
        evaluator: Evaluator,
        generator: np.random.Generator,
        sims: int,
        others: OtherPlayers | None = None,
    ) -> SelfPlayResult:
        """Play until about `positions` decisions were made; unfinished games continue next time."""
        call, played = _Call(evaluator, generator, sims, others), _Played()
        self.batch.streams = GeneratorStreams(generator)
        slots = np.arange(len(self.batch))
        look_every = self._rounds_between_looks(sims)
        if self._fresh:
            self._set_up(slots, call)
            self._fresh = False
        self._rooted[:] = False
        self._start_turns(slots, call)
        rounds = 0
        searching = self._searching(slots, call)
        while played.decisions < positions:
            if len(searching):
                self.forest.simulate(searching, evaluator)
                played.sims += len(searching) * self.search.leaves_per_tree
                rounds += 1
                if rounds % look_every:
                    continue
                lacking = self._budgets[searching] - self.forest.root_visits(searching)
                enough = np.minimum(look_every // 2, self._budgets[searching] // 8)
                done = searching[lacking <= enough]
                if len(done):
                    played.decisions += len(done)
                    self._end_games(self._decide(done, call), call, played)
            if others is not None:
                asked = np.flatnonzero(
                    others.ready(self.lineups, self._waiting, len(searching) > 0)
                )
                if len(asked):
                    played.decisions += len(asked)
                    self._end_games(self._ask(asked, call, others), call, played)
                searching = self._searching(slots, call)
        return played.result(self.game)

    def export(self) -> Arrays:
        """Return the unfinished games as named arrays."""
        return export_slots(self.batch, self.lineups, self.trajectories)

    def restore(self, arrays: Arrays) -> None:
        """Continue exported games instead of setting up new ones."""
        if arrays["setup_seeds"].any():  # otherwise only a teacher has played so far
            self.trajectories = restore_slots(self.batch, arrays)
            self.lineups[:] = arrays["lineups"]
            self._seat_observers(np.arange(len(self.batch)))
            self._fresh = False

    def _rounds_between_looks(self, sims: int) -> int:
        """Return how many rounds of simulation to run between checks for finished searches.

        Deciding takes about as long for one slot as for many. Some searches run a little longer,
        others stop a little early; on average they have the requested length. Only Gumbel's
        plan must stop exactly on time.
        """
        if self.search.root == "gumbel":
            return 1
        shortest = sims if self.settings.full_share == 1 else min(self.settings.fast_sims, sims)
        fewest, most = _LOOK_EVERY
        return min(max(fewest, shortest // 4), most, shortest)

    # -- one decision ------------------------------------------------------------------------

    def _set_roots(self, slots: Rows, call: _Call) -> None:
        """Start new trees for these slots; what the deciding seat cannot see is sampled anew."""
        if len(slots):
            roots = self.batch.seen(slots)
            self.forest.set_roots(
                slots, roots, random_seeds(call.generator, len(slots)), call.evaluator
            )
            self._rooted[slots] = True

    def _decide(self, slots: Rows, call: _Call) -> Rows:
        """Play the searched move in these slots; return the slots whose game ended."""
        report = self.forest.report(slots)
        seeds = random_seeds(call.generator, len(slots))
        if self.search.root == "gumbel":
            actions = self.forest.best_gumbel(slots, report)
        else:
            actions = choose(report, seeds, self._temperatures(slots))
        self._remember(slots, report)
        return self._move(slots, actions, call)

    def _ask(self, slots: Rows, call: _Call, others: OtherPlayers) -> Rows:
        """Let opponents play in these slots; return the slots whose game ended."""
        seeds = random_seeds(call.generator, len(slots))
        players, actions = self._waiting[slots], np.empty(len(slots), np.int32)
        for player in np.unique(players).tolist():
            rows = np.flatnonzero(players == player)
            actions[rows] = self.batch.ask(others.agents[player], slots[rows], seeds[rows])
        states, whole = take(self.batch.states, slots), quantise(np.ones(1, np.float32))
        for row, slot in enumerate(slots.tolist()):
            played = actions[row : row + 1].astype(np.uint16)
            self.trajectories[slot].add(states[row], played, whole, math.nan, 0.0)
        return self._move(slots, actions, call)

    def _move(self, slots: Rows, actions: Actions, call: _Call) -> Rows:
        """Play these moves and the chance after them; return the slots whose game ended."""
        deciders = self.batch.states["seat"][slots]
        self.batch.step(slots, actions)
        kept = self._rooted[slots]
        on = np.flatnonzero(kept)
        kept[on] = self._follow(slots[on], actions[on], deciders[on])
        self._roll(slots, kept, deciders)
        self._rooted[slots] = kept
        going = self.batch.states["seat"][slots] != OVER
        self._start_turns(slots[going], call)
        ended: Rows = slots[~going]
        return ended

    def _start_turns(self, slots: Rows, call: _Call) -> None:
        """Start the next turns in these slots: begin searches, or wait for opponents."""
        if call.others is not None:
            players = self.lineups[slots, self.batch.states["seat"][slots]]
            self._waiting[slots] = players
            slots = slots[players == SELF]
        self._set_roots(slots[~self._rooted[slots]], call)
        self._start_decisions(slots, call)

    def _searching(self, slots: Rows, call: _Call) -> Rows:
        """Return the slots in which the learner is to move."""
        return slots if call.others is None else np.flatnonzero(self._waiting == SELF)

    def _roll(
        self, slots: Rows, kept: npt.NDArray[np.bool_], deciders: npt.NDArray[np.int8]
    ) -> None:
        """Draw chance outcomes until a seat decides in every slot; kept trees follow them."""
        while len(rolling := np.flatnonzero(self.batch.states["seat"][slots] == CHANCE)):
            outcomes = self.batch.roll(slots[rolling])
            on = kept[rolling]
            followed = rolling[on]
            kept[followed] = self._follow(slots[followed], outcomes[on], deciders[followed])

    def _follow(
        self, slots: Rows, actions: Actions, deciders: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.bool_]:
        """Keep the subtree below each move if the settings and the game allow it."""
        if not self.search.reuse or self.search.root == "gumbel" or self.game.kernels.hide:
            return np.zeros(len(slots), bool)
        kept = self.forest.advance(slots, actions)
        if self.search.fixed_perspective:  # a new root means a new observer
            known = self.forest.observer_seats[slots] != ROOT_OBSERVES
            kept &= known | (self.forest.root_seats(slots) == deciders)
        return kept

    def _temperatures(self, slots: Rows) -> npt.NDArray[np.float64]:
        settings = self.settings
        plies = np.fromiter((len(self.trajectories[k].states) for k in slots.tolist()), np.int64)
        share = np.clip(plies / max(settings.temperature_plies, 1), 0, 1)
        return settings.temperature + share * (settings.temperature_end - settings.temperature)

    def _start_decisions(self, slots: Rows, call: _Call) -> None:
        """Choose between a full and a fast search, and add noise to the roots of full ones."""
        if not len(slots):
            return
        full = call.generator.random(len(slots)) < self.settings.full_share
        self._full[slots] = full
        fast_sims = min(self.settings.fast_sims, call.sims)
        budgets = np.where(full, call.sims, fast_sims)
        inherited = 0 if self.search.count_reused else self.forest.root_visits(slots)
        self._budgets[slots] = budgets + inherited
        if full.all():
            self.forest.prepare_roots(slots, noise=True, sims=call.sims)
            return
        self.forest.prepare_roots(slots[full], noise=True, sims=call.sims)
        # Gumbel noise is not exploration noise: it is how that rule varies its games.
        noise = self.search.root == "gumbel"
        self.forest.prepare_roots(slots[~full], noise=noise, sims=fast_sims)

    def _remember(self, slots: Rows, report: RootReport) -> None:
        """Record what each root was searched for; array by array, split into rows at the end."""
        shares = quantise(report.policy)
        shares[np.arange(shares.shape[1])[None, :] >= report.counts[:, None]] = 0
        rows, columns = np.nonzero(shares)
        actions, kept = report.actions[rows, columns].astype(np.uint16), shares[rows, columns]
        ends = np.cumsum(np.bincount(rows, minlength=len(slots))).tolist()
        values, full = report.root_values.tolist(), self._full[slots].tolist()
        states, start = take(self.batch.states, slots), 0
        for row, slot in enumerate(slots.tolist()):
            span = slice(start, ends[row])
            self.trajectories[slot].add(
                states[row], actions[span], kept[span], values[row], 1.0 if full[row] else 0.0
            )
            start = ends[row]

    # -- games -------------------------------------------------------------------------------

    def _set_up(self, slots: Rows, call: _Call) -> None:
        """Set up new games; opening chance outcomes are drawn at once."""
        self.batch.start(slots)
        for slot in slots.tolist():
            self.trajectories[slot] = Trajectory()
        nothing = np.zeros(len(slots), bool)
        self._roll(slots, nothing, np.zeros(len(slots), np.int8))
        self._rooted[slots] = False
        draw = ALONE if call.others is None else call.others.draw
        self.lineups[slots] = draw.from_seeds(self.batch.setup_seeds[slots], self.game.num_seats)
        self._seat_observers(slots)

    def _seat_observers(self, slots: Rows) -> None:
        """Fix the learner's observing seat in games with others, if its perspective is fixed."""
        mine = self.lineups[slots] == SELF
        seats = np.where(mine.all(axis=1), ROOT_OBSERVES, mine.argmax(axis=1))
        self.forest.observer_seats[slots] = seats

    def _end_games(self, slots: Rows, call: _Call, played: _Played) -> None:
        """Collect the samples of the finished games in these slots, and start new games."""
        if not len(slots):
            return
        returns = self.game.returns(take(self.batch.states, slots))
        played.returns.append(returns)
        learn = "values" if call.others is None else call.others.learn
        for row, slot in enumerate(slots.tolist()):
            played.finished.append(self._finish(slot, returns[row], learn))
            seed, events = int(self.batch.setup_seeds[slot]), tuple(self.batch.events[slot])
            lineup = tuple(self.lineups[slot].tolist())
            played.games.append(FinishedGame(seed, events, self.scenario_index, lineup))
        self._set_up(slots, call)
        self._start_turns(slots, call)

    def _finish(self, slot: int, returns: npt.NDArray[np.float32], learn: str) -> Samples:
        """Return the samples of a finished game; every decision gets its results (and shaping)."""
        trajectory = self.trajectories[slot]
        count = len(trajectory.states)
        final = self.batch.states[slot]
        states = gather((*trajectory.states, final), self.game.rules.dtype)
        values = np.repeat(outcome_values(self.game, states[count:], self.search), count, axis=0)
        if self.shaping.target_weight > 0:
            values += self._shaping_terms(states)
        lengths = [len(actions) for actions in trajectory.actions]
        ending = Ending(
            self.lineups[slot], returns, states["seat"][:count], self.search.fixed_perspective,
            learn,
        )  # fmt: skip
        searched = np.array(trajectory.search_values, np.float32)
        weights = np.array(trajectory.policy_weights, np.float32)
        return Samples(
            states=states[:count],
            offsets=np.cumsum([0, *lengths]).astype(np.int64),
            actions=np.concatenate(trajectory.actions),
            shares=np.concatenate(trajectory.shares),
            values=values.astype(np.float32),
            search_values=ending.search_values(searched, values),
            policy_weights=ending.policy_weights(weights),
            scores=np.repeat(self.game.scores(states[count:]), count, axis=0),
            scenario_indices=np.full(count, self.scenario_index, np.uint8),
            observer_seats=ending.observer_seats(),
        )

    def _shaping_terms(self, states: States) -> npt.NDArray[np.float32]:
        """Return [n, P]: sum over later steps of discount^(k-t) (discount · phi(k+1) - phi(k))."""
        discount = self.shaping.discount
        potentials = self.game.potentials(states) * self.shaping.target_weight
        gains = discount * potentials[1:] - potentials[:-1]
        terms = np.zeros_like(gains)
        running = np.zeros(gains.shape[1], np.float32)
        for step in range(len(gains) - 1, -1, -1):
            running = gains[step] + discount * running
            terms[step] = running
        return terms
