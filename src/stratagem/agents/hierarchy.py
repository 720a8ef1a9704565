"""Decides in two steps: a group of actions, then an action of the group; greedily or at random.

Shared by the player `hdqn:PATH` and by the training of such players.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from stratagem.core.game import Actions, Game, Observer, States
from stratagem.core.random_kernels import spread, units
from stratagem.core.seeding import Seeds
from stratagem.nets.hierarchical import HierarchicalNetwork

Mask = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]
_WORDS = 4  # random numbers that a decision may need: explore?, which group, explore?, which action


class Choices(NamedTuple):
    """The choices made in a batch of states, and their alternatives."""

    actions: Actions  # [B]
    groups: Numbers  # [B] index of the chosen group
    legal_groups: Mask  # [B, G]
    legal_actions: Mask  # [B, A]


class HierarchicalPolicy:
    """An orchestrator and its specialists in one game."""

    def __init__(self, game: Game, network: HierarchicalNetwork, observer: Observer) -> None:
        self.game = game
        self.network = network
        self.observer = observer
        self._starts = np.array([group.start for group in network.groups])

    def choose(
        self,
        states: States,
        ids: npt.NDArray[np.int32],
        counts: npt.NDArray[np.int32],
        seeds: Seeds,
        epsilon: float = 0.0,
        specialist_epsilon: float = 0.0,
    ) -> Choices:
        """Choose a legal action per state, from the ids [B, W] of its counts [B] legal ones."""
        legal_actions, legal_groups = self._legal(ids, counts)
        chance = _draws(seeds)
        seen = _Sight(self.observer, states)
        every = np.arange(len(states))
        groups = _pick(
            self.network.orchestrator, seen, every, legal_groups,
            chance[:, 0] < epsilon, chance[:, 1],
        )  # fmt: skip
        actions = np.empty(len(states), np.int32)
        for index in np.unique(groups):
            group = self.network.groups[index]
            rows = np.flatnonzero(groups == index)
            specialist = None
            if group.name in self.network.specialists:
                specialist = self.network.specialists[group.name]
            legal = legal_actions[rows, group.start : group.stop]
            explore = chance[rows, 2] < specialist_epsilon
            actions[rows] = group.start + _pick(
                specialist, seen, rows, legal, explore, chance[rows, 3]
            )
        return Choices(actions, groups, legal_groups, legal_actions)

    def read(
        self, ids: npt.NDArray[np.int32], counts: npt.NDArray[np.int32], actions: Actions
    ) -> Choices:
        """Express actions that somebody else chose from the same lists as choices."""
        legal_actions, legal_groups = self._legal(ids, counts)
        groups = np.searchsorted(self._starts, actions, side="right") - 1
        return Choices(actions, groups, legal_groups, legal_actions)

    def _legal(
        self, ids: npt.NDArray[np.int32], counts: npt.NDArray[np.int32]
    ) -> tuple[Mask, Mask]:
        """Return which (actions [B, A], groups [B, G]) are legal."""
        legal_actions = _mask(ids, counts, self.game.actions.size)
        return legal_actions, np.logical_or.reduceat(legal_actions, self._starts, axis=1)


class _Sight:
    """Observations of a batch, computed once and only when needed."""

    def __init__(self, observer: Observer, states: States) -> None:
        self._observer, self._states = observer, states
        self._seen: npt.NDArray[np.float32] | None = None

    def __getitem__(self, rows: Numbers) -> torch.Tensor:
        if self._seen is None:
            self._seen = self._observer(self._states)
        return torch.from_numpy(self._seen[rows])


def _pick(
    network: nn.Module | None,
    seen: _Sight,
    rows: Numbers,
    legal: Mask,  # [n, K]
    explore: Mask,  # [n]
    chance: npt.NDArray[np.float64],  # [n] in [0, 1)
) -> Numbers:
    """Pick one legal column per row: the network's best, or any if exploring or without one."""
    counts = legal.sum(1)
    wanted = (chance * counts).astype(np.int64)
    picked: Numbers = (legal.cumsum(1) > wanted[:, None]).argmax(1)
    if network is None:
        return picked
    ask = np.flatnonzero(~explore & (counts > 1))
    if len(ask):
        with torch.inference_mode():
            values = network(seen[rows[ask]]).logits.numpy()
        picked[ask] = np.where(legal[ask], values, -np.inf).argmax(1)
    return picked


def _mask(ids: npt.NDArray[np.int32], counts: npt.NDArray[np.int32], size: int) -> Mask:
    """[B, A] True where an action is listed."""
    mask = np.zeros((len(ids), size + 1), np.bool_)  # the last column takes the unused entries
    listed = np.arange(ids.shape[1])[None, :] < counts[:, None]
    mask[np.arange(len(ids))[:, None], np.where(listed, ids, size)] = True
    return mask[:, :size]


def _draws(seeds: Seeds) -> npt.NDArray[np.float64]:
    """[B, 4] numbers in [0, 1), derived from one seed per state."""
    words = np.empty(len(seeds) * _WORDS, np.uint64)
    spread(seeds, _WORDS, words)
    numbers = np.empty(len(words))
    units(words, numbers)
    return numbers.reshape(-1, _WORDS)
