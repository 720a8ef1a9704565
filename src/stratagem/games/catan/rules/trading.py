"""Trade between players: an offer, everybody's answers, and a choice among them.

The current player offers cards of one resource for cards of another. The others answer in turn:
accept, refuse, or ask for another price for the same resource. Then the player trades with one of
those who did not refuse, or with nobody. Terms are always from the current player's view: what it
gives and what it receives.

Whoever offers, accepts or counters must have the cards, so everybody learns that they exist.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.catan.actions import (
    ACCEPT,
    COUNTER,
    DEALS,
    NO_DEAL,
    OFFER,
    PARTNER,
    REFUSE,
)
from stratagem.games.catan.rules.turn import go_on
from stratagem.games.catan.state import (
    ANSWER,
    CHOOSE_PARTNER,
    RESOURCES,
    hand_size,
    show_gain,
    show_loss,
)

PAIRS = RESOURCES * RESOURCES
GIVEN = np.array([1, 2, 1], np.int64)  # cards given, by the price of a deal
RECEIVED = np.array([1, 1, 2], np.int64)
NOTHING, ACCEPTED, COUNTERED = range(3)  # answers; COUNTERED + deal is a counter-offer


@kernel
def given_in(deal):
    """Return (resource, cards) that the current player gives."""
    return deal % PAIRS // RESOURCES, GIVEN[deal // PAIRS]


@kernel
def received_in(deal):
    """Return (resource, cards) that the current player receives."""
    return deal % RESOURCES, RECEIVED[deal // PAIRS]


@kernel
def deal_with(s, seat):
    """Return the deal that a seat agreed to by its answer; -1: none."""
    answer = np.int64(s["answers"][seat])
    if answer == NOTHING:
        return -1
    if answer == ACCEPTED:
        return np.int64(s["offer"]) - 1
    return answer - COUNTERED


@kernel
def list_offers(s, seat, out, count):
    """List what the seat can pay and somebody may have, except offers just refused."""
    if s["offers_left"] == 0:
        return count
    most = 0
    for other in range(s["players"]):
        if other != seat:
            most = max(most, hand_size(s, other))
    for deal in range(DEALS):
        given, price = given_in(deal)
        received, number = received_in(deal)
        if given == received or number > most or deal + 1 == s["offer"]:
            continue
        if np.int64(s["hand"][seat, given]) >= price:
            out[count] = OFFER + deal
            count += 1
    return count


@kernel
def list_answers(s, seat, out):
    """List answers: accept or counter with cards in hand, or refuse."""
    offered = np.int64(s["offer"]) - 1
    resource, wanted = received_in(offered)
    held = np.int64(s["hand"][seat, resource])
    count = 0
    if held >= wanted:
        out[count] = ACCEPT
        count += 1
    out[count] = REFUSE
    count += 1
    for deal in range(DEALS):
        given, price = given_in(deal)
        received, number = received_in(deal)
        if received != resource or given == resource or deal == offered:
            continue
        if held >= number and hand_size(s, s["turn_seat"]) >= price:
            out[count] = COUNTER + deal
            count += 1
    return count


@kernel
def list_partners(s, seat, out):
    """List those who agreed to something that the seat can pay, or nobody."""
    players = np.int64(s["players"])
    count = 0
    for k in range(players - 1):
        deal = deal_with(s, (seat + 1 + k) % players)
        if deal >= 0:
            given, price = given_in(deal)
            if np.int64(s["hand"][seat, given]) >= price:
                out[count] = PARTNER + k
                count += 1
    out[count] = NO_DEAL
    return count + 1


@kernel
def make_offer(s, seat, deal):
    s["offer"] = deal + 1
    s["offers_left"] -= 1
    for other in range(s["players"]):
        s["answers"][other] = NOTHING
    given, price = given_in(deal)
    show_held(s, seat, given, price)
    ask_next(s, seat)


@kernel
def give_answer(s, seat, action):
    deal = -1
    if action == ACCEPT:
        s["answers"][seat] = ACCEPTED
        deal = np.int64(s["offer"]) - 1
    elif action >= COUNTER:
        deal = action - COUNTER
        s["answers"][seat] = COUNTERED + deal
    if deal >= 0:
        received, number = received_in(deal)
        show_held(s, seat, received, number)
    ask_next(s, seat)


@kernel
def ask_next(s, seat):
    """Ask the next player; after the last one the current player chooses, if possible.

    Players with too few cards are skipped, which everybody can see. Players with enough cards are
    asked even if they are the wrong ones, which nobody can see.
    """
    players = np.int64(s["players"])
    _, number = received_in(np.int64(s["offer"]) - 1)
    other = (seat + 1) % players
    while other != s["turn_seat"]:
        if hand_size(s, other) >= number:
            s["seat"] = other
            s["phase"] = ANSWER
            return
        other = (other + 1) % players
    for k in range(players):
        if s["answers"][k] != NOTHING:
            s["seat"] = s["turn_seat"]
            s["phase"] = CHOOSE_PARTNER
            return
    go_on(s)


@kernel
def choose_partner(s, seat, action):
    if action != NO_DEAL:
        other = (seat + 1 + action - PARTNER) % np.int64(s["players"])
        exchange(s, other, deal_with(s, other))
    go_on(s)


@kernel
def exchange(s, other, deal):
    """Swap cards between the current player and another one, for everybody to see."""
    seat = np.int64(s["turn_seat"])
    given, price = given_in(deal)
    received, number = received_in(deal)
    hand_over(s, seat, other, given, price)
    hand_over(s, other, seat, received, number)


@kernel
def hand_over(s, giver, taker, resource, number):
    s["hand"][giver, resource] -= number
    s["hand"][taker, resource] += number
    show_loss(s, giver, resource, number)
    show_gain(s, taker, resource, number)


@kernel
def show_held(s, owner, resource, number):
    """Let everybody know that these cards are in a hand."""
    if s["players"] > 2:
        for viewer in range(s["players"]):
            if viewer != owner:
                before = np.int64(s["known"][viewer, owner, resource])
                s["known"][viewer, owner, resource] = max(before, number)
