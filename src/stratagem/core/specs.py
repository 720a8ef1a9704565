"""How an observation and an action look from outside a game: sizes, names and layout."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Literal

SliceKind = Literal["planes", "vector", "actions", "nodes", "edges", "tokens"]


@dataclass(frozen=True)
class ObservationSlice:
    """A named part of the flat observation vector.

    `kind` tells a network how to read it: `planes` [C, H, W], `vector` [F], `actions` [A, F]
    (one row per action), `nodes` [N, F] and `edges` [E, F] of a graph, `tokens` [T, F].

    `links` are the pairs of nodes that a graph joins, the same for every position: on a `nodes`
    slice all neighbours, on an `edges` slice the two ends of each row. `relations` are further
    sets of pairs, one for each kind of link that should be distinguished (land, river, sea, …). A
    row of zeros among `nodes` is a place that this scenario does not use.
    """

    name: str
    shape: tuple[int, ...]
    kind: SliceKind
    links: tuple[tuple[int, int], ...] = ()
    relations: tuple[tuple[tuple[int, int], ...], ...] = ()

    @property
    def size(self) -> int:
        return prod(self.shape)


@dataclass(frozen=True)
class ObservationSpec:
    """The slices of one flat float32 observation, in order."""

    slices: tuple[ObservationSlice, ...]

    @cached_property
    def size(self) -> int:
        return sum(part.size for part in self.slices)

    def of_kind(self, kind: SliceKind) -> ObservationSlice | None:
        """Return the first slice of this kind, or None."""
        return next((part for part in self.slices if part.kind == kind), None)

    def bounds(self, wanted: ObservationSlice) -> tuple[int, int]:
        """Return where a slice begins and ends in the flat vector."""
        start = 0
        for part in self.slices:
            if part == wanted:
                return start, start + part.size
            start += part.size
        raise ValueError(f"{wanted.name} is not a slice of this observation")


@dataclass(frozen=True)
class ActionField:
    """One field of a structured action token.

    `kind` says what its entries mean: a `choice` of one, one of the observation's `nodes`, or a
    `set` of which any number can be chosen.
    """

    name: str
    size: int
    kind: Literal["choice", "nodes", "set"]


@dataclass(frozen=True)
class ActionSpec:
    """How many actions exist, and their layout where it is spatial: [planes, H, W].

    Where actions are structured, a token consists of its `fields` one after another, and `tokens`
    lists for each action which entries of the token it sets. `at_nodes` lists for each of the
    observation's `nodes` the actions that happen there, equally many and in the same order at each;
    `at_edges` does so for its `edges`. An action that is in neither concerns no particular place.

    Where an action is a choice for each of several agents, `parts` says how many options each has,
    and the digits of the action's number are these choices, the first agent's first.
    """

    size: int
    shape: tuple[int, ...] = ()
    fields: tuple[ActionField, ...] = ()
    tokens: tuple[tuple[int, ...], ...] = ()
    at_nodes: tuple[tuple[int, ...], ...] = ()
    at_edges: tuple[tuple[int, ...], ...] = ()
    parts: tuple[int, ...] = ()


@dataclass(frozen=True)
class ActionGroup:
    """A named range of action ids [start, stop): what a hierarchical agent chooses first."""

    name: str
    start: int
    stop: int
