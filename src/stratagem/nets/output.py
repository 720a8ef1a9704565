"""What every network returns, whatever its kind, and what some kinds offer in addition."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol, runtime_checkable

from torch import Generator, Tensor

from stratagem.core.specs import ActionSpec, ObservationSpec


class NetworkOutput(NamedTuple):
    """Policy and value of a batch of observations, from the deciding seat's point of view.

    logits [B, A] float32 with illegal actions included, values [B, V] float32 in [-1, 1] (V is 1
    with two seats, otherwise one per seat starting with the deciding one), scores [B, P] or None.
    """

    logits: Tensor  # [B, A] float32, including illegal actions, which the reader masks
    values: Tensor  # [B, V] float32 in [-1, 1]; entry k is that of seat (decider + k) % P
    # [B, P] final points of each seat in the same order, in units of learning.score_scale; many
    # networks predict none.
    scores: Tensor | None = None

    def float(self) -> NetworkOutput:
        """Convert to full precision, for the losses."""
        scores = None if self.scores is None else self.scores.float()
        return NetworkOutput(self.logits.float(), self.values.float(), scores)


class Network(Protocol):
    """What a kind's `build` returns: a PyTorch module over flat observations."""

    def __call__(self, observation: Tensor) -> NetworkOutput:
        """observation [B, D] float32, as the encoding's spec lays it out; logits and values out."""
        ...


@runtime_checkable
class SizeFree(Protocol):
    """A network whose weights fit every board size."""

    def on_board(self, observation: ObservationSpec, actions: ActionSpec) -> Any:
        """Return a network for another board that shares this one's weights, without copying."""


class TrainingTerm(NamedTuple):
    """An output to train on, and its weight."""

    weight: float
    output: NetworkOutput
    positions: Tensor | None = None  # [B] weight of each position; None: equal
    penalty: Tensor | None = None  # added to the loss unchanged


@runtime_checkable
class HasTrainingTerms(Protocol):
    """A network that is trained on more than its forward pass."""

    def training_terms(self, observation: Tensor, generator: Generator) -> list[TrainingTerm]:
        """Return what is trained; the weights of a position add up to 1."""


@runtime_checkable
class Iterated(Protocol):
    """A network that repeats a part of itself this many times."""

    iterations: int


@runtime_checkable
class HasActionTokens(Protocol):
    """A network that can read the features of actions apart from the rest of an observation."""

    actions: Any  # the SliceReader of those features; None: it does not use them

    def decide(self, observation: Tensor, features: Tensor) -> NetworkOutput:
        """Return logits [B, L] of any actions with features [B, L, F]."""


@runtime_checkable
class ReadsExactly(Protocol):
    """A network that reads its observation in float32 even where the rest computes in bfloat16."""

    fields: Any  # the module whose sums need the digits; None: it has none

    def read(self, observation: Tensor) -> Tensor:
        """Return the input of the rest of the network, in float32."""

    def decide_from(self, read: Tensor) -> NetworkOutput:
        """Return the output for what was read."""


def num_values_for(num_seats: int) -> int:
    """Return how many values a network predicts: with two seats, one is enough."""
    return 1 if num_seats == 2 else num_seats


def num_scores_for(num_values: int) -> int:
    """Return how many final points a network with this many values predicts: one per seat."""
    return 2 if num_values == 1 else num_values
