"""Encoding `wide`: the tensors of `hierarchy`, plus what a player reads off the board.

The paper's tensors leave out whose a piece is, what a region pays, how many rounds remain and the
other players' scores; a network would have to learn all that by heart, nation by nation. Here tiles
have the scoring tables and counts around them, pieces their side, globals the round and the scores.
These are only facts: no history rows, no estimates of strength.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.specs import ObservationSlice, ObservationSpec
from stratagem.games.hispania.board.arrays import BIT, PLAYERS, REGIONS, ROUNDS, STACK
from stratagem.games.hispania.bots.worth import POINTS, kill_worth
from stratagem.games.hispania.encode.hierarchy import (
    DECISION,
    GLOBAL,
    LINKS,
    MOST_PIECES,
    PIECE,
    RELATIONS,
    TILE,
    list_pieces,
    strength,
    write_decision,
    write_globals,
    write_piece,
    write_tile,
)
from stratagem.games.hispania.rules.power import threat_to
from stratagem.games.hispania.rules.stacks import hostile, units_in
from stratagem.games.hispania.rules.step import score

# In play; units of my nation, of my other nations, of others; others are at peace with me; my
# leader, another's; my units that can move; attackers on their way; what the region pays me and
# its owner; threat; points for the units there; whether conquest has already paid.
EXTRA_TILE = 14
SIDE = 1  # +1 mine, -1 another's
EXTRA_GLOBAL = ROUNDS + 1 + PLAYERS  # round one-hot, rounds left, own points, leads over others
_LISTED = 14


def spec(scenario, options):
    return ObservationSpec(
        (
            ObservationSlice("tiles", (REGIONS, TILE + EXTRA_TILE), "nodes", LINKS, RELATIONS),
            ObservationSlice("pieces", (MOST_PIECES, PIECE + SIDE), "tokens"),
            ObservationSlice("piece_tile", (MOST_PIECES,), "vector"),
            ObservationSlice("piece_slot", (MOST_PIECES,), "vector"),
            ObservationSlice("globals", (GLOBAL + EXTRA_GLOBAL,), "vector"),
            ObservationSlice("decision", (DECISION,), "vector"),
            *strength(options),
        )
    )


@kernel
def observe(s, seat, options, out):
    mine = my_nation(s, seat)
    width = TILE + EXTRA_TILE
    for region in range(REGIONS):
        if s["active"] & BIT[region] != 0:
            write_tile(s, region, out, region * width)
            write_more_of_tile(s, seat, mine, region, out, region * width + TILE)
    pieces = REGIONS * width
    tiles = pieces + MOST_PIECES * (PIECE + SIDE)
    slots = tiles + MOST_PIECES
    listed = np.empty((_LISTED, 4), np.int64)
    count = 0
    for region in range(REGIONS):
        here = list_pieces(s, region, listed)
        for k in range(here):
            if count < MOST_PIECES:
                at = pieces + count * (PIECE + SIDE)
                write_piece(s, listed[k], 1.0, out, at)
                out[at + PIECE] = 1.0 if s["player"][listed[k, 0]] == seat else -1.0
                out[tiles + count] = region
                out[slots + count] = min(k, STACK - 1)
                count += 1
    for k in range(count, MOST_PIECES):
        out[tiles + k] = -1.0
        out[slots + k] = -1.0
    write_globals(s, seat, out, slots + MOST_PIECES)
    write_scores(s, seat, out, slots + MOST_PIECES + GLOBAL)
    write_decision(s, out, slots + MOST_PIECES + GLOBAL + EXTRA_GLOBAL)


@kernel
def my_nation(s, seat):
    """Return the nation that the seat decides for: the acting one, or the one under attack."""
    nation = np.int64(s["nation"])
    if nation >= 0 and s["player"][nation] != seat and s["site"] >= 0:
        defender = np.int64(s["owner"][s["site"]])
        if defender >= 0 and s["player"][defender] == seat:
            return defender
    return nation


@kernel
def write_more_of_tile(s, seat, mine, region, out, at):
    owner = np.int64(s["owner"][region])
    units = units_in(s, region)
    out[at] = 1.0
    if owner >= 0:
        own = s["player"][owner] == seat
        if own:
            out[at + (1 if owner == mine else 2)] = units / 3.0
        else:
            out[at + 3] = units / 3.0
        if s["leader"][region] > 0:
            out[at + (5 if own else 6)] = 1.0
        if own and owner == s["nation"]:
            moved = 0
            for kind in range(3):
                moved += np.int64(s["moved"][region, kind])
            out[at + 7] = (units - moved) / 3.0
    out[at + 8] = (np.int64(s["pending"][region]) & 15) / 3.0
    if mine < 0:
        return
    now = s["round"]
    out[at + 9] = POINTS[s["tables"], mine, now, region] / 4.0
    out[at + 11] = threat_to(s, mine, region) / 3.0
    if owner >= 0 and s["player"][owner] != seat:
        out[at + 4] = 0.0 if hostile(s, mine, owner) else 1.0
        out[at + 10] = POINTS[s["tables"], owner, now, region] / 4.0
        out[at + 12] = kill_worth(s, mine, owner, region) / 4.0
    if s["conquered"][mine] & BIT[region] != 0:
        out[at + 13] = 1.0


@kernel
def write_scores(s, seat, out, at):
    out[at + np.int64(s["round"]) - 1] = 1.0
    out[at + ROUNDS] = (np.int64(s["last_round"]) - np.int64(s["round"])) / 21.0
    own = score(s, seat)
    out[at + ROUNDS + 1] = own / 50.0
    seats = np.int64(s["num_seats"])
    for k in range(1, seats):
        out[at + ROUNDS + 1 + k] = (own - score(s, (seat + k) % seats)) / 20.0
