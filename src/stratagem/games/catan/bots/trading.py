"""How players that look one move ahead see a trade: as the deal they expect to come of it.

An offer or an answer changes no card yet, so the position after it says nothing. What counts is the
position after the exchange, if the other side can be expected to agree.
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

_LEAST = 0.08  # points that a deal must bring to be worth the talk
_IDLE_TALK = 0.01  # points that an offer or an answer costs from which nothing can come


@kernel
def expect_deal(s, seat, weights):
    """Carry out the deal that a seat may expect from what it has just offered or answered.

    `s` is a scratch position of that seat, with hidden cards dealt. Returns what the words alone
    are worth: less than nothing if no deal can be expected, or none that the seat should want.
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
            is_offer = s["answers"][seat] == ACCEPTED  # the other side wants it already
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
    """(of the player whose turn it is, of the other one) in points, by what the hands can buy.

    What a rival gains counts against it, the less the more rivals there are.
    """
    after = np.empty(1, DTYPE)
    after[0] = s
    exchange(after[0], other, deal)
    seat = np.int64(s["turn_seat"])
    own = hand_worth(after[0], seat, weights) - hand_worth(s, seat, weights)
    theirs = hand_worth(after[0], other, weights) - hand_worth(s, other, weights)
    share = weights[OPPONENT] / (np.int64(s["players"]) - 1)
    return own - share * theirs, theirs - share * own
