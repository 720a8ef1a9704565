"""How players that look one move ahead rate a trade: as the deal they expect from it.

An offer or an answer changes no cards yet, so the position after it says nothing. What counts is
the position after the exchange, if the other side can be expected to agree.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.catan.bots.evaluation import OPPONENT, hand_worth
from stratagem.games.catan.rules.trading import (
    ACCEPTED,
    deal_with,
    exchange,
    given_in,
    received_in,
)
from stratagem.games.catan.state import ANSWER, CHOOSE_PARTNER, DTYPE

_LEAST = 0.08  # points that a deal must bring to be worth offering
_IDLE_TALK = 0.01  # cost in points of an offer or answer that cannot lead to a deal


@kernel
def expect_deal(s, seat, weights):
    """Perform the deal that a seat can expect from what it has just offered or answered.

    `s` is a scratch position of that seat, with hidden cards dealt. Returns the value of talking
    itself: negative if no deal can be expected, or none that the seat should want.
    """
    if s["phase"] != ANSWER and s["phase"] != CHOOSE_PARTNER:
        return 0.0
    partner = -1
    deal = np.int64(s["offer"]) - 1
    if seat == s["turn_seat"]:
        most = _LEAST
        for other in range(np.int64(s["players"])):
            if other != seat and can_swap(s, other, deal):
                own, theirs = gains(s, other, deal, weights)
                if theirs > _LEAST and own > most:
                    most = own
                    partner = other
    else:
        deal = deal_with(s, seat)
        if deal < 0:
            return 0.0  # it refused
        if can_swap(s, seat, deal):
            theirs, own = gains(s, seat, deal, weights)
            is_offer = s["answers"][seat] == ACCEPTED  # the other side already wants it
            if own > _LEAST and (is_offer or theirs > _LEAST):
                partner = seat
    if partner < 0:
        return -_IDLE_TALK
    exchange(s, partner, deal)
    return 0.0


@kernel
def can_swap(s, other, deal):
    given, price = given_in(deal)
    received, number = received_in(deal)
    if np.int64(s["hand"][s["turn_seat"], given]) < price:
        return False
    return np.int64(s["hand"][other, received]) >= number


@kernel
def gains(s, other, deal, weights):
    """Return the gains (current player, other player) in points, by what the hands can buy.

    A rival's gain counts against the deal, less so with more rivals.
    """
    after = np.empty(1, DTYPE)
    after[0] = s
    exchange(after[0], other, deal)
    seat = np.int64(s["turn_seat"])
    own = hand_worth(after[0], seat, weights) - hand_worth(s, seat, weights)
    theirs = hand_worth(after[0], other, weights) - hand_worth(s, other, weights)
    share = weights[OPPONENT] / (np.int64(s["players"]) - 1)
    return own - share * theirs, theirs - share * own
