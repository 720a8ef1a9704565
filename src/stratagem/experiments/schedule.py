"""How the runs of an experiment share the cores: which belong together, and how long they take."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from stratagem.experiments.arms import Arm


def chains(arms: Sequence[Arm]) -> list[list[Arm]]:
    """Group arms that start from one another's networks, in their order."""
    by_first: dict[str, list[Arm]] = {}
    first_of: dict[str, str] = {}
    for arm in arms:
        first = first_of[arm.after] if arm.after else arm.name
        first_of[arm.name] = first
        by_first.setdefault(first, []).append(arm)
    return list(by_first.values())


def length(chain: Sequence[Arm]) -> float:
    """Return how long a chain takes, in shares of the training time."""
    return sum(arm.share for arm in chain)


def longest_first(arms: Sequence[Arm], seeds: int) -> list[tuple[list[Arm], int]]:
    """Return every chain with every seed, short ones last, so that no core waits for long."""
    every = [(chain, number) for number in range(seeds) for chain in chains(arms)]
    return sorted(every, key=lambda one: -length(one[0]))


def makespan(lengths: Sequence[float], places: int) -> float:
    """Return when the last of these jobs ends, if each starts on the first core that is free."""
    free = [0.0] * max(1, places)
    for length in lengths:
        heapq.heapreplace(free, free[0] + length)
    return max(free)
