"""Sequential halving: how many visits the considered root actions get, and when.

Simulations are split evenly over rounds; after each round the better half of the actions goes on
(Danihelka et al. 2022). The plan is a list of visit counts: simulation i goes to the best action
that has exactly plan[i] visits.
"""

from __future__ import annotations

import math


def halving_plan(considered: int, sims: int) -> list[int]:
    """For each simulation, how many visits the action it goes to must have already."""
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
