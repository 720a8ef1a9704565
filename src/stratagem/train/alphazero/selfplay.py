"""Self-play: many games side by side, each slot moving on as soon as its own search is done.

No slot waits for another, so the evaluator always gets full batches, even when searches differ
in length. At the start of every iteration the trees start from new roots and all randomness is
derived from the run's seed and the iteration's number: a resumed run repeats the same games.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from stratagem.agents.mcts import choose
from stratagem.core.game import Actions, Game, States, as_batch
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import derive_generator
from stratagem.core.state_arrays import gather, put, take
from stratagem.search import (
    ROOT_OBSERVES,
    Evaluator,
    Forest,
    RootReport,
    SearchSettings,
    outcome_values,
)
from stratagem.train.alphazero.replay import Samples, join, quantise
from stratagem.train.alphazero.settings import SelfPlaySection, ShapingSection
from stratagem.train.alphazero.sparring import NOBODY, Sparring, as_played, seen_by_learner

_LOOK_EVERY = 8, 16  # rounds of simulation at least and at most: a quarter of a search


@dataclass
class Trajectory:
    """The game of one slot so far: one entry per decision."""

    setup_seed: int = 0
    events: list[int] = field(default_factory=list)  # actions and chance outcomes, for the record
    states: list[np.void] = field(default_factory=list)
    actions: list[npt.NDArray[np.uint16]] = field(default_factory=list)
    shares: list[npt.NDArray[np.uint16]] = field(default_factory=list)
    search_values: list[float] = field(default_factory=list)
    policy_weights: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class FinishedGame:
    """What a record of a self-play game needs."""

    setup_seed: int
    events: tuple[int, ...]
    table: int = 0  # which of the run's games


@dataclass(frozen=True)
class Harvest:
    """What an iteration of self-play brought in."""

    samples: Samples
    games: tuple[FinishedGame, ...]
    decisions: int
    sims: int
    mean_plies: float
    draws: float


class SelfPlay:
    """A group of slots with their own forest. Several groups can run in threads side by side."""

    def __init__(
        self,
        game: Game,
        settings: SelfPlaySection,
        search: SearchSettings,
        shaping: ShapingSection,
        slots: int,
        table: int = 0,
        sparring: Sparring | None = None,
    ) -> None:
        self.game = game
        self.table = table  # which of the run's games
        self.settings = settings
        self.search = search
        self.shaping = shaping
        self.forest = Forest(game, search, slots)
        self.states = np.zeros(slots, game.rules.dtype)
        self.trajectories = [Trajectory() for _ in range(slots)]
        self._budgets = np.zeros(slots, np.int32)
        self._full = np.ones(slots, bool)
        self._sparring = sparring
        self._partners = np.full(slots, NOBODY, np.int64)  # seats
        self._fresh = True  # no game has been set up yet

    def play(
        self,
        positions: int,
        evaluator: Evaluator,
        generator: np.random.Generator,
        sims: int,
    ) -> Harvest:
        """Play until about `positions` decisions were made; unfinished games wait for next time."""
        slots = np.arange(len(self.states))
        # Deciding costs about the same for one slot as for many, so finished searches are looked
        # for now and then. Some have grown on meanwhile, some lack a little: on average they have
        # what was asked for. Gumbel's plan alone must stop on the dot.
        shortest = sims if self.settings.full_share == 1 else min(self.settings.fast_sims, sims)
        fewest, most = _LOOK_EVERY
        look_every = min(max(fewest, shortest // 4), most, shortest)
        if self.search.root == "gumbel":
            look_every = 1
        if self._fresh:
            self._set_up(slots, generator)
            self._fresh = False
        self._seat_partners(slots)
        self._set_roots(slots, evaluator, generator)
        self._start_decisions(slots, sims, generator)
        finished: list[Samples] = []
        games: list[FinishedGame] = []
        results: list[npt.NDArray[np.float32]] = []
        decisions = simulations = rounds = 0
        while decisions < positions:
            self.forest.simulate(slots, evaluator)
            simulations += len(slots) * self.search.leaves_per_tree
            rounds += 1
            if rounds % look_every:
                continue
            lacking = self._budgets[slots] - self.forest.root_visits(slots)
            done = slots[lacking <= np.minimum(look_every // 2, self._budgets[slots] // 8)]
            if len(done):
                decisions += len(done)
                ended = self._decide(done, evaluator, generator, sims)
                for slot, final in ended:
                    samples = self._finish(slot, final)
                    finished.append(samples)
                    games.append(
                        FinishedGame(
                            self.trajectories[slot].setup_seed,
                            tuple(self.trajectories[slot].events),
                            self.table,
                        )
                    )
                    results.append(self.game.returns(as_batch(final))[0])
                self._refill([slot for slot, _ in ended], evaluator, generator, sims)
        if not finished:
            return Harvest(no_samples(self.game), (), decisions, simulations, 0.0, 0.0)
        plies = float(np.mean([len(part) for part in finished]))
        draws = float(np.mean([np.ptp(result) < 1e-6 for result in results]))
        return Harvest(join(finished), tuple(games), decisions, simulations, plies, draws)

    def resume(self, states: States) -> None:
        """Go on with these positions instead of setting up new games."""
        self.states = states
        self._fresh = False

    # -- one decision ------------------------------------------------------------------------

    def _set_roots(
        self, slots: npt.NDArray[np.int64], evaluator: Evaluator, generator: np.random.Generator
    ) -> None:
        """New trees for these slots; what the deciding seat cannot see is guessed anew."""
        if not len(slots):
            return
        roots = take(self.states, slots)
        if self.game.kernels.hide is not None:
            roots = self.game.hidden_from(roots, roots["seat"], _words(generator, len(slots)))
        self.forest.set_roots(slots, roots, _words(generator, len(slots)), evaluator)

    def _decide(
        self,
        slots: npt.NDArray[np.int64],
        evaluator: Evaluator,
        generator: np.random.Generator,
        sims: int,
    ) -> list[tuple[int, np.void]]:
        """Play the searched move in these slots; returns the slots whose game ended."""
        report = self.forest.report(slots)
        words = _words(generator, len(slots))
        if self.search.root == "gumbel":
            actions = self.forest.best_gumbel(slots, report)
        else:
            actions = choose(report, words, self._temperatures(slots))
        theirs = self._is_partners_turn(slots)
        if self._sparring is not None and theirs.any():
            actions[theirs] = self._sparring.answer(self.states[slots[theirs]], words[theirs])
            if self.search.fixed_perspective:
                report = as_played(report, actions, theirs)
        self._remember(slots, report)
        for slot, action in zip(slots.tolist(), actions.tolist(), strict=True):
            self.trajectories[slot].events.append(action)
        states = take(self.states, slots)
        self.game.kernels.step(states, actions)
        kept = self._follow(slots, actions)
        self._roll(slots, states, kept, generator)
        put(self.states, slots, states)
        going = states["seat"] != OVER
        rootless = slots[going & ~kept]
        self._set_roots(rootless, evaluator, generator)
        self._start_decisions(slots[going], sims, generator)
        return [(int(slots[row]), states[row]) for row in np.flatnonzero(~going)]

    def _roll(
        self,
        slots: npt.NDArray[np.int64],
        states: States,
        kept: npt.NDArray[np.bool_],
        generator: np.random.Generator,
    ) -> None:
        """Draw chance outcomes until every state waits for a seat; kept trees follow them."""
        while (rolling := np.flatnonzero(states["seat"] == CHANCE)).size:
            rolled = take(states, rolling)
            outcomes = self.game.draw(rolled, _words(generator, len(rolling)))
            self.game.kernels.step(rolled, outcomes)
            put(states, rolling, rolled)
            for slot, outcome in zip(slots[rolling], outcomes, strict=True):
                self.trajectories[slot].events.append(int(outcome))
            followed = rolling[kept[rolling]]
            kept[followed] = self._follow(slots[followed], outcomes[kept[rolling]])

    def _follow(self, slots: npt.NDArray[np.int64], actions: Actions) -> npt.NDArray[np.bool_]:
        """Keep the subtree below each move where the settings and the game allow it."""
        if not self.search.reuse or self.search.root == "gumbel" or self.game.kernels.hide:
            return np.zeros(len(slots), bool)
        kept = self.forest.advance(slots, actions)
        if (
            self.search.fixed_perspective
        ):  # another root, another observer_seat: what it saw is of no use
            known = self.forest.observer_seats[slots] != ROOT_OBSERVES
            kept &= known | (self.forest.root_seats(slots) == self.states["seat"][slots])
        return kept

    def _temperatures(self, slots: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        dials = self.settings
        plies = np.fromiter((len(self.trajectories[k].states) for k in slots.tolist()), np.int64)
        share = np.clip(plies / max(dials.temperature_plies, 1), 0, 1)
        return dials.temperature + share * (dials.temperature_end - dials.temperature)

    def _start_decisions(
        self, slots: npt.NDArray[np.int64], sims: int, generator: np.random.Generator
    ) -> None:
        """Choose between a full and a fast search, and disturb the roots of the full ones."""
        if not len(slots):
            return
        theirs = self._is_partners_turn(slots)
        full = (generator.random(len(slots)) < self.settings.full_share) & ~theirs
        self._full[slots] = full
        fast_sims = min(self.settings.fast_sims, sims)
        budgets = np.where(full, sims, fast_sims)
        budgets[theirs] = 1  # what a search finds there is not played
        inherited = 0 if self.search.count_reused else self.forest.root_visits(slots)
        self._budgets[slots] = budgets + inherited
        if full.all():
            self.forest.prepare_roots(slots, noise=True, sims=sims)
            return
        self.forest.prepare_roots(slots[full], noise=True, sims=sims)
        # Gumbel's noise is no disturbance, it is how that rule plays different games.
        noise = self.search.root == "gumbel"
        self.forest.prepare_roots(slots[~full], noise=noise, sims=fast_sims)

    def _remember(self, slots: npt.NDArray[np.int64], report: RootReport) -> None:
        """Write down what each root was searched for; array by array, rows only at the end."""
        shares = quantise(report.policy)
        shares[np.arange(shares.shape[1])[None, :] >= report.counts[:, None]] = 0
        rows, columns = np.nonzero(shares)
        actions, kept = report.actions[rows, columns].astype(np.uint16), shares[rows, columns]
        ends = np.cumsum(np.bincount(rows, minlength=len(slots))).tolist()
        taught = self._full[slots]
        if self.search.fixed_perspective:  # seen by the learner: what to expect from the partner
            taught = taught | self._is_partners_turn(slots)
        values, full = report.root_values.tolist(), taught.tolist()
        states, start = take(self.states, slots), 0
        for row, slot in enumerate(slots.tolist()):
            trajectory = self.trajectories[slot]
            trajectory.states.append(states[row])
            trajectory.actions.append(actions[start : ends[row]])
            trajectory.shares.append(kept[start : ends[row]])
            trajectory.search_values.append(values[row])
            trajectory.policy_weights.append(1.0 if full[row] else 0.0)
            start = ends[row]

    # -- games -------------------------------------------------------------------------------

    def _set_up(self, slots: npt.NDArray[np.int64], generator: np.random.Generator) -> None:
        """New games; opening chance outcomes are drawn at once."""
        seeds = _words(generator, len(slots))
        states = self.game.new_states(seeds)
        for slot, seed in zip(slots, seeds, strict=True):
            self.trajectories[slot] = Trajectory(setup_seed=int(seed))
        self._roll(slots, states, np.zeros(len(slots), bool), generator)
        put(self.states, slots, states)
        self._seat_partners(slots)

    def _seat_partners(self, slots: npt.NDArray[np.int64]) -> None:
        if self._sparring is not None:
            seeds = [self.trajectories[slot].setup_seed for slot in slots.tolist()]
            self._partners[slots] = self._sparring.seats(np.array(seeds, np.uint64))
            sparring = self._partners[slots] != NOBODY
            self.forest.observer_seats[slots] = np.where(
                sparring, 1 - self._partners[slots], ROOT_OBSERVES
            )

    def _is_partners_turn(self, slots: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        turn: npt.NDArray[np.bool_] = self._partners[slots] == self.states["seat"][slots]
        return turn

    def _refill(
        self,
        ended: Sequence[int],
        evaluator: Evaluator,
        generator: np.random.Generator,
        sims: int,
    ) -> None:
        if not ended:
            return
        slots = np.array(ended)
        self._set_up(slots, generator)
        self._set_roots(slots, evaluator, generator)
        self._start_decisions(slots, sims, generator)

    def _finish(self, slot: int, final: np.void) -> Samples:
        """The samples of a finished game, its results (and shaping) written to every decision."""
        trajectory = self.trajectories[slot]
        count = len(trajectory.states)
        states = gather((*trajectory.states, final), self.game.rules.dtype)
        values = np.repeat(outcome_values(self.game, states[count:], self.search), count, axis=0)
        if self.shaping.target_weight > 0:
            values += self._shaping_terms(states)
        lengths = [len(actions) for actions in trajectory.actions]
        partner = int(self._partners[slot]) if self.search.fixed_perspective else NOBODY
        observer_seats, search_values = seen_by_learner(
            states["seat"][:count], trajectory.search_values, partner
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
            tables=np.full(count, self.table, np.uint8),
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


def join_harvests(harvests: Sequence[Harvest]) -> Harvest:
    """What several groups brought in, as one."""
    weights = [len(harvest.games) for harvest in harvests]
    games = max(sum(weights), 1)
    return Harvest(
        samples=join([harvest.samples for harvest in harvests]),
        games=tuple(game for harvest in harvests for game in harvest.games),
        decisions=sum(harvest.decisions for harvest in harvests),
        sims=sum(harvest.sims for harvest in harvests),
        mean_plies=float(np.dot(weights, [harvest.mean_plies for harvest in harvests])) / games,
        draws=float(np.dot(weights, [harvest.draws for harvest in harvests])) / games,
    )


def iteration_generator(seed: int, iteration: int, group: int) -> np.random.Generator:
    """All randomness of one group's self-play in one iteration."""
    return derive_generator(seed, "selfplay", iteration, group)


def _words(generator: np.random.Generator, count: int) -> npt.NDArray[np.uint64]:
    return generator.integers(1, 2**64 - 1, count, np.uint64, endpoint=True)


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
        tables=np.zeros(0, np.uint8),
        observer_seats=np.zeros(0, np.int8),
    )
