"""Collects the games that a run learns from: self-play, or a teacher's in the first iterations.

Workers divide the slots among themselves. A worker is created from plain data and owns its games,
trees and networks; it receives weights and numbers, and returns samples.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from stratagem.agents.kinds.mcts import MctsAgent
from stratagem.agents.network import NetworkEvaluator
from stratagem.agents.spec import make_agent
from stratagem.backend import Backend
from stratagem.core.agent import Agent
from stratagem.core.errors import BadSetting
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_generator
from stratagem.core.state_arrays import Arrays
from stratagem.nets.device import on_card
from stratagem.nets.inference import InferenceNetwork, choose_precision
from stratagem.nets.inference.shared import share_network
from stratagem.train.alphazero.imitation import demonstrate
from stratagem.train.alphazero.opponents import OtherPlayers
from stratagem.train.alphazero.results import SelfPlayResult, join_results
from stratagem.train.alphazero.rounds import Round, RoundStream
from stratagem.train.alphazero.scenarios import ScenarioNetworks, load_scenarios
from stratagem.train.alphazero.selfplay import SelfPlay
from stratagem.train.alphazero.settings import Settings
from stratagem.train.alphazero.slots import join_slots, split_slots
from stratagem.train.lineups import Draw, players_in
from stratagem.train.named_tensors import Weights, load_arrays
from stratagem.train.settings import settings_model


@dataclass(frozen=True)
class Guests:
    """The other players of an iteration: plain data, turned into players by the workers."""

    draw: Draw
    past: Mapping[int, Weights]  # earlier networks by player, including those in unfinished games


@dataclass(frozen=True)
class Collected:
    """An iteration's games and what they cost."""

    result: SelfPlayResult
    seconds: float
    network_share: float  # share of time spent inside the network
    staleness: float | None = None  # how many newer networks there were than a round's, on average


@dataclass(frozen=True)
class WorkerSpec:
    """What a worker is created from."""

    settings: dict[str, Any]  # of the run
    first_group: int  # index of its first group
    slots: tuple[int, ...]  # of each of its groups
    num_groups: int  # of all workers


