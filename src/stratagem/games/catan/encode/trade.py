"""Features of trade between players: the current offer and the answers to it."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.catan.encode.seen import relative
from stratagem.games.catan.rules.trading import deal_with, given_in, received_in
from stratagem.games.catan.state import ANSWER, CHOOSE_PARTNER, RESOURCES

_DEAL = 2 * RESOURCES  # cards given and received, by resource
_COUNTERS = 3  # answering, choosing a partner, offers left
_MOST = 9.0  # offers in a turn


def trade_features(players):
    return _COUNTERS + _DEAL + players * (1 + _DEAL)


@kernel
def describe_trade(s, seat, out, at):
    """Write the phase, the offer, and for each player whether and on what terms it agrees."""
    open_offer = s["phase"] == ANSWER or s["phase"] == CHOOSE_PARTNER
    out[at] = 1.0 if s["phase"] == ANSWER else 0.0
    out[at + 1] = 1.0 if s["phase"] == CHOOSE_PARTNER else 0.0
    out[at + 2] = np.int64(s["offers_left"]) / _MOST
    at += _COUNTERS
    if s["offer"] > 0:
        describe_deal(np.int64(s["offer"]) - 1, out, at)
    at += _DEAL
    players = np.int64(s["players"])
    for owner in range(players):
        deal = deal_with(s, owner) if open_offer else -1
        if deal >= 0:
            first = at + relative(s, seat, owner) * (1 + _DEAL)
            out[first] = 1.0
            describe_deal(deal, out, first + 1)
    return at + players * (1 + _DEAL)


@kernel
def describe_deal(deal, out, at):
    given, price = given_in(deal)
    received, number = received_in(deal)
    out[at + given] = price / 2.0
    out[at + RESOURCES + received] = number / 2.0
