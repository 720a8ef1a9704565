"""Training data from games: episodes with targets, cut into batches, turned into tensors.

Tensors are built where they are needed: positions are stored as states, and observing is cheap.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stratagem.core.game import Observer
from stratagem.nets.device import to_device
from stratagem.nets.strength import write_strength
from stratagem.train.ppo.episodes import Episodes
from stratagem.train.ppo.losses import Decisions

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]  # sequences


@dataclass(frozen=True)
class Samples:
    """Episodes with the training targets of each sequence."""

    episodes: Episodes
    gains: Floats  # [M] how much better than expected, scaled
    targets: Floats  # [M, V] values
    strengths: Floats  # [M] weight of the reference policy

    def batches(
        self, decisions: int, shares: int, generator: np.random.Generator
    ) -> list[list[Rows]]:
        """Yield sequences in random order, in batches of about `decisions` decisions, in shares."""
        order = generator.permutation(self.episodes.num_sequences)
        ends = np.cumsum(np.diff(self.episodes.starts)[order])
        if not len(ends):
            return []
        count = max(1, round(ends[-1] / decisions))
        cuts = np.searchsorted(ends, np.arange(1, count * shares) * ends[-1] / (count * shares))
        parts = np.split(order, cuts)
        grouped = [parts[k * shares : (k + 1) * shares] for k in range(count)]
        return [[part for part in group if len(part)] for group in grouped if any(map(len, group))]

    def tensors(self, observer: Observer, part: Rows) -> Decisions:
        """Return the decisions of some sequences in the form that a network takes."""
        episodes = self.episodes
        lengths = episodes.starts[part + 1] - episodes.starts[part]
        inside = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        rows = np.repeat(episodes.starts[part], lengths) + inside  # [n]
        states = episodes.states[rows]
        ids, counts = observer.game.legal(states)
        width = int(counts.max())
        is_legal = np.arange(width) < counts[:, None]
        observations = observer(states)
        if episodes.strengths is not None:
            drawn = episodes.strengths[episodes.games[part], episodes.seats[part]]
            write_strength(observer.spec, observations, np.repeat(drawn, lengths))
        return Decisions(
            observations=to_device(observations),
            actions=to_device(episodes.actions[rows].astype(np.int64)),
            lengths=to_device(lengths),
            legal=to_device(np.where(is_legal, ids[:, :width], 0).astype(np.int64)),
            is_legal=to_device(is_legal),
            value_targets=to_device(self.targets[part]),
            old=to_device(episodes.log_probabilities[rows]),
            advantages=to_device(np.repeat(self.gains[part], lengths)),
            strengths=to_device(np.repeat(self.strengths[part], lengths)),
        )