class SelfPlayWorker:
    """Some groups of slots. Group g plays scenario g modulo the number of scenarios."""

    def __init__(self, spec: WorkerSpec) -> None:
        # An algorithm from another package may build on this one and have more settings.
        model = settings_model(spec.settings, "a worker's settings")
        settings = model.model_validate(spec.settings)
        assert isinstance(settings, Settings)
        self._settings = settings
        self._spec = spec
        self._games = load_scenarios(settings)
        self._networks = ScenarioNetworks(self._games, settings.network)
        with torch.random.fork_rng():  # the weights come with every call
            self._module = self._networks.build()
        self._precision = choose_precision(settings.selfplay.precision)
        self._groups = [
            self._make_group((spec.first_group + k) % len(self._games), slots)
            for k, slots in enumerate(spec.slots)
        ]
        named = settings.opponents.named
        self._named: list[dict[int, Agent]] = [  # by scenario and player
            {number: make_agent(one, game) for number, one in enumerate(named, 1)}
            for game in self._games
        ]
        self._past: list[dict[int, NetworkEvaluator]] = [{} for _ in self._games]

    def play(
        self, weights: Weights, iteration: int, sims: int, guests: Guests | None = None
    ) -> tuple[list[SelfPlayResult], float]:
        """Return (each group's result, seconds spent inside the learner's network)."""
        positions = math.ceil(self._settings.selfplay.positions / self._spec.num_groups)
        return self._play(weights, positions, sims, ("selfplay", iteration), guests)

    def play_round(
        self, weights: Weights, version: int, sims: int, guests: Guests | None, number: int
    ) -> Round:
        """Play part of an iteration with this version of the network: this worker's n-th round."""
        parts = self._spec.num_groups * self._settings.asynchronous.rounds
        positions = math.ceil(self._settings.selfplay.positions / parts)
        results, seconds = self._play(weights, positions, sims, ("round", number), guests)
        return Round(number, version, results, seconds, self.export())

    def _play(
        self,
        weights: Weights,
        positions: int,
        sims: int,
        stream: tuple[str, int],
        guests: Guests | None,
    ) -> tuple[list[SelfPlayResult], float]:
        torch.set_num_threads(1)
        if guests is not None:
            self._invite(guests.past)
        load_arrays(self._module, weights)
        results, seconds = [], 0.0
        for number, group in enumerate(self._groups, self._spec.first_group):
            generator = derive_generator(self._settings.seed, *stream, number)
            others = (
                None if guests is None else self._other_players(group.scenario_index, guests, sims)
            )
            with self._asking(weights, group.scenario_index, number) as evaluator:
                results.append(group.play(positions, evaluator, generator, sims, others))
            seconds += evaluator.seconds
        return results, seconds

    def players(self) -> set[int]:
        """Return the players in unfinished games."""
        return {player for group in self._groups for player in players_in(group.lineups)}

    def export(self) -> Arrays:
        """Return the unfinished games as named arrays."""
        return join_slots([group.export() for group in self._groups])

    def restore(self, arrays: Arrays) -> None:
        """Continue exported games."""
        parts = split_slots(arrays, self._spec.slots)
        for group, part in zip(self._groups, parts, strict=True):
            group.restore(part)

    def _make_group(self, scenario_index: int, slots: int) -> SelfPlay:
        settings, game = self._settings, self._games[scenario_index]
        return SelfPlay(
            game, settings.selfplay, settings.full_search, settings.shaping, slots, scenario_index
        )

    def _invite(self, past: Mapping[int, Weights]) -> None:
        """Build networks with these weights, and drop those that are no longer needed."""
        needed = past.keys() | self.players()  # includes rounds that have not been taken yet
        for index, known in enumerate(self._past):
            for player in known.keys() - needed:
                del known[player]
            for player in sorted(past.keys() - known.keys()):
                load_arrays(self._module, past[player])
                known[player] = self._evaluator(index)

    def _other_players(self, scenario_index: int, guests: Guests, sims: int) -> OtherPlayers:
        """Return the other players of a round: agents, and earlier networks with a search."""
        game, opponents = self._games[scenario_index], self._settings.opponents
        search = self._settings.full_search.model_copy(update={"sims": opponents.past_sims or sims})
        past = {
            player: MctsAgent(game, evaluator, search, "past", opponents.past_temperature)
            for player, evaluator in self._past[scenario_index].items()
        }
        agents = {**self._named[scenario_index], **past}
        return OtherPlayers(guests.draw, agents, opponents.learn_from_opponents)

    def _network(self, scenario_index: int) -> InferenceNetwork:
        """Return a frozen copy of the worker's current weights."""
        module = self._networks.bound(self._module, scenario_index)
        spec = self._networks.observers[scenario_index].spec
        engine = self._settings.selfplay.engine
        return InferenceNetwork(module, spec, precision=self._precision, engine=engine)

    def _evaluator(self, scenario_index: int) -> NetworkEvaluator:
        """Return the network of this scenario with the current weights."""
        observer = self._networks.observers[scenario_index]
        return NetworkEvaluator(
            self._games[scenario_index], observer, self._network(scenario_index)
        )

    @contextmanager
    def _asking(
        self, weights: Weights, scenario_index: int, number: int
    ) -> Iterator[NetworkEvaluator]:
        """Return a group's evaluator; on a GPU, one is shared by the groups of all workers here."""
        if not on_card():
            yield self._evaluator(scenario_index)
            return
        shared = share_network((id(weights), scenario_index), lambda: self._network(scenario_index))
        observer = self._networks.observers[scenario_index]
        with shared.joined(number):
            yield NetworkEvaluator(self._games[scenario_index], observer, shared)


@dataclass(frozen=True)
class DemonstrationTask:
    """A part of a teacher's games in one scenario."""

    settings: dict[str, Any]  # of the run
    game: str
    scenario_index: int
    part: int
    positions: int
    iteration: int


def play_demonstration(task: DemonstrationTask) -> SelfPlayResult:
    """Play the teacher's games of one task."""
    settings, game = Settings.model_validate(task.settings), load_game(task.game)
    generator = derive_generator(
        settings.seed, "imitation", task.iteration, task.scenario_index, task.part
    )
    teacher = make_agent(settings.imitation.teacher, game)
    return demonstrate(
        game, teacher, task.positions, settings.imitation.explore, settings.full_search, generator,
        task.scenario_index,
    )  # fmt: skip


