"""Terra Mystica as 9 x 26 half-cells in 48P + 110 layers.

`paper` has the features of the paper; `exact` replaces what can be derived by what the paper leaves
out, so that the layers contain everything that play depends on. The observing seat comes first,
then the others clockwise. docs/games/terra_mystica.md lists the layers and their scales.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.specs import ObservationSlice, ObservationSpec
from stratagem.games.terra_mystica.board.factions import DIG_START, MERMAIDS, MOST_PRIESTS
from stratagem.games.terra_mystica.board.hexes import (
    BRIDGE,
    BRIDGES,
    COLUMNS,
    EAST,
    LAND,
    LAND_CELL,
    RIVER_CELL,
    RIVERS,
    ROWS,
    SOUTH,
)
from stratagem.games.terra_mystica.rules.income import income_of
from stratagem.games.terra_mystica.state import FACTION, REWARD_SPADES, START_DWELLING

WIDTH = 2 * COLUMNS
AREA = ROWS * WIDTH
GLOBAL, PER_PLAYER = 110, 48
_WATER = 7
_BUILDING_LAYER = np.array([0, 8, 9, 11, 12, 10], np.int64)  # the paper's order D TP SA TE SH


def _left_half(cells):
    """Return the offset of the left half-cell of each cell; the right one follows."""
    row, column = np.divmod(cells, COLUMNS)
    return row * WIDTH + 2 * column + row % 2


_LAND_AT = _left_half(LAND_CELL)
_RIVER_AT = _left_half(RIVER_CELL)
_PADDING = np.array([row * WIDTH + x for row in (1, 3, 5, 7) for x in (0, WIDTH - 1)], np.int64)


def layers(players):
    return GLOBAL + PER_PLAYER * players


def spec(scenario, options):
    shape = (layers(scenario.players), ROWS, WIDTH)
    return ObservationSpec((ObservationSlice("board", shape, "planes"),))


@kernel
def fill(out, layer, value):
    if value != 0.0:
        for k in range(AREA):
            out[layer * AREA + k] = value


@kernel
def mark(out, layer, at, value):
    """Mark both half-cells of a hex."""
    out[layer * AREA + at] = value
    out[layer * AREA + at + 1] = value


@kernel
def paper(s, seat, options, out):
    draw_board(s, seat, out)
    for tile in range(12):
        fill(out, 75 + tile, s["favours_left"][tile] / 3.0)
    players = np.int64(s["players"])
    for k in range(players):
        other = (seat + k) % players
        base = GLOBAL + PER_PLAYER * k
        draw_stock(s, other, out, base)
        fill(out, base + 12, s["count"][other, 1] / 8.0)
        fill(out, base + 13, s["count"][other, 2] / 4.0)
        fill(out, base + 14, s["count"][other, 3] / 3.0)
        large = np.int64(s["count"][other, 4]) + 2 * np.int64(s["count"][other, 5])
        fill(out, base + 15, large / 3.0)
        fill(out, base + 16, s["vp"][other] / 100.0)
        if s["faction"][other] >= 0:
            fill(out, base + 17, income_of(s, other, 0) / 10.0)
            fill(out, base + 18, income_of(s, other, 2) / 10.0)
            fill(out, base + 19, income_of(s, other, 1) / 10.0)
            fill(out, base + 20, income_of(s, other, 3) / 10.0)
        draw_tiles(s, other, out, base)


@kernel
def exact(s, seat, options, out):
    draw_board(s, seat, out)
    draw_pending(s, out)
    players = np.int64(s["players"])
    for k in range(players):
        other = (seat + k) % players
        base = GLOBAL + PER_PLAYER * k
        draw_stock(s, other, out, base)
        fill(out, base + 12, s["vp"][other] / 100.0)
        fill(out, base + 13, (MOST_PRIESTS - np.int64(s["priests_out"][other])) / 7.0)
        fill(out, base + 14, np.int64(s["passed"][other]) / players)
        place = (other - np.int64(s["starter"]) + players) % players
        fill(out, base + 15, place / players)
        fill(out, base + 16, np.float64(s["used_bonus"][other]))
        fill(out, base + 17, np.float64(s["used_favour"][other]))
        fill(out, base + 18, np.float64(s["used_faction"][other]))
        fill(out, base + 19, offer_value(s, other))
        draw_towns(s, other, out, base + 20)
        draw_tiles(s, other, out, base)


@kernel
def offer_value(s, seat):
    """Return power offered to a seat now (and by the next build); negative for the builder."""
    if s["builder"] == seat:
        return -0.5 if s["accepted"] else -1.0
    first = np.int64(s["offer"][0, seat])
    second = np.int64(s["offer"][1, seat])
    return first / 16.0 + second / 256.0


@kernel
def draw_board(s, seat, out):
    """Draw layers shared by both variants: ground, structures, power actions, tiles, factions."""
    for land in range(LAND):
        mark(out, np.int64(s["terrain"][land]), _LAND_AT[land], 1.0)
        if s["building"][land] > 0:
            mark(out, _BUILDING_LAYER[s["building"][land]], _LAND_AT[land], 1.0)
    for river in range(RIVERS):
        mark(out, _WATER, _RIVER_AT[river], 1.0)
    for k in range(len(_PADDING)):
        out[_WATER * AREA + _PADDING[k]] = 1.0
    for number in range(6):
        fill(out, 13 + number, np.float64(s["power_taken"][number]))
        fill(out, 19 + 8 * number + np.int64(s["tile"][number]), 1.0)
    if s["round"] > 0:
        fill(out, 67 + np.int64(s["tile"][np.int64(s["round"]) - 1]), 1.0)
    for card in range(9):
        if s["card"][card] > -2:
            fill(out, 87 + card, (1 + np.int64(s["card_coins"][card])) / 8.0)
    players = np.int64(s["players"])
    for k in range(players):
        faction = np.int64(s["faction"][(seat + k) % players])
        if faction >= 0:
            fill(out, 96 + faction, (players - k) / players)


@kernel
def draw_pending(s, out):
    """Draw what the paper leaves out: cult spots, the kind of decision, what is still due."""
    for cult in range(4):
        taken = 4 if s["spot"][cult, 0] >= 0 else 0
        for spot in range(1, 4):
            if s["spot"][cult, spot] >= 0:
                taken += 1
        fill(out, 75 + cult, taken / 7.0)
    kind = np.int64(s["kind"])
    if kind == FACTION:  # shown by the missing faction of its seat
        kind = START_DWELLING
    for bit in range(4):
        fill(out, 79 + bit, np.float64((kind >> bit) & 1))
    spades = np.int64(s["spades"])
    if kind == REWARD_SPADES:
        spades = np.int64(s["reward"][s["seat"]])
    fill(out, 83, (spades + np.int64(s["split"]) / 8.0) / 3.0)
    waiting = np.int64(s["tops_due"]) / 32.0 + np.int64(s["stuck"]) / 1024.0
    fill(out, 84, np.int64(s["steps"]) / 2.0 + waiting)
    fill(out, 85, np.int64(s["favours_due"]) / 2.0 + np.int64(s["towns_due"]) / 8.0)
    left = np.int64(s["actions_left"]) / 2.0
    fill(out, 86, left + np.int64(s["conversions"]) / 1024.0)


@kernel
def draw_stock(s, seat, out, base):
    """Draw goods, bowls, spade rate, shipping and cults of a player: layers 0 to 11."""
    fill(out, base, s["workers"][seat] / 10.0)
    fill(out, base + 1, s["priests"][seat] / 7.0)
    fill(out, base + 2, s["coins"][seat] / 20.0)
    for bowl in range(3):
        fill(out, base + 3 + bowl, s["bowl"][seat, bowl] / 12.0)
    if s["faction"][seat] >= 0:
        rate = DIG_START[s["faction"][seat]] - np.int64(s["dig"][seat])
        fill(out, base + 6, rate / 3.0)
    fill(out, base + 7, s["ship"][seat] / 5.0)
    for cult in range(4):
        fill(out, base + 8 + cult, s["cult"][seat, cult] / 10.0)


@kernel
def draw_tiles(s, seat, out, base):
    """Draw bridges, bonus card, favour and town tiles of a player: layers 21 to 47."""
    for k in range(BRIDGES):
        if s["bridge"][k] == seat:
            at = _LAND_AT[BRIDGE[k, 0]]
            if BRIDGE[k, 2] == EAST:
                at += 1
            elif BRIDGE[k, 2] == SOUTH:
                at = _RIVER_AT[BRIDGE[k, 3]] + 1
            out[(base + 21) * AREA + at] = 1.0
    if s["bonus"][seat] >= 0:
        fill(out, base + 22 + np.int64(s["bonus"][seat]), 1.0)
    for tile in range(12):
        fill(out, base + 31 + tile, np.float64((s["favours"][seat] >> tile) & 1))
    for tile in range(5):
        fill(out, base + 43 + tile, s["towns"][seat, tile] / 2.0)


@kernel
def draw_towns(s, seat, out, layer):
    """Draw structures in towns, and the rivers of the Mermaids' towns."""
    for k in range(np.int64(s["sites"][seat])):
        land = np.int64(s["site"][seat, k])
        if s["town"][land]:
            mark(out, layer, _LAND_AT[land], 1.0)
    if s["faction"][seat] == MERMAIDS:
        for river in range(RIVERS):
            if (s["river_town"] >> river) & 1:
                mark(out, layer, _RIVER_AT[river], 1.0)
