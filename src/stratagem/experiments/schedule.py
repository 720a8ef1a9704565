"""How the runs of an experiment share the cores: which run in sequence, and how long they take."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from stratagem.experiments.arms import Arm


def chains(arms: Sequence[Arm]) -> list[list[Arm]]:
    """Arms that start from one another's networks, together and in their order."""
    by_first: dict[str, list[Arm]] = {}
    first_of: dict[str, str] = {}
    for arm in arms:
        first = first_of[arm.after] if arm.after else arm.name
        first_of[arm.name] = first
        by_first.setdefault(first, []).append(arm)
    return list(by_first.values())


def length(chain: Sequence[Arm]) -> float:
    """How long a chain takes, in shares of the training time."""
    return sum(arm.share for arm in chain)


def longest_first(arms: Sequence[Arm], seeds: int) -> list[tuple[list[Arm], int]]:
    """Every chain with every seed; short ones come last, so that no core waits for long."""
    every = [(chain, number) for number in range(seeds) for chain in chains(arms)]
    return sorted(every, key=lambda one: -length(one[0]))


def makespan(lengths: Sequence[float], places: int) -> float:
    """When the last of these jobs ends, if each goes to the place that is free first."""
    free = [0.0] * max(1, places)
    for length in lengths:
        heapq.heapreplace(free, free[0] + length)
    return max(free)
