"""The allowed values of a Catan position."""

import numpy as np

from stratagem.core.limits import Limits
from stratagem.games.catan.actions import DEALS
from stratagem.games.catan.board import PLACES, TILES
from stratagem.games.catan.rules.trading import ACCEPTED, COUNTERED, PAIRS, RECEIVED
from stratagem.games.catan.state import (
    ANSWER,
    CHOOSE_PARTNER,
    DECK,
    DESERT,
    GENERIC,
    PIECES,
    RESOURCES,
    SEATS,
)

_CARDS = 19 * 5  # more resources than any bank holds
_SEAT_OR_NOBODY = (-1, SEATS - 1)


def limits(scenario):
    return Limits(
        ranges={
            "turn_seat": (0, SEATS - 1),
            "phase": (0, CHOOSE_PARTNER),
            "winner": _SEAT_OR_NOBODY,
            "rolled": (0, 1),
            "last_roll": (0, 12),
            "card_played": (0, 1),
            "placed": (0, 2 * SEATS),
            "anchor": (0, PLACES - 1),
            "owed": (0, _CARDS),
            "victim": _SEAT_OR_NOBODY,
            "terrain": (0, DESERT),
            "token": (0, 12),
            "sites": (0, TILES),
            "harbour": (0, GENERIC),
            "robber": (0, TILES - 1),
            "place": (0, 2 * SEATS),
            "road": (0, SEATS),
            "pieces": (0, int(PIECES.max())),
            "rate": (0, 4),
            "deck": (0, int(DECK.max())),
            "cards": (0, int(DECK.max())),
            "fresh": (0, int(DECK.max())),
            "played": (0, int(DECK.max())),
            "road_holder": _SEAT_OR_NOBODY,
            "army_holder": _SEAT_OR_NOBODY,
            "dice_deck": (0, 36),
            "recent": (0, 12),
            "streak_seat": _SEAT_OR_NOBODY,
            "offer": (0, DEALS),
            "answers": (0, COUNTERED + DEALS - 1),
        },
        constants=("players", "target", "discard_limit", "discard_round_up", "friendly_robber",
                   "balanced_dice", "deck_reshuffle", "deck_memory", "deck_recent", "deck_streak",
                   "pre_roll_cards", "sole_claimant", "full_bank", "turn_limit", "offers"),
        ties=_fits_together,
    )  # fmt: skip


def _fits_together(states):
    """Whether bank and hands together hold all cards of each resource.

    Nobody knows of cards that do not exist or owes more than a hand; the desert has no token.
    """
    hands = states["hand"].astype(np.int64).sum(axis=1)
    full = states["full_bank"].astype(np.int64)[:, None]
    whole = states["bank"].astype(np.int64) + hands == full
    seats = states["players"].astype(np.int64)
    named = [states[name] < seats for name in ("turn_seat", "winner", "victim", "streak_seat")]
    sure = (states["known"] <= states["hand"][:, None]).all(axis=(1, 2, 3))
    barren = ((states["terrain"] != DESERT) | (states["token"] == 0)).all(axis=1)
    payable = (states["owed"] <= states["hand"].sum(axis=2, dtype=np.int64)).all(axis=1)
    whole &= (barren & payable)[:, None]
    return whole.all(axis=1) & np.logical_and.reduce(named) & sure & _deals_hold(states)


def _deals_hold(states):
    """Whether offers are consistent: there is one if it is discussed, and who agreed can pay."""
    trading = (states["phase"] == ANSWER) | (states["phase"] == CHOOSE_PARTNER)
    offered = states["offer"].astype(np.int64) - 1
    answers = states["answers"].astype(np.int64)
    deals = np.where(answers == ACCEPTED, offered[:, None], answers - COUNTERED)
    deals = np.clip(deals, 0, DEALS - 1)
    held = np.take_along_axis(states["hand"], (deals % RESOURCES)[..., None], 2)[..., 0]
    fits = (answers == 0) | (held >= RECEIVED[deals // PAIRS])
    return ~trading | ((offered >= 0) & fits.all(axis=1))
