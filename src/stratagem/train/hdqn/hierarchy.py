"""The learners of a run: the orchestrator and the specialists, which learn from the same games.

The orchestrator's decisions are those where more than one group was legal; a specialist's are those
where its group was chosen and had more than one legal action. Time, which discounts a specialist's
future, is counted in decisions of its seat.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from stratagem.agents.hierarchy import Choices, HierarchicalPolicy
from stratagem.core.compile import Kernel
from stratagem.core.errors import BadSetting, UnknownName
from stratagem.core.game import Actions, Game, States
from stratagem.core.seeding import derive_seed
from stratagem.core.state_arrays import Arrays
from stratagem.nets.hierarchical import HierarchicalNetwork, HierarchySettings
from stratagem.runs.metrics import TOTAL
from stratagem.train.hdqn.collect import Episodes
from stratagem.train.hdqn.learner import QLearner
from stratagem.train.hdqn.replay import Floats, Numbers, Replay
from stratagem.train.hdqn.settings import Settings
from stratagem.train.named_tensors import strip_prefix

_ORCHESTRATOR = "orchestrator"


class Hierarchy:
    """Decides in games in progress, remembers the decisions, and learns from them."""

    def __init__(self, game: Game, settings: Settings) -> None:
        self.game = game
        self._settings = settings
        network = settings.network
        self.observer = game.observer(network.encoding or None, network.encoding_options)
        torch.manual_seed(derive_seed(settings.seed, "weights") % 2**63)
        self.network = HierarchicalNetwork(_network_settings(game, settings), self.observer.spec)
        self.policy = HierarchicalPolicy(game, self.network, self.observer)
        self._goals: dict[str, Kernel] = {
            name: game.rules.subgoal_kernels[name] for name in settings.hierarchy.subgoals
        }
        self._learners = {
            name: QLearner(part, self._replay(name), self.observer, settings.learning)
            for name, part in self.network.parts().items()
        }
        self._new = dict.fromkeys(self._learners, 0)  # decisions not yet learned from
        self.begin_iteration()

    def start_from(self, network: nn.Module) -> None:
        """Take the initial weights from another run's network."""
        self.network.load_state_dict(network.state_dict())
        for learner in self._learners.values():
            learner.follow()

    def epsilons(self, games: int) -> tuple[float, float]:
        """Return epsilon of the orchestrator and of the specialists after this many games."""
        explore = self._settings.explore
        rates = (explore.decay, explore.specialist_decay)
        first, second = (max(explore.end, explore.start * rate**games) for rate in rates)
        return first, second

    # -- playing -----------------------------------------------------------------------------

    def decide(self, episodes: Episodes, games: int) -> Actions:
        """Return an action for every slot; remember the choices."""
        states = episodes.states
        choices = self.policy.choose(
            states,
            episodes.batch.ids,
            episodes.batch.counts,
            episodes.next_seeds(),
            *self.epsilons(games),
        )
        self._remember(choices, states, np.arange(len(states)), episodes)
        return choices.actions

    def watch(self, episodes: Episodes, slots: Numbers, actions: Actions) -> None:
        """Remember what others are about to play as if the learner had chosen it."""
        batch, states = episodes.batch, episodes.states[slots]
        choices = self.policy.read(batch.ids[slots], batch.counts[slots], actions)
        self._remember(choices, states, slots, episodes)

    def end_games(self, episodes: Episodes, slots: Numbers) -> None:
        """Close the games in these slots: nothing follows their last decisions."""
        for slot in slots:
            seats = episodes.taught_seats(int(slot))
            for name, learner in self._learners.items():
                goals = self._measure(name, episodes.states[slot : slot + 1])[0]
                learner.replay.end(int(slot) * self.game.num_seats + seats, goals[seats])

    def _remember(
        self, choices: Choices, states: States, slots: Numbers, episodes: Episodes
    ) -> None:
        """Store these choices, and advance the clocks of their seats."""
        seats = states["seat"].astype(np.int64)
        clocks, chains = episodes.clocks[slots, seats], slots * self.game.num_seats + seats
        episodes.clocks[slots, seats] += 1
        for name, learner in self._learners.items():
            if name == _ORCHESTRATOR:
                rows = np.flatnonzero(choices.legal_groups.sum(1) > 1)
                legal, picked = choices.legal_groups, choices.groups
            else:
                index = self._index[name]
                group = self.network.groups[index]
                legal = choices.legal_actions[:, group.start : group.stop]
                rows = np.flatnonzero((choices.groups == index) & (legal.sum(1) > 1))
                picked = choices.actions.astype(np.int64) - group.start
            if not len(rows):
                continue
            goals = self._measure(name, states[rows])[np.arange(len(rows)), seats[rows]]
            learner.replay.add(
                chains[rows], states[rows], legal[rows], picked[rows], goals, clocks[rows]
            )
            self._new[name] += len(rows)

    def _measure(self, name: str, states: States) -> Floats:
        """[B, P] the quantity that a network maximises."""
        if name not in self._goals:
            return self.game.scores(states)
        out = np.zeros((len(states), self.game.num_seats), np.float32)
        self._goals[name](states, out)
        return out

    # -- learning ----------------------------------------------------------------------------

    def begin_iteration(self) -> None:
        self._losses = dict.fromkeys(self._learners, 0.0)
        self._steps = dict.fromkeys(self._learners, 0)

    def learn(self, generator: np.random.Generator) -> None:
        """Train each network for the decisions since the last call."""
        for name, learner in self._learners.items():
            if self._new[name]:
                loss, steps = learner.learn(self._new[name], generator)
                self._new[name] = 0
                self._losses[name] += loss
                self._steps[name] += steps

    def report(self, games: int) -> tuple[int, dict[str, float], dict[str, Any]]:
        """Return (steps of all networks, mean losses by network and in total, details)."""
        steps = sum(self._steps.values())
        losses = {name: self._losses[name] / count for name, count in self._steps.items() if count}
        if steps:
            losses[TOTAL] = sum(self._losses.values()) / steps
        epsilon, specialist_epsilon = self.epsilons(games)
        details = {
            "steps_by_network": dict(self._steps),
            "epsilon": round(epsilon, 5),
            "specialist_epsilon": round(specialist_epsilon, 5),
        }
        return steps, losses, details

    # -- state -------------------------------------------------------------------------------

    def export(self) -> tuple[dict[str, Tensor], Arrays]:
        """Return (tensors of the learners, arrays of their replays), by network."""
        tensors = {
            f"{name}/{key}": tensor
            for name, learner in self._learners.items()
            for key, tensor in learner.export().items()
        }
        arrays: Arrays = {
            f"{name}/{key}": array
            for name, learner in self._learners.items()
            for key, array in learner.replay.export().items()
        }
        return tensors, arrays

    def restore(self, tensors: dict[str, Tensor], arrays: Arrays) -> None:
        """Continue exactly where `export` left off."""
        for name, learner in self._learners.items():
            learner.restore(strip_prefix(tensors, f"{name}/"))
            learner.replay.restore(strip_prefix(arrays, f"{name}/"), self.game)

    def _replay(self, name: str) -> Replay:
        groups = {group.name: group for group in self.network.groups}
        self._index = {group.name: k for k, group in enumerate(self.network.groups)}
        outputs = len(groups)
        if name != _ORCHESTRATOR:
            outputs = groups[name].stop - groups[name].start
        learning = self._settings.learning
        return Replay(
            self.game.rules.dtype, learning.replay, outputs,
            self._settings.episodes.slots * self.game.num_seats, learning.discount, learning.reward,
        )  # fmt: skip


def _network_settings(game: Game, settings: Settings) -> HierarchySettings:
    """Check the hierarchy's settings against the game's groups and sub-goals."""
    groups = game.rules.groups(game.scenario)
    if not groups:
        raise BadSetting(f"{game.name} declares no action groups, which hdqn needs")
    names = [group.name for group in groups]
    wanted = settings.hierarchy
    for name in wanted.specialists:
        if name not in names:
            raise UnknownName("group", name, names, game.name)
    for name in wanted.subgoals:
        if name not in game.rules.subgoals:
            raise UnknownName("sub-goal", name, game.rules.subgoals, game.name)
        if name not in wanted.specialists:
            raise BadSetting(f"sub-goal {name!r} needs a specialist: add it to specialists")
    return HierarchySettings(
        kind=settings.network.kind,
        settings=settings.network.settings,
        groups=tuple((group.name, group.start, group.stop) for group in groups),
        orchestrator=wanted.orchestrator,
        specialists=wanted.specialists,
    )