class Collector:
    """A run's workers, and the games they play."""

    def __init__(self, settings: Settings, backend: Backend) -> None:
        self._settings, self._backend = settings, backend
        self._data = settings.model_dump(mode="json")
        self._scenarios = (settings.game, *settings.extra_scenarios)
        slots, each = settings.selfplay.slots, len(self._scenarios)
        workers = max(1, min(settings.selfplay.workers, slots // each))
        if settings.mode == "asynchronous" and backend.is_local:
            workers = max(1, workers - 1)  # the other one is the learner
        sizes = [len(part) for part in np.array_split(np.arange(slots), workers * each)]
        if not all(sizes):
            raise BadSetting(
                f"selfplay.slots {slots}: {each} games and {workers} workers need "
                f"at least {each * workers}"
            )
        self._specs = [
            WorkerSpec(self._data, first, tuple(sizes[first : first + each]), len(sizes))
            for first in range(0, len(sizes), each)
        ]
        self._crew = backend.start_workers(SelfPlayWorker, self._specs)
        self._stream: RoundStream | None = None
        self._games: list[Arrays] | None = None  # unfinished games after the rounds taken so far
        self.rounds = [0] * len(self._specs)  # taken from each worker
        self._players: set[int] = set()  # players in unfinished games

    @property
    def players(self) -> set[int]:
        """Return the players in unfinished games, counting only rounds that were taken."""
        if self._games is None:
            return self._players
        return {player for games in self._games for player in players_in(games["lineups"])}

    def self_play(
        self, weights: Weights, iteration: int, sims: int, guests: Guests | None = None
    ) -> Collected:
        """Play games of the network with these weights against itself and its guests."""
        started, crew = time.perf_counter(), self._crew
        played = crew.call("play", [(weights, iteration, sims, guests)] * len(crew))
        seconds = time.perf_counter() - started
        if guests is not None:
            self._players = set().union(*crew.call("players", [()] * len(crew)))
        inside = sum(own for _, own in played) / len(self._crew) / seconds
        results = [one for results, _ in played for one in results]
        return Collected(join_results(results), seconds, inside)

    def publish(
        self, weights: Weights, version: int, sims: int, guests: Guests | None = None
    ) -> None:
        """Continue rounds of self-play with these weights and guests, until `stop`."""
        if self._stream is None:
            if self._games is None:
                self._games = self._crew.call("export", [()] * len(self._crew))
            else:  # whatever was played after the last round that was taken is replayed
                self._crew.call("restore", [(games,) for games in self._games])
            waiting = self._settings.asynchronous.most_waiting
            self._stream = RoundStream(self._crew, self.rounds, waiting)
        self._stream.publish(version, weights, sims, guests)

    def take_rounds(self, version: int) -> Collected:
        """Take an iteration's worth of rounds, and any that would be too old after the next one.

        `version` is the newest published network.
        """
        assert self._stream is not None and self._games is not None
        began, inside, decisions = time.perf_counter(), 0.0, 0
        ages: list[int] = []
        results: list[SelfPlayResult] = []
        oldest = version + 1 - self._settings.asynchronous.most_stale
        while decisions < self._settings.selfplay.positions or self._stream.has_older(oldest):
            worker, taken = self._stream.take()
            assert taken.number == self.rounds[worker] + 1  # none is lost or counted twice
            self._games[worker], self.rounds[worker] = taken.games, taken.number
            results += taken.results
            inside += taken.network_seconds
            decisions += sum(one.decisions for one in taken.results)
            ages.append(version - taken.version)
        seconds = time.perf_counter() - began
        share = min(1.0, inside / len(self._crew) / seconds)  # some were played earlier
        staleness = round(sum(ages) / len(ages), 3)
        return Collected(join_results(results), seconds, share, staleness)

    def stop(self) -> None:
        """Start no more rounds."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def demonstrations(self, iteration: int) -> Collected:
        """Play games of the teacher."""
        started = time.perf_counter()
        count = len(self._scenarios) * len(self._crew)
        positions = math.ceil(self._settings.imitation.positions / count)
        tasks = [
            DemonstrationTask(self._data, game, index, part, positions, iteration)
            for index, game in enumerate(self._scenarios)
            for part in range(len(self._crew))
        ]
        results = self._backend.map(play_demonstration, tasks)
        return Collected(join_results(results), time.perf_counter() - started, 0.0)

    def export(self) -> Arrays:
        """Return all unfinished games, for a checkpoint."""
        if self._games is not None:
            return join_slots(self._games)
        return join_slots(self._crew.call("export", [()] * len(self._crew)))

    def restore(self, arrays: Arrays, rounds: Sequence[int]) -> None:
        """Continue exported games; `rounds`: how many of them each worker had played."""
        parts = split_slots(arrays, [sum(spec.slots) for spec in self._specs])
        self._crew.call("restore", [(part,) for part in parts])
        # If the number of workers changed, no round's dice may be used twice.
        same = len(rounds) == len(self._specs)
        self.rounds = list(rounds) if same else [max(rounds, default=0)] * len(self._specs)
        if self._settings.mode == "asynchronous":
            self._games = parts
        self._players = players_in(arrays["lineups"])
