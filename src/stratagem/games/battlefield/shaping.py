"""The shaping potential: seven terms, each the own team's value minus the other's.

As differences they are zero-sum: potential(s, 0) == -potential(s, 1). Each `*_term` kernel rates
one team between 0 and 1; the order is that of state.TERMS.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.battlefield.board import cell_of, distance, goal_distance, shot_victim
from stratagem.games.battlefield.state import GONE


@kernel
def potential(s, seat):
    weights = s["weights"]
    other = 1 - seat
    total = 0.0
    total += np.float64(weights[0]) * (health_term(s, seat) - health_term(s, other))
    total += np.float64(weights[1]) * (centre_term(s, seat) - centre_term(s, other))
    total += np.float64(weights[2]) * (goal_term(s, seat) - goal_term(s, other))
    total += np.float64(weights[3]) * (border_term(s, seat) - border_term(s, other))
    total += np.float64(weights[4]) * (threat_term(s, seat) - threat_term(s, other))
    total += np.float64(weights[5]) * (cohesion_term(s, seat) - cohesion_term(s, other))
    total += np.float64(weights[6]) * (focus_term(s, seat) - focus_term(s, other))
    bound = np.float64(s["clip"])
    return max(-bound, min(bound, total))


@kernel
def living(s, seat):
    count = 0
    for agent in range(s["team_size"]):
        if s["cells"][seat, agent] != GONE:
            count += 1
    return count


@kernel
def health_term(s, seat):
    """Share of the team that is alive."""
    return living(s, seat) / np.float64(s["team_size"])


@kernel
def centre_term(s, seat):
    """Nearness to the goal of the team's closest agent, 1 on it."""
    best = 0.0
    for agent in range(s["team_size"]):
        cell = cell_of(s, seat, agent)
        if cell != GONE:
            best = max(best, 1.0 / (1.0 + goal_distance(s, cell)))
    return best


@kernel
def goal_term(s, seat):
    """Mean nearness of the living agents to the goal."""
    total = 0.0
    for agent in range(s["team_size"]):
        cell = cell_of(s, seat, agent)
        if cell != GONE:
            total += 1.0 / (1.0 + goal_distance(s, cell))
    return total / max(1, living(s, seat))


@kernel
def border_term(s, seat):
    """Mean number of rings between the living agents and the zone's edge, 1 at the centre."""
    margin = np.int64(s["margin"])
    height = np.int64(s["height"])
    width = np.int64(s["width"])
    deepest = max(1, (min(height, width) - 1) // 2 - margin)
    total = 0.0
    for agent in range(s["team_size"]):
        cell = cell_of(s, seat, agent)
        if cell != GONE:
            row = cell >> 4
            column = cell & 15
            rings = min(row, column, height - 1 - row, width - 1 - column) - margin
            total += rings / deepest
    return total / max(1, living(s, seat))


@kernel
def threat_term(s, seat):
    """Share of the team that could hit an enemy now."""
    count = 0.0
    for agent in range(s["team_size"]):
        if can_hit(s, seat, agent):
            count += 1.0
    return count / np.float64(s["team_size"])


@kernel
def can_hit(s, seat, agent):
    if s["ammo"][seat, agent] == 0:  # the dead have none
        return False
    for direction in range(4):
        if shot_victim(s, seat, agent, direction) >= 0:
            return True
    return False


@kernel
def cohesion_term(s, seat):
    """Mean nearness of living teammates to each other, over pairs."""
    total = 0.0
    pairs = 0
    for agent in range(s["team_size"]):
        cell = cell_of(s, seat, agent)
        for mate in range(agent):
            mate_cell = cell_of(s, seat, mate)
            if cell != GONE and mate_cell != GONE:
                total += 1.0 / distance(cell, mate_cell)
                pairs += 1
    return total / max(1, pairs)


@kernel
def focus_term(s, seat):
    """Share of pairs of living teammates whose nearest enemy is the same."""
    same = 0.0
    pairs = 0
    for agent in range(s["team_size"]):
        for mate in range(agent):
            if s["cells"][seat, agent] != GONE and s["cells"][seat, mate] != GONE:
                pairs += 1
                target = nearest_enemy(s, seat, agent)
                if target >= 0 and target == nearest_enemy(s, seat, mate):
                    same += 1.0
    return same / max(1, pairs)


@kernel
def nearest_enemy(s, seat, agent):
    """Return the closest living enemy (the lower index if tied), or -1."""
    cell = cell_of(s, seat, agent)
    found = -1
    fewest = 1000
    for foe in range(s["team_size"]):
        foe_cell = cell_of(s, 1 - seat, foe)
        if foe_cell != GONE and distance(cell, foe_cell) < fewest:
            fewest = distance(cell, foe_cell)
            found = foe
    return found
