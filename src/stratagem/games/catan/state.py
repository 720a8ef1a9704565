"""The state of a game of Catan: its dtype, and small helpers used by every module.

Resources: 0 wood, 1 brick, 2 sheep, 3 wheat, 4 ore. Development cards: 0 knight, 1 victory point,
2 road building, 3 year of plenty, 4 monopoly.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.catan.board import EDGES, HARBOURS, PLACES, TILES

SEATS = 4  # room for players
RESOURCES = 5
WOOD, BRICK, SHEEP, WHEAT, ORE = range(RESOURCES)
DESERT = 5  # terrain that yields nothing
GENERIC = 5  # harbour that takes any resource, 3:1
KINDS = 5
KNIGHT, POINT, ROADS, PLENTY, MONOPOLY = range(KINDS)

# What is being decided, or which chance event comes next. Chance: ROLL, STEAL, DRAW_CARD.
SETTLE_FIRST, ROAD_FIRST, BEFORE_ROLL, DISCARD, MOVE_ROBBER, CHOOSE_VICTIM, BUILD = range(7)
FREE_ROAD, TAKE_PLENTY, ROLL, STEAL, DRAW_CARD, ANSWER, CHOOSE_PARTNER = range(7, 14)
DECISIONS = 9  # phases in which a seat decides, without trade between players

PIECES = np.array([15, 5, 4], np.int64)  # roads, settlements, cities of a player
ROAD, SETTLEMENT, CITY = range(3)
DECK = np.array([14, 5, 2, 2, 2], np.int64)  # development cards by kind
# [road, settlement, city, development card] -> cards by resource
COSTS = np.array([[1, 1, 0, 0, 0], [1, 1, 1, 1, 0], [0, 0, 0, 2, 3], [0, 0, 1, 1, 1]], np.int64)
CARD = 3  # row of COSTS
AWARD_POINTS = 2
LONGEST_AT_LEAST = 5
ARMY_AT_LEAST = 3
TOTALS = 11  # of two dice, 2 to 12
SEVEN = 7
WAYS = np.array([1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1], np.int64)  # of 36, to roll 2 + index
MAX_MEMORY = 8
MAX_BOARDS = 64

SCENARIO = np.dtype(
    [
        ("players", "u1"),
        ("target", "u1"),
        ("discard_limit", "u1"),
        ("discard_round_up", "u1"),
        ("friendly_robber", "u1"),
        ("balanced_dice", "u1"),
        ("deck_reshuffle", "u1"),
        ("deck_memory", "u1"),
        ("deck_recent", "f4"),
        ("deck_streak", "f4"),
        ("tokens", "u1"),
        ("pre_roll_cards", "u1"),
        ("sole_claimant", "u1"),
        ("bank", "u1"),
        ("turn_limit", "u2"),
        ("offers", "u1"),
        ("board_count", "u1"),
        ("board_seeds", "u8", MAX_BOARDS),
    ]
)

DTYPE = np.dtype(
    [
        ("open", "i8", SEATS),  # bit set of places from which a seat's roads may go on
        ("closed", "i8"),  # bit set of places where nobody may settle any more
        ("seat", "i1"),  # who decides, CHANCE, or OVER
        ("turn_seat", "i1"),  # whose turn it is
        ("phase", "u1"),  # one of the phases above
        ("winner", "i1"),  # -1: nobody (yet)
        ("turn", "u2"),  # turns completed, by all players together
        ("rolled", "u1"),  # 1: the dice of this turn have fallen
        ("last_roll", "u1"),  # total of the last roll, 0 before the first
        ("card_played", "u1"),  # 1: a development card was played in this turn
        ("placed", "u1"),  # settlements placed in the set-up
        ("anchor", "u1"),  # place of the settlement whose first road comes next
        ("left", "u1"),  # free roads, or cards of a year of plenty, still to come
        ("owed", "u1", SEATS),  # cards that each seat still has to discard
        ("victim", "i1"),  # who is being robbed, -1: nobody
        ("terrain", "u1", TILES),  # resource of each tile, or DESERT
        ("token", "u1", TILES),  # number of each tile, 0: none
        ("sites", "u1", (TOTALS, 2)),  # tiles of each total, TILES: no such tile
        ("harbour", "u1", HARBOURS),  # resource of each harbour, or GENERIC
        ("robber", "u1"),  # tile
        ("place", "u1", PLACES),  # 0: empty, 1 + seat: settlement, 5 + seat: city
        ("road", "u1", EDGES),  # 0: empty, 1 + seat
        ("pieces", "u1", (SEATS, 3)),  # roads, settlements, cities still in supply
        ("bank", "u1", RESOURCES),
        ("hand", "u1", (SEATS, RESOURCES)),
        ("rate", "u1", (SEATS, RESOURCES)),  # cards that the bank asks for one
        ("known", "u1", (SEATS, SEATS, RESOURCES)),  # [viewer, owner] cards surely held there
        ("deck", "u1", KINDS),  # development cards not yet drawn, hidden
        ("cards", "u1", (SEATS, KINDS)),  # in hand, hidden from the others
        ("fresh", "u1", KINDS),  # those of them bought in this turn by its seat
        ("played", "u1", (SEATS, KINDS)),
        ("road_length", "u1", SEATS),  # longest trail of each seat
        ("road_holder", "i1"),  # -1: nobody
        ("army_holder", "i1"),  # -1: nobody
        ("dice_deck", "u1", TOTALS),  # balanced dice: outcomes left of the 36
        ("recent", "u1", MAX_MEMORY),  # balanced dice: last totals, newest first, 0: none
        ("sevens", "u2", SEATS),  # balanced dice: sevens rolled by each seat
        ("streak_seat", "i1"),  # balanced dice: who rolled the last seven, -1: nobody
        ("streak", "u1"),  # balanced dice: sevens in a row by that seat
        ("offer", "u1"),  # 1 + the deal that was offered last in this turn, 0: none
        ("answers", "u1", SEATS),  # to it: see rules/trading.py
        ("offers_left", "u1"),  # that may still be made in this turn
        # The scenario.
        ("players", "u1"),
        ("target", "u1"),  # points that win
        ("discard_limit", "u1"),  # cards that are safe when a seven falls
        ("discard_round_up", "u1"),  # 1: half of an odd hand is rounded up
        ("friendly_robber", "u1"),  # visible points below which the robber keeps away; 0: never
        ("balanced_dice", "u1"),
        ("deck_reshuffle", "u1"),  # the dice deck is renewed below this many outcomes
        ("deck_memory", "u1"),  # rolls that count as recent
        ("deck_recent", "f4"),  # weight that a total loses per recent roll of it
        ("deck_streak", "f4"),  # weight of a seven gained or lost per seven in a row
        ("pre_roll_cards", "u1"),  # bit per kind that may be played before the roll
        ("sole_claimant", "u1"),  # 1: a lone claimant gets what a short bank has left
        ("full_bank", "u1"),  # cards of each resource in the game
        ("turn_limit", "u2"),  # turns by all players together
        ("offers", "u1"),  # to other players, that may be made in a turn; 0: no such trade
    ]
)


@kernel
def owner_of(code):
    """Return the seat that a `place` code belongs to; -1 for an empty place."""
    if code == 0:
        return -1
    return (np.int64(code) - 1) % SEATS


@kernel
def yield_of(code):
    """Return the cards that a building earns from a tile, which is also its worth in points."""
    if code == 0:
        return 0
    return 2 if code > SEATS else 1


@kernel
def hand_size(s, seat):
    total = 0
    for resource in range(RESOURCES):
        total += np.int64(s["hand"][seat, resource])
    return total


@kernel
def card_count(s, seat):
    """Return the number of development cards in hand, which is public."""
    total = 0
    for kind in range(KINDS):
        total += np.int64(s["cards"][seat, kind])
    return total


@kernel
def deck_size(s):
    """Return how many development cards can still be bought."""
    total = 0
    for kind in range(KINDS):
        total += np.int64(s["deck"][kind])
    return total


@kernel
def visible_points(s, seat):
    """Return the points that everybody sees: buildings and the two awards."""
    points = PIECES[SETTLEMENT] - np.int64(s["pieces"][seat, SETTLEMENT])
    points += 2 * (PIECES[CITY] - np.int64(s["pieces"][seat, CITY]))
    if s["road_holder"] == seat:
        points += AWARD_POINTS
    if s["army_holder"] == seat:
        points += AWARD_POINTS
    return points


@kernel
def points(s, seat):
    """Return all points of a seat, including its victory point cards."""
    return visible_points(s, seat) + np.int64(s["cards"][seat, POINT])


@kernel
def can_pay(s, seat, item):
    for resource in range(RESOURCES):
        if np.int64(s["hand"][seat, resource]) < COSTS[item, resource]:
            return False
    return True


@kernel
def pay(s, seat, item):
    for resource in range(RESOURCES):
        if COSTS[item, resource] > 0:
            give_back(s, seat, resource, COSTS[item, resource])


@kernel
def earn(s, seat, resource, number):
    """Move cards from the bank to a hand, for everybody to see."""
    s["bank"][resource] -= number
    s["hand"][seat, resource] += number
    show_gain(s, seat, resource, number)


@kernel
def give_back(s, seat, resource, number):
    """Move cards from a hand to the bank, for everybody to see."""
    s["bank"][resource] += number
    s["hand"][seat, resource] -= number
    show_loss(s, seat, resource, number)


@kernel
def show_gain(s, seat, resource, number):
    # Two players see all of each other's cards, so only larger tables need to track them.
    if s["players"] > 2:
        for viewer in range(s["players"]):
            if viewer != seat:
                s["known"][viewer, seat, resource] += number


@kernel
def show_loss(s, seat, resource, number):
    if s["players"] > 2:
        for viewer in range(s["players"]):
            if viewer != seat:
                before = np.int64(s["known"][viewer, seat, resource])
                s["known"][viewer, seat, resource] = max(before - number, 0)
