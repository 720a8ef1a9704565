"""The vector of encoding `compact`: everything in a position that is not a land hex.

First the table and what is still due in this turn, then a block for each player, the observing seat
first. Amounts are scaled numbers and, where thresholds decide what can be paid, also steps: one
number per threshold reached.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.terra_mystica.board.factions import DIG_START
from stratagem.games.terra_mystica.board.hexes import BRIDGES, RIVERS
from stratagem.games.terra_mystica.board.tiles import REWARD_CULT, REWARD_STEP
from stratagem.games.terra_mystica.rules.ground import shipping
from stratagem.games.terra_mystica.rules.income import income_of, pass_points
from stratagem.games.terra_mystica.rules.scoring import network_size

TABLE, PER_PLAYER = 183, 150
_CARDS, _SPOTS, _DUE, _RIVERS = 91, 109, 117, 147  # parts of the table, in order
_CULTS, _TILES, _TURN = 77, 109, 135  # parts of a player's block
_CULT_STEPS = np.array([3, 5, 7, 9, 10], np.int64)


def vector_size(players):
    return TABLE + (PER_PLAYER + BRIDGES) * players


@kernel
def describe(s, seat, out, first):
    """Fill out[first:] with the vector."""
    describe_table(s, out, first)
    describe_due(s, out, first + _DUE)
    players = np.int64(s["players"])
    for k in range(players):
        other = (seat + k) % players
        at = first + TABLE + (PER_PLAYER + BRIDGES) * k
        for place in range(BRIDGES):
            out[at + PER_PLAYER + place] = 1.0 if s["bridge"][place] == other else 0.0
        describe_turn(s, other, out, at + _TURN)
        if s["faction"][other] >= 0:
            describe_goods(s, other, out, at)
            describe_cults(s, other, out, at + _CULTS)
            describe_tiles(s, other, out, at + _TILES)


@kernel
def describe_table(s, out, at):
    """Write kind of decision, coming rounds, power actions, tiles and cards left, cult spots."""
    out[at + np.int64(s["kind"])] = 1.0  # 17
    now = np.int64(s["round"])
    out[at + 17 + now] = 1.0  # 7
    for later in range(max(now, 1), 7):
        out[at + 24 + 8 * (later - max(now, 1)) + np.int64(s["tile"][later - 1])] = 1.0  # 48
    for number in range(6):
        out[at + 72 + number] = np.float64(s["power_taken"][number])
    for tile in range(4, 12):  # of the first four there is one each: somebody's block has it
        out[at + 74 + tile] = s["favours_left"][tile] / 3.0
    for tile in range(5):
        out[at + 86 + tile] = s["towns_left"][tile] / 2.0
    for card in range(9):
        if s["card"][card] == -1:
            out[at + _CARDS + 2 * card] = 1.0
            out[at + _CARDS + 2 * card + 1] = s["card_coins"][card] / 4.0
    for cult in range(4):
        for spot in range(4):
            if s["spot"][cult, spot] >= 0:
                out[at + _SPOTS + 2 * cult + min(spot, 1)] += 1.0 if spot == 0 else 1.0 / 3.0
    if s["river_town"] != 0:
        for river in range(RIVERS):
            out[at + _RIVERS + river] = np.float64((s["river_town"] >> river) & 1)


@kernel
def describe_due(s, out, at):
    """Write what is still to be decided in this turn."""
    out[at] = s["spades"] / 3.0
    out[at + 1] = s["steps"] / 2.0
    out[at + 2] = s["favours_due"] / 2.0
    out[at + 3] = s["towns_due"] / 2.0
    out[at + 4] = s["priests_due"] / 3.0
    out[at + 5] = s["conversions"] / 12.0
    out[at + 6] = np.float64(s["actions_left"] == 0)
    out[at + 7] = np.float64(s["actions_left"] == 2)
    out[at + 8] = np.float64(s["stronghold_spades"])
    out[at + 9] = np.float64(s["bridge_due"])
    out[at + 10] = np.float64(s["cultist_step"])
    out[at + 11] = np.float64(s["offered"])
    out[at + 12] = np.float64(s["accepted"])
    for bit in range(3):
        out[at + 13 + bit] = np.float64((s["split"] >> bit) & 1)
    for bit in range(4):
        out[at + 16 + bit] = np.float64((s["tops_due"] >> bit) & 1)
        out[at + 20 + bit] = np.float64((s["stuck"] >> bit) & 1)
    out[at + 24] = np.float64(s["explicit"])
    out[at + 25 + np.int64(s["leech"])] = 1.0  # 3
    out[at + 28] = s["cap"] / 12.0
    out[at + 29] = s["cursor"] / 8.0


@kernel
def show_steps(out, at, count, stride, value):
    """Write one number for each threshold stride, 2 stride, … that a value reaches."""
    for k in range(min(count, value // stride)):
        out[at + k] = 1.0


@kernel
def describe_goods(s, seat, out, at):
    """Write faction, goods, points, income, structures: the first 77 of a player's numbers."""
    out[at + np.int64(s["faction"][seat])] = 1.0  # 14
    workers, coins = np.int64(s["workers"][seat]), np.int64(s["coins"][seat])
    priests = np.int64(s["priests"][seat])
    out[at + 14] = workers / 10.0
    out[at + 15] = coins / 20.0
    out[at + 16] = priests / 7.0
    for bowl in range(3):
        out[at + 17 + bowl] = s["bowl"][seat, bowl] / 12.0
    power = np.int64(s["bowl"][seat, 2]) + np.int64(s["bowl"][seat, 1]) // 2
    show_steps(out, at + 20, 10, 1, workers)
    show_steps(out, at + 30, 10, 2, coins)
    show_steps(out, at + 40, 5, 1, priests)
    show_steps(out, at + 45, 8, 1, power)
    out[at + 53] = s["vp"][seat] / 100.0
    out[at + 54] = s["priests_out"][seat] / 7.0
    out[at + 55] = s["keys"][seat] / 2.0
    out[at + 56] = s["bridges"][seat] / 3.0
    out[at + 57] = s["ship"][seat] / 5.0
    out[at + 58] = shipping(s, seat) / 5.0
    out[at + 59] = (DIG_START[s["faction"][seat]] - np.int64(s["dig"][seat])) / 3.0
    out[at + 60] = income_of(s, seat, 0) / 8.0
    out[at + 61] = income_of(s, seat, 1) / 12.0
    out[at + 62] = income_of(s, seat, 2) / 4.0
    out[at + 63] = income_of(s, seat, 3) / 8.0
    for building in range(1, 6):
        out[at + 63 + building] = s["count"][seat, building] / 4.0
    out[at + 69] = s["sites"][seat] / 10.0
    out[at + 70] = network_size(s, seat) / 10.0
    out[at + 71] = pass_points(s, seat) / 10.0
    out[at + 72] = s["reward"][seat] / 3.0
    if 0 < s["round"] < 6:
        tile = s["tile"][np.int64(s["round"]) - 1]
        times = np.int64(s["cult"][seat, REWARD_CULT[tile]]) // REWARD_STEP[tile]
        out[at + 73] = times / 5.0
        show_steps(out, at + 74, 3, 1, times)


