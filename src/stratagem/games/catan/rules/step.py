"""The effects of every action and chance outcome.

The rules are those of docs/games/catan.md; every number that differs between scenarios is in the
state. Roads, dice, robber and cards have modules of their own.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.catan.actions import (
    ACCEPT,
    BANK_TRADE,
    BUILD_CITY,
    BUILD_ROAD,
    BUILD_SETTLEMENT,
    BUY_CARD,
    DISCARD_CARD,
    END_TURN,
    OFFER,
    PARTNER,
    PLACE_ROBBER,
    PLAY_KNIGHT,
    PLAY_MONOPOLY,
    PLAY_PLENTY,
    PLAY_ROADS,
    ROLL_DICE,
    STEAL_FROM,
)
from stratagem.games.catan.board import AROUND, BIT, NONE, PLACE_HARBOUR, PLACE_TILES
from stratagem.games.catan.rules.development import (
    buy_card,
    draw_card,
    draw_chance,
    lay_free_road,
    play_knight,
    play_monopoly,
    take_plenty,
)
from stratagem.games.catan.rules.production import (
    note_roll,
    owe_discards,
    produce,
    roll_chance,
    start_roll,
)
from stratagem.games.catan.rules.roads import cut_roads, lay_road
from stratagem.games.catan.rules.robber import move_robber, rob, steal, steal_chance
from stratagem.games.catan.rules.trading import choose_partner, give_answer, make_offer
from stratagem.games.catan.rules.turn import after_seven, end_turn, go_on, has_won, next_settler
from stratagem.games.catan.state import (
    CITY,
    DESERT,
    FREE_ROAD,
    GENERIC,
    RESOURCES,
    ROAD,
    ROAD_FIRST,
    ROLL,
    SEATS,
    SETTLE_FIRST,
    SETTLEMENT,
    SEVEN,
    STEAL,
    earn,
    give_back,
    pay,
    points,
)

_GENERIC_RATE = 3
_OWN_RATE = 2


@kernel
def step(s, action):
    if s["seat"] < 0:
        resolve(s, np.int64(action))
    elif s["phase"] == SETTLE_FIRST:
        settle_first(s, np.int64(s["seat"]), np.int64(action) - BUILD_SETTLEMENT)
    elif s["phase"] == ROAD_FIRST:
        lay_road(s, np.int64(s["seat"]), np.int64(action) - BUILD_ROAD)
        s["placed"] += 1
        next_settler(s)
    elif action == END_TURN:
        if s["phase"] == FREE_ROAD:
            go_on(s)
        else:
            end_turn(s)
    else:
        act(s, np.int64(s["seat"]), np.int64(action))
        if s["winner"] < 0:
            has_won(s)


@kernel
def act(s, seat, action):
    """Do everything that a seat does in a turn, except ending it."""
    if action < BUILD_ROAD:
        build_settlement(s, seat, action - BUILD_SETTLEMENT)
    elif action < BUILD_CITY:
        pay(s, seat, ROAD)
        lay_road(s, seat, action - BUILD_ROAD)
    elif action < BUY_CARD:
        build_city(s, seat, action - BUILD_CITY)
    elif action == BUY_CARD:
        buy_card(s, seat)
    elif action < PLAY_KNIGHT:
        pair = action - BANK_TRADE
        given = pair // RESOURCES
        give_back(s, seat, given, np.int64(s["rate"][seat, given]))
        earn(s, seat, pair % RESOURCES, 1)
    elif action < PLAY_MONOPOLY:
        play_knight(s, seat)
        move_robber(s, action - PLAY_KNIGHT)
    elif action < PLAY_PLENTY:
        play_monopoly(s, seat, action - PLAY_MONOPOLY)
    elif action < PLAY_ROADS:
        take_plenty(s, seat, action - PLAY_PLENTY)
    elif action < END_TURN:
        lay_free_road(s, seat, action - PLAY_ROADS)
    elif action == ROLL_DICE:
        start_roll(s)
    elif action < PLACE_ROBBER:
        give_back(s, seat, action - DISCARD_CARD, 1)
        s["owed"][seat] -= 1
        if s["owed"][seat] == 0:
            after_seven(s)
    elif action < STEAL_FROM:
        move_robber(s, action - PLACE_ROBBER)
    elif action >= PARTNER:
        choose_partner(s, seat, action)
    elif action >= ACCEPT:
        give_answer(s, seat, action)
    elif action >= OFFER:
        make_offer(s, seat, action - OFFER)
    else:
        rob(s, (seat + 1 + action - STEAL_FROM) % np.int64(s["players"]))


@kernel
def resolve(s, outcome):
    """Apply a chance outcome: the dice, a stolen card or a development card."""
    if s["phase"] == STEAL:
        steal(s, outcome)
    elif s["phase"] == ROLL:
        note_roll(s, outcome)
        if outcome == SEVEN:
            owe_discards(s)
            after_seven(s)
        else:
            produce(s, outcome)
            go_on(s)
    else:
        draw_card(s, outcome)
        has_won(s)


@kernel
def chance(s, ids, probs):
    if s["phase"] == ROLL:
        return roll_chance(s, ids, probs)
    if s["phase"] == STEAL:
        return steal_chance(s, ids, probs)
    return draw_chance(s, ids, probs)


@kernel
def settle_first(s, seat, place):
    """Place a settlement of the set-up; a player's second one earns a card per tile."""
    put_settlement(s, seat, place)
    if s["placed"] >= s["players"]:
        for k in range(3):
            tile = PLACE_TILES[place, k]
            if tile != NONE and s["terrain"][tile] != DESERT:
                earn(s, seat, np.int64(s["terrain"][tile]), 1)
    s["anchor"] = place
    s["phase"] = ROAD_FIRST


@kernel
def build_settlement(s, seat, place):
    pay(s, seat, SETTLEMENT)
    put_settlement(s, seat, place)
    cut_roads(s, seat, place)


@kernel
def put_settlement(s, seat, place):
    s["place"][place] = 1 + seat
    s["pieces"][seat, SETTLEMENT] -= 1
    s["open"][seat] = np.int64(s["open"][seat]) | BIT[place]
    s["closed"] = np.int64(s["closed"]) | AROUND[place]
    harbour = PLACE_HARBOUR[place]
    if harbour != NONE:
        open_harbour(s, seat, np.int64(s["harbour"][harbour]))


@kernel
def open_harbour(s, seat, kind):
    """Open a harbour at once, in the combined trade and building phase."""
    if kind != GENERIC:
        s["rate"][seat, kind] = _OWN_RATE
        return
    for resource in range(RESOURCES):
        s["rate"][seat, resource] = min(np.int64(s["rate"][seat, resource]), _GENERIC_RATE)


@kernel
def build_city(s, seat, place):
    """Replace a settlement by a city; the settlement's piece returns to the supply."""
    pay(s, seat, CITY)
    s["place"][place] = 1 + SEATS + seat
    s["pieces"][seat, CITY] -= 1
    s["pieces"][seat, SETTLEMENT] += 1


@kernel
def returns(s, out):
    """+1 for the winner and -1 for the others; 0 for all if the turn limit ended the game."""
    for seat in range(s["players"]):
        out[seat] = 0.0
        if s["winner"] >= 0:
            out[seat] = 1.0 if s["winner"] == seat else -1.0


@kernel
def score(s, seat):
    return float(points(s, seat))
