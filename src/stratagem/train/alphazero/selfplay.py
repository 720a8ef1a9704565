"""Self-play: many games side by side, each slot moving on as soon as its own search is done.

No slot waits for another, so the evaluator always gets full batches, even when searches differ
in length. At the start of every round the trees start from new roots and all randomness comes from
the round's own generator: a resumed run plays the same games.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stratagem.agents.kinds.mcts import choose
from stratagem.core.driver import GameBatch, GeneratorStreams, Rows
from stratagem.core.game import Actions, Game, States
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import random_seeds
from stratagem.core.state_arrays import gather, take
from stratagem.search import (
    ROOT_OBSERVES,
    Evaluator,
    Forest,
    RootReport,
    SearchSettings,
    outcome_values,
)
from stratagem.train.alphazero.opponents import NOBODY, Opponent, as_played, seen_by_learner
from stratagem.train.alphazero.replay import Samples, join, quantise
from stratagem.train.alphazero.settings import SelfPlaySection, ShapingSection
from stratagem.train.alphazero.slots import Arrays, Trajectory, export_slots, restore_slots

_LOOK_EVERY = 8, 16  # rounds of simulation at least and at most: a quarter of a search


@dataclass(frozen=True)
class FinishedGame:
    """What a record of a self-play game needs."""

    setup_seed: int
    events: tuple[int, ...]
    scenario_index: int = 0  # which of the run's games


@dataclass(frozen=True)
class SelfPlayResult:
    """What an iteration of self-play brought in."""

    samples: Samples
    games: tuple[FinishedGame, ...]
    decisions: int
    sims: int
    mean_plies: float
    draws: float


@dataclass(frozen=True)
class _Round:
    """What one call of `play` works with."""

    evaluator: Evaluator
    generator: np.random.Generator
    sims: int


class SelfPlay:
    """A group of slots with their own forest. Several groups can run in threads side by side."""

    def __init__(
        self,
        game: Game,
        settings: SelfPlaySection,
        search: SearchSettings,
        shaping: ShapingSection,
        slots: int,
        scenario_index: int = 0,
        opponent: Opponent | None = None,
    ) -> None:
        self.game = game
        self.scenario_index = scenario_index  # which of the run's games
        self.settings = settings
        self.search = search
        self.shaping = shaping
        self.forest = Forest(game, search, slots)
        # Every round brings its own generator.
        self.batch = GameBatch(game, slots, GeneratorStreams(np.random.default_rng(0)))
        self.trajectories = [Trajectory() for _ in range(slots)]
        self._budgets = np.zeros(slots, np.int32)
        self._full = np.ones(slots, bool)
        self._opponent = opponent
        self._opponent_seats = np.full(slots, NOBODY, np.int64)
        self._fresh = True  # no game has been set up yet

    def play(
        self,
        positions: int,
        evaluator: Evaluator,
        generator: np.random.Generator,
        sims: int,
    ) -> SelfPlayResult:
        """Play until about `positions` decisions were made; unfinished games wait for next time."""
        now = _Round(evaluator, generator, sims)
        self.batch.streams = GeneratorStreams(generator)
        slots = np.arange(len(self.batch))
        look_every = self._rounds_between_looks(sims)
        if self._fresh:
            self._set_up(slots)
            self._fresh = False
        self._seat_opponents(slots)
        self._set_roots(slots, now)
        self._start_decisions(slots, now)
        finished: list[Samples] = []
        games: list[FinishedGame] = []
        draws = decisions = simulations = rounds = 0
        while decisions < positions:
            self.forest.simulate(slots, evaluator)
            simulations += len(slots) * self.search.leaves_per_tree
            rounds += 1
            if rounds % look_every:
                continue
            lacking = self._budgets[slots] - self.forest.root_visits(slots)
            done = slots[lacking <= np.minimum(look_every // 2, self._budgets[slots] // 8)]
            if not len(done):
                continue
            decisions += len(done)
            ended = self._decide(done, now)
            for slot in ended.tolist():
                finished.append(self._finish(slot))
                seed, events = int(self.batch.setup_seeds[slot]), tuple(self.batch.events[slot])
                games.append(FinishedGame(seed, events, self.scenario_index))
            if len(ended):
                returns = self.game.returns(take(self.batch.states, ended))
                draws += int((np.ptp(returns, axis=1) < 1e-6).sum())
                self._refill(ended, now)
        if not finished:
            return SelfPlayResult(no_samples(self.game), (), decisions, simulations, 0.0, 0.0)
        plies, drawn = float(np.mean([len(part) for part in finished])), draws / len(finished)
        return SelfPlayResult(join(finished), tuple(games), decisions, simulations, plies, drawn)

    def export(self) -> Arrays:
        """The games under way as named arrays."""
        return export_slots(self.batch, self.trajectories)

    def restore(self, arrays: Arrays) -> None:
        """Go on with exported games instead of setting up new ones."""
        if arrays["setup_seeds"].any():  # else only a teacher has played so far
            self.trajectories = restore_slots(self.batch, arrays)
            self._fresh = False

    def _rounds_between_looks(self, sims: int) -> int:
        """How often to look for finished searches.

        Deciding costs about the same for one slot as for many. Some searches have grown on
        meanwhile, some lack a little: on average they have what was asked for. Gumbel's plan
        alone must stop on the dot.
        """
        if self.search.root == "gumbel":
            return 1
        shortest = sims if self.settings.full_share == 1 else min(self.settings.fast_sims, sims)
        fewest, most = _LOOK_EVERY
        return min(max(fewest, shortest // 4), most, shortest)

    # -- one decision ------------------------------------------------------------------------

    def _set_roots(self, slots: Rows, now: _Round) -> None:
        """New trees for these slots; what the deciding seat cannot see is guessed anew."""
        if len(slots):
            roots = self.batch.seen(slots)
            self.forest.set_roots(
                slots, roots, random_seeds(now.generator, len(slots)), now.evaluator
            )

    def _decide(self, slots: Rows, now: _Round) -> Rows:
        """Play the searched move in these slots; returns the slots whose game ended."""
        report = self.forest.report(slots)
        seeds = random_seeds(now.generator, len(slots))
        if self.search.root == "gumbel":
            actions = self.forest.best_gumbel(slots, report)
        else:
            actions = choose(report, seeds, self._temperatures(slots))
        theirs = self._is_opponents_turn(slots)
        if self._opponent is not None and theirs.any():
            actions[theirs] = self.batch.ask(self._opponent.agent, slots[theirs], seeds[theirs])
            if self.search.fixed_perspective:
                report = as_played(report, actions, theirs)
        self._remember(slots, report)
        deciders = self.batch.states["seat"][slots]
        self.batch.step(slots, actions)
        kept = self._follow(slots, actions, deciders)
        self._roll(slots, kept, deciders)
        going = self.batch.states["seat"][slots] != OVER
        self._set_roots(slots[going & ~kept], now)
        self._start_decisions(slots[going], now)
        ended: Rows = slots[~going]
        return ended

    def _roll(
        self, slots: Rows, kept: npt.NDArray[np.bool_], deciders: npt.NDArray[np.int8]
    ) -> None:
        """Draw chance outcomes until every slot waits for a seat; kept trees follow them."""
        while len(rolling := np.flatnonzero(self.batch.states["seat"][slots] == CHANCE)):
            outcomes = self.batch.roll(slots[rolling])
            on = kept[rolling]
            followed = rolling[on]
            kept[followed] = self._follow(slots[followed], outcomes[on], deciders[followed])

    def _follow(
        self, slots: Rows, actions: Actions, deciders: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.bool_]:
        """Keep the subtree below each move where the settings and the game allow it."""
        if not self.search.reuse or self.search.root == "gumbel" or self.game.kernels.hide:
            return np.zeros(len(slots), bool)
        kept = self.forest.advance(slots, actions)
        if self.search.fixed_perspective:  # another root, another observer
            known = self.forest.observer_seats[slots] != ROOT_OBSERVES
            kept &= known | (self.forest.root_seats(slots) == deciders)
        return kept

    def _temperatures(self, slots: Rows) -> npt.NDArray[np.float64]:
        settings = self.settings
        plies = np.fromiter((len(self.trajectories[k].states) for k in slots.tolist()), np.int64)
        share = np.clip(plies / max(settings.temperature_plies, 1), 0, 1)
        return settings.temperature + share * (settings.temperature_end - settings.temperature)

    def _start_decisions(self, slots: Rows, now: _Round) -> None:
        """Choose between a full and a fast search, and disturb the roots of the full ones."""
        if not len(slots):
            return
        theirs = self._is_opponents_turn(slots)
        full = (now.generator.random(len(slots)) < self.settings.full_share) & ~theirs
        self._full[slots] = full
        fast_sims = min(self.settings.fast_sims, now.sims)
        budgets = np.where(full, now.sims, fast_sims)
        budgets[theirs] = 1  # what a search finds there is not played
        inherited = 0 if self.search.count_reused else self.forest.root_visits(slots)
        self._budgets[slots] = budgets + inherited
        if full.all():
            self.forest.prepare_roots(slots, noise=True, sims=now.sims)
            return
        self.forest.prepare_roots(slots[full], noise=True, sims=now.sims)
        # Gumbel's noise is no disturbance, it is how that rule plays different games.
        noise = self.search.root == "gumbel"
        self.forest.prepare_roots(slots[~full], noise=noise, sims=fast_sims)

    def _remember(self, slots: Rows, report: RootReport) -> None:
        """Write down what each root was searched for; array by array, rows only at the end."""
        shares = quantise(report.policy)
        shares[np.arange(shares.shape[1])[None, :] >= report.counts[:, None]] = 0
        rows, columns = np.nonzero(shares)
        actions, kept = report.actions[rows, columns].astype(np.uint16), shares[rows, columns]
        ends = np.cumsum(np.bincount(rows, minlength=len(slots))).tolist()
        taught = self._full[slots]
        if self.search.fixed_perspective:  # seen by the learner: what to expect from the opponent
            taught = taught | self._is_opponents_turn(slots)
        values, full = report.root_values.tolist(), taught.tolist()
        states, start = take(self.batch.states, slots), 0
        for row, slot in enumerate(slots.tolist()):
            trajectory = self.trajectories[slot]
            trajectory.states.append(states[row])
            trajectory.actions.append(actions[start : ends[row]])
            trajectory.shares.append(kept[start : ends[row]])
            trajectory.search_values.append(values[row])
            trajectory.policy_weights.append(1.0 if full[row] else 0.0)
            start = ends[row]

    # -- games -------------------------------------------------------------------------------

    def _set_up(self, slots: Rows) -> None:
        """New games; opening chance outcomes are drawn at once."""
        self.batch.start(slots)
        for slot in slots.tolist():
            self.trajectories[slot] = Trajectory()
        nothing = np.zeros(len(slots), bool)
        self._roll(slots, nothing, np.zeros(len(slots), np.int8))
        self._seat_opponents(slots)

    def _seat_opponents(self, slots: Rows) -> None:
        if self._opponent is not None:
            seats = self._opponent.seats(self.batch.setup_seeds[slots])
            self._opponent_seats[slots] = seats
            self.forest.observer_seats[slots] = np.where(seats != NOBODY, 1 - seats, ROOT_OBSERVES)

    def _is_opponents_turn(self, slots: Rows) -> npt.NDArray[np.bool_]:
        turn: npt.NDArray[np.bool_]
        turn = self._opponent_seats[slots] == self.batch.states["seat"][slots]
        return turn

    def _refill(self, slots: Rows, now: _Round) -> None:
        self._set_up(slots)
        self._set_roots(slots, now)
        self._start_decisions(slots, now)

    def _finish(self, slot: int) -> Samples:
        """The samples of a finished game, its results (and shaping) written to every decision."""
        trajectory = self.trajectories[slot]
        count = len(trajectory.states)
        final = self.batch.states[slot]
        states = gather((*trajectory.states, final), self.game.rules.dtype)
        values = np.repeat(outcome_values(self.game, states[count:], self.search), count, axis=0)
        if self.shaping.target_weight > 0:
            values += self._shaping_terms(states)
        lengths = [len(actions) for actions in trajectory.actions]
        opponent = int(self._opponent_seats[slot]) if self.search.fixed_perspective else NOBODY
        observer_seats, search_values = seen_by_learner(
            states["seat"][:count], trajectory.search_values, opponent
        )
        return Samples(
            states=states[:count],
            offsets=np.cumsum([0, *lengths]).astype(np.int64),
            actions=np.concatenate(trajectory.actions),
            shares=np.concatenate(trajectory.shares),
            values=values.astype(np.float32),
            search_values=search_values,
            policy_weights=np.array(trajectory.policy_weights, np.float32),
            scores=np.repeat(self.game.scores(states[count:]), count, axis=0),
            scenario_indices=np.full(count, self.scenario_index, np.uint8),
            observer_seats=observer_seats,
        )

    def _shaping_terms(self, states: States) -> npt.NDArray[np.float32]:
        """[n, P]: sum over later steps of discount^(k-t) (discount · phi(k+1) - phi(k))."""
        discount = self.shaping.discount
        potentials = self.game.potentials(states) * self.shaping.target_weight
        gains = discount * potentials[1:] - potentials[:-1]
        terms = np.zeros_like(gains)
        running = np.zeros(gains.shape[1], np.float32)
        for step in range(len(gains) - 1, -1, -1):
            running = gains[step] + discount * running
            terms[step] = running
        return terms


def join_results(results: Sequence[SelfPlayResult]) -> SelfPlayResult:
    """What several groups brought in, as one."""
    weights = [len(result.games) for result in results]
    games = max(sum(weights), 1)
    return SelfPlayResult(
        samples=join([result.samples for result in results]),
        games=tuple(game for result in results for game in result.games),
        decisions=sum(result.decisions for result in results),
        sims=sum(result.sims for result in results),
        mean_plies=float(np.dot(weights, [result.mean_plies for result in results])) / games,
        draws=float(np.dot(weights, [result.draws for result in results])) / games,
    )


def no_samples(game: Game) -> Samples:
    return Samples(
        states=np.zeros(0, game.rules.dtype),
        offsets=np.zeros(1, np.int64),
        actions=np.zeros(0, np.uint16),
        shares=np.zeros(0, np.uint16),
        values=np.zeros((0, game.num_seats), np.float32),
        search_values=np.zeros(0, np.float32),
        policy_weights=np.zeros(0, np.float32),
        scores=np.zeros((0, game.num_seats), np.float32),
        scenario_indices=np.zeros(0, np.uint8),
        observer_seats=np.zeros(0, np.int8),
    )
