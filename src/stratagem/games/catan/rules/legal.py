"""Which actions are legal in a position."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.catan.actions import (
    BANK_TRADE,
    BUILD_CITY,
    BUILD_ROAD,
    BUILD_SETTLEMENT,
    BUY_CARD,
    DISCARD_CARD,
    END_TURN,
    PLACE_ROBBER,
    PLAY_KNIGHT,
    PLAY_MONOPOLY,
    PLAY_PLENTY,
    PLAY_ROADS,
    ROLL_DICE,
    STEAL_FROM,
)
from stratagem.games.catan.board import BIT, EDGES, NONE, PLACE_EDGES, PLACES
from stratagem.games.catan.rules.roads import can_extend
from stratagem.games.catan.rules.robber import is_victim, list_robber
from stratagem.games.catan.rules.trading import list_answers, list_offers, list_partners
from stratagem.games.catan.rules.turn import is_playable
from stratagem.games.catan.state import (
    ANSWER,
    BEFORE_ROLL,
    BUILD,
    CARD,
    CHOOSE_PARTNER,
    CHOOSE_VICTIM,
    CITY,
    DISCARD,
    FREE_ROAD,
    KNIGHT,
    MONOPOLY,
    MOVE_ROBBER,
    PLENTY,
    RESOURCES,
    ROAD,
    ROAD_FIRST,
    ROADS,
    SETTLE_FIRST,
    SETTLEMENT,
    TAKE_PLENTY,
    can_pay,
    deck_size,
)


@kernel
def legal(s, out):
    phase = s["phase"]
    seat = np.int64(s["seat"])
    if phase == BUILD:
        return list_build(s, seat, out)
    if phase == BEFORE_ROLL:
        count = list_cards(s, seat, out, 0)
        out[count] = ROLL_DICE
        return count + 1
    if phase == SETTLE_FIRST:
        return list_settlements(s, -1 ^ np.int64(s["closed"]), out, 0)
    if phase == ROAD_FIRST:
        return list_first_roads(s, out)
    if phase == DISCARD:
        return list_held(s, seat, out)
    if phase == MOVE_ROBBER:
        return list_robber(s, PLACE_ROBBER, out, 0)
    if phase == CHOOSE_VICTIM:
        return list_victims(s, seat, out)
    if phase == TAKE_PLENTY:
        return list_bank(s, PLAY_PLENTY, out, 0)
    if phase == FREE_ROAD:
        count = list_roads(s, seat, PLAY_ROADS, out, 0)
        out[count] = END_TURN  # "up to two": the second one is optional
        return count + 1
    if phase == ANSWER:
        return list_answers(s, seat, out)
    if phase == CHOOSE_PARTNER:
        return list_partners(s, seat, out)
    return 0


@kernel
def list_build(s, seat, out):
    """List the free part of a turn: build, buy, trade, play one card, or end it."""
    count = 0
    if s["pieces"][seat, SETTLEMENT] > 0 and can_pay(s, seat, SETTLEMENT):
        count = list_settlements(s, np.int64(s["open"][seat]) & ~np.int64(s["closed"]), out, count)
    if s["pieces"][seat, ROAD] > 0 and can_pay(s, seat, ROAD):
        count = list_roads(s, seat, BUILD_ROAD, out, count)
    if s["pieces"][seat, CITY] > 0 and can_pay(s, seat, CITY):
        for place in range(PLACES):
            if s["place"][place] == seat + 1:
                out[count] = BUILD_CITY + place
                count += 1
    if can_pay(s, seat, CARD) and deck_size(s) > 0:
        out[count] = BUY_CARD
        count += 1
    for given in range(RESOURCES):
        if s["hand"][seat, given] >= s["rate"][seat, given]:
            for received in range(RESOURCES):
                if received != given and s["bank"][received] > 0:
                    out[count] = BANK_TRADE + given * RESOURCES + received
                    count += 1
    count = list_cards(s, seat, out, count)
    out[count] = END_TURN
    return list_offers(s, seat, out, count + 1)


@kernel
def list_settlements(s, allowed, out, count):
    for place in range(PLACES):
        if allowed & BIT[place] != 0:
            out[count] = BUILD_SETTLEMENT + place
            count += 1
    return count


@kernel
def list_roads(s, seat, first, out, count):
    for edge in range(EDGES):
        if can_extend(s, seat, edge):
            out[count] = first + edge
            count += 1
    return count


@kernel
def list_first_roads(s, out):
    """List the set-up's roads, which start from the settlement that was just placed."""
    count = 0
    for k in range(3):
        edge = PLACE_EDGES[s["anchor"], k]
        if edge != NONE and s["road"][edge] == 0:
            out[count] = BUILD_ROAD + edge
            count += 1
    return count


@kernel
def list_cards(s, seat, out, count):
    """List the development cards whose play has an effect."""
    if s["card_played"] == 1:
        return count
    if is_playable(s, seat, KNIGHT):
        count = list_robber(s, PLAY_KNIGHT, out, count)
    if is_playable(s, seat, MONOPOLY):
        for resource in range(RESOURCES):
            out[count] = PLAY_MONOPOLY + resource
            count += 1
    if is_playable(s, seat, PLENTY):
        count = list_bank(s, PLAY_PLENTY, out, count)
    if s["pieces"][seat, ROAD] > 0 and is_playable(s, seat, ROADS):
        count = list_roads(s, seat, PLAY_ROADS, out, count)
    return count


@kernel
def list_bank(s, first, out, count):
    for resource in range(RESOURCES):
        if s["bank"][resource] > 0:
            out[count] = first + resource
            count += 1
    return count


@kernel
def list_held(s, seat, out):
    count = 0
    for resource in range(RESOURCES):
        if s["hand"][seat, resource] > 0:
            out[count] = DISCARD_CARD + resource
            count += 1
    return count


@kernel
def list_victims(s, seat, out):
    count = 0
    players = np.int64(s["players"])
    for k in range(players - 1):
        if is_victim(s, np.int64(s["robber"]), (seat + 1 + k) % players):
            out[count] = STEAL_FROM + k
            count += 1
    return count
