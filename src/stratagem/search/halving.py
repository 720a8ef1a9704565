"""Sequential halving: how many visits the considered root actions get, and when.

Simulations are split evenly over rounds; after each round the better half of the actions continues
(Danihelka et al. 2022). The plan is a list of visit counts: simulation i goes to the best
action that has exactly plan[i] visits.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt


def halving_plan(considered: int, sims: int) -> list[int]:
    """Return for each simulation how many visits its action must already have."""
    if considered <= 1:
        return list(range(sims))
    rounds = max(1, math.ceil(math.log2(considered)))
    plan: list[int] = []
    visits = [0] * considered
    while len(plan) < sims:
        extra = max(1, sims // (rounds * considered))
        for _ in range(extra):
            plan.extend(visits[:considered])
            for k in range(considered):
                visits[k] += 1
        considered = max(2, considered // 2)
    return plan[:sims]


class HalvingPlans:
    """The positions of many trees in their plans."""

    def __init__(self, num_trees: int, sims: int) -> None:
        self._considered = np.zeros(num_trees, np.int32)
        self._planned = np.full(num_trees, sims, np.int32)
        self._done = np.zeros(num_trees, np.int32)
        self._plans: dict[tuple[int, int], npt.NDArray[np.int32]] = {}

    def begin(
        self, trees: npt.NDArray[np.int64], considered: npt.NDArray[np.int32], sims: int
    ) -> None:
        """Start plans for these trees, each with its number of actions, over `sims` simulations."""
        self._considered[trees] = considered
        self._planned[trees] = sims
        self._done[trees] = 0

    def restart(self, trees: npt.NDArray[np.int64]) -> None:
        """Return to the first simulation of the plan."""
        self._done[trees] = 0

    def next_quotas(self, trees: npt.NDArray[np.int64], sims: int) -> npt.NDArray[np.int32]:
        """[B] visits that the next root action must have; `sims` simulations will follow."""
        quotas = np.empty(len(trees), np.int32)
        wanted = np.stack([self._considered[trees], self._planned[trees]], axis=1)
        for considered, planned in {(int(one), int(other)) for one, other in wanted}:
            plan = self._plans.get((considered, planned))
            if plan is None:
                plan = np.array(halving_plan(considered, planned), np.int32)
                self._plans[considered, planned] = plan
            mine = (wanted == (considered, planned)).all(axis=1)
            quotas[mine] = plan[np.minimum(self._done[trees[mine]], len(plan) - 1)]
        self._done[trees] += sims
        return quotas
