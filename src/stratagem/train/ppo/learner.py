"""The learner: sequences of whole games, PPO's loss, and the reference policy."""

from __future__ import annotations

import copy
from collections.abc import Sequence

import numpy as np
import torch
from torch import nn

from stratagem.core.game import Game
from stratagem.nets.build import build_network
from stratagem.nets.device import device, has_bfloat16, mixed_precision, on_card
from stratagem.nets.output import num_values_for
from stratagem.train.learner import AveragedLearner
from stratagem.train.named_tensors import Tensors, add_prefix, on_cpu, strip_prefix
from stratagem.train.ppo.episodes import Episodes, advantages
from stratagem.train.ppo.losses import LossWeights, loss_of
from stratagem.train.ppo.points import points_gained
from stratagem.train.ppo.samples import Floats, Rows, Samples
from stratagem.train.ppo.settings import Settings

Parts = dict[str, float]  # terms of the loss and other numbers to report, by name


class Learner(AveragedLearner):
    """Learns from the network's own games or a teacher's; a reference policy is optional."""

    def __init__(self, game: Game, settings: Settings, seed: int) -> None:
        network = settings.network
        self.settings = settings
        observer = game.observer(network.encoding or None, network.encoding_options)
        torch.manual_seed(seed)
        module = build_network(
            network.kind, network.settings, observer.spec, game.actions,
            num_values_for(game.num_seats),
        )  # fmt: skip
        super().__init__(game, observer, network, settings.learning, module)
        self.reference: nn.Module | None = None

    # -- learning ----------------------------------------------------------------------------

    def imitate(self, episodes: Episodes, generator: np.random.Generator) -> Parts:
        """Learn a teacher's decisions and the outcomes of its games."""
        imitation = self.settings.imitation
        nothing = np.zeros(episodes.num_sequences, np.float32)
        samples = Samples(episodes, nothing, self._outcomes(episodes), nothing)
        weights = LossWeights(
            self.settings.learning.clip, 0.0, self.settings.learning.value_weight, True
        )
        return self._train(samples, weights, imitation.learning_rate, imitation.epochs, generator)

    def improve(
        self, episodes: Episodes, rate: float, entropy: float, generator: np.random.Generator
    ) -> Parts:
        """Make decisions that turned out well more likely, and others less likely."""
        learning = self.settings.learning
        gains = advantages(episodes, self.settings.outcome.trace)
        targets = self._outcomes(episodes)
        targets[:, 0] = episodes.values + gains
        outcome = self.settings.outcome
        scaled, spread = _scaled(gains, episodes)
        if outcome.points_weight > 0:
            points = points_gained(self.game, episodes, outcome.points_horizon)
            share = outcome.points_weight
            scaled = (1 - share) * scaled + share * _scaled(points, episodes)[0]
            scaled, _ = _scaled(scaled, episodes)
        samples = Samples(episodes, scaled, targets, self._strengths(episodes, generator))
        weights = LossWeights(learning.clip, entropy, learning.value_weight, False)
        parts = self._train(samples, weights, rate, learning.epochs, generator)
        left = episodes.outcomes[episodes.games, episodes.seats] - episodes.values
        return {**parts, "advantage_spread": spread, "value_error": float(np.std(left))}

    def _outcomes(self, episodes: Episodes) -> Floats:
        """[M, V] the outcome of each game for the deciding seat and those after it."""
        turned = (episodes.seats[:, None] + np.arange(self.num_values)) % self.game.num_seats
        found: Floats = episodes.outcomes[episodes.games[:, None], turned]
        return found

    def _strengths(self, episodes: Episodes, generator: np.random.Generator) -> Floats:
        """[M] how strongly each seat of each game is kept close to the reference policy."""
        if episodes.strengths is not None:  # drawn before the games, as an input of the network
            known: Floats = episodes.strengths[episodes.games, episodes.seats].astype(np.float32)
            return known
        reference = self.settings.reference
        shape = episodes.outcomes.shape
        drawn = np.exp(generator.uniform(np.log(reference.low), np.log(reference.high), shape))
        found: Floats = drawn[episodes.games, episodes.seats].astype(np.float32)
        return found

    def _train(
        self,
        samples: Samples,
        weights: LossWeights,
        rate: float,
        epochs: int,
        generator: np.random.Generator,
    ) -> Parts:
        """Train some epochs over all sequences in random order; stop early if the policy jumps."""
        for replica in self._replicas:
            replica.load_state_dict(self.module.state_dict())
            # With batch statistics, the policy that learns would differ from the one that played.
            replica.train(weights.imitate)
        found: list[Parts] = []
        for _ in range(epochs):
            before = len(found)
            batches = samples.batches(
                self.settings.learning.batch_size, len(self._replicas), generator
            )
            found += [self._step(samples, shares, weights, rate) for shares in batches]
            changes = [parts.get("divergence", 0.0) for parts in found[before:]]
            if changes and np.mean(changes) > self.settings.learning.stop_divergence:
                break
        keys = found[0] if found else {}
        means = {key: float(np.mean([parts[key] for parts in found])) for key in keys}
        return {**means, "steps": float(len(found))}

    def _step(
        self, samples: Samples, shares: Sequence[Rows], weights: LossWeights, rate: float
    ) -> Parts:
        """Take one optimiser step; every thread gets its share of the batch."""

        def gradients(replica: nn.Module, share: Rows) -> Parts:
            torch.set_num_threads(1)
            reference = None if weights.imitate else self.reference
            batch = samples.tensors(self.observer, share)
            with mixed_precision(on_card() and has_bfloat16()):
                loss, parts = loss_of(replica, reference, batch, weights)
            replica.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            return parts

        used = self._replicas[: len(shares)]
        found = list(self._pool.map(gradients, used, shares))
        self._take_step(used, rate)
        for replica in self._replicas:
            replica.load_state_dict(self.module.state_dict())
        return {key: float(np.mean([parts[key] for parts in found])) for key in found[0]}

    # -- state -------------------------------------------------------------------------------

    def hold_reference(self, module: nn.Module) -> None:
        """Use this policy as the reference from now on."""
        self.reference = copy.deepcopy(module).eval().requires_grad_(False).to(device())

    def export(self) -> Tensors:
        """Return everything a resumed learner needs, as named tensors."""
        held = {} if self.reference is None else self.reference.state_dict()
        return super().export() | on_cpu(add_prefix(held, "reference."))

    def restore(self, tensors: Tensors) -> None:
        """Continue exactly where `export` left off."""
        super().restore(tensors)
        if held := strip_prefix(tensors, "reference."):
            self.hold_reference(self.playing)
            assert self.reference is not None
            self.reference.load_state_dict(held)


def _scaled(gains: Floats, episodes: Episodes) -> tuple[Floats, float]:
    """Scale to mean 0 and deviation 1 over the decisions; also return the old deviation."""
    lengths = np.diff(episodes.starts)
    mean = np.average(gains, weights=lengths)
    spread = float(np.sqrt(np.average((gains - mean) ** 2, weights=lengths)))
    return ((gains - mean) / (spread + 1e-6)).astype(np.float32), spread
