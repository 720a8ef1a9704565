"""What one seat sees of the others: their seats, cards and points."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.catan.board import EDGE_PLACES
from stratagem.games.catan.state import points, visible_points

# The edges are the links of the graph: between places, and each edge's two ends.
LINKS = tuple((int(one), int(other)) for one, other in EDGE_PLACES)


@kernel
def relative(s, seat, owner):
    """Return how many seats after the viewer a player sits."""
    players = np.int64(s["players"])
    return (owner - seat + players) % players


@kernel
def seen_cards(s, seat, owner, resource):
    """Return the cards of one resource that the viewer knows to be in a hand."""
    if owner == seat or s["players"] == 2:
        return np.int64(s["hand"][owner, resource])
    return np.int64(s["known"][seat, owner, resource])


@kernel
def seen_points(s, seat, owner):
    return points(s, owner) if owner == seat else visible_points(s, owner)