@kernel
def describe_cults(s, seat, out, at):
    """Write position on each track, thresholds passed, and the lead over the best opponent: 32."""
    for cult in range(4):
        here = np.int64(s["cult"][seat, cult])
        best = 0
        for other in range(np.int64(s["players"])):
            if other != seat:
                best = max(best, np.int64(s["cult"][other, cult]))
        out[at + 8 * cult] = here / 10.0
        out[at + 8 * cult + 1] = (here - best) / 5.0
        out[at + 8 * cult + 2] = np.float64(here > best) - np.float64(here < best)
        for k in range(5):
            if here >= _CULT_STEPS[k]:
                out[at + 8 * cult + 3 + k] = 1.0


@kernel
def describe_tiles(s, seat, out, at):
    """Write bonus card, favours, towns: 26."""
    if s["bonus"][seat] >= 0:
        out[at + np.int64(s["bonus"][seat])] = 1.0
    for tile in range(12):
        out[at + 9 + tile] = np.float64((s["favours"][seat] >> tile) & 1)
    for tile in range(5):
        out[at + 21 + tile] = s["towns"][seat, tile] / 2.0


@kernel
def describe_turn(s, seat, out, at):
    """Write a player's state in the round, actions used, power offered: 15."""
    players = np.int64(s["players"])
    out[at] = np.float64(s["passed"][seat] > 0)
    out[at + 1] = np.int64(s["passed"][seat]) / players
    out[at + 2] = ((seat - np.int64(s["starter"]) + players) % players) / players
    out[at + 3] = np.float64(s["active"] == seat)
    out[at + 4] = np.float64(s["builder"] == seat)
    out[at + 5] = np.float64(s["used_bonus"][seat])
    out[at + 6] = np.float64(s["used_favour"][seat])
    out[at + 7] = np.float64(s["used_faction"][seat])
    for row in range(2):
        offer = np.int64(s["offer"][row, seat])
        room = 2 * np.int64(s["bowl"][seat, 0]) + np.int64(s["bowl"][seat, 1])
        gain = min(min(offer, room), np.int64(s["vp"][seat]) + 1)
        out[at + 8 + 3 * row] = offer / 8.0
        out[at + 9 + 3 * row] = gain / 8.0
        out[at + 10 + 3 * row] = np.float64(gain == 1)
    out[at + 14] = np.float64(s["seat"] == seat)
