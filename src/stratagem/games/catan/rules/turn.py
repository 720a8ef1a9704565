"""The course of a game: whose turn it is, what comes next, and when it ends."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.seats import OVER
from stratagem.games.catan.rules.production import start_roll
from stratagem.games.catan.state import (
    BEFORE_ROLL,
    BUILD,
    DISCARD,
    KINDS,
    MOVE_ROBBER,
    POINT,
    SETTLE_FIRST,
    points,
)


@kernel
def is_playable(s, seat, kind):
    """Whether this seat may play this kind of card: one per turn, none bought in this turn."""
    if kind == POINT or s["card_played"] == 1:
        return False
    if s["rolled"] == 0 and (np.int64(s["pre_roll_cards"]) >> kind) & 1 == 0:
        return False
    return np.int64(s["cards"][seat, kind]) > np.int64(s["fresh"][kind])


@kernel
def next_settler(s):
    """Continue the set-up in the order 1, 2, ..., n, n, ..., 2, 1; then the first turn begins."""
    players = np.int64(s["players"])
    placed = np.int64(s["placed"])
    if placed == 2 * players:
        begin_turn(s, 0)
        return
    s["phase"] = SETTLE_FIRST
    s["turn_seat"] = placed if placed < players else 2 * players - 1 - placed
    s["seat"] = s["turn_seat"]


@kernel
def begin_turn(s, seat):
    s["turn_seat"] = seat
    s["rolled"] = 0
    s["card_played"] = 0
    s["offer"] = 0
    s["offers_left"] = s["offers"]
    for kind in range(KINDS):
        s["fresh"][kind] = 0
    if not has_won(s):
        go_on(s)


@kernel
def end_turn(s):
    s["turn"] += 1
    if s["turn"] >= s["turn_limit"]:
        s["seat"] = OVER
        return
    begin_turn(s, (np.int64(s["turn_seat"]) + 1) % np.int64(s["players"]))


@kernel
def go_on(s):
    """Return to the current player, who builds or rolls.

    Before the roll there is a decision only for a player who could play a card.
    """
    seat = s["turn_seat"]
    s["seat"] = seat
    s["left"] = 0
    if s["rolled"] == 1:
        s["phase"] = BUILD
        return
    for kind in range(KINDS):
        if is_playable(s, seat, kind):
            s["phase"] = BEFORE_ROLL
            return
    start_roll(s)


@kernel
def after_seven(s):
    """Let players discard, the roller first; then the robber moves."""
    players = np.int64(s["players"])
    for k in range(players):
        seat = (np.int64(s["turn_seat"]) + k) % players
        if s["owed"][seat] > 0:
            s["seat"] = seat
            s["phase"] = DISCARD
            return
    s["seat"] = s["turn_seat"]
    s["phase"] = MOVE_ROBBER


@kernel
def has_won(s):
    """End the game if the current player has the points; nobody else can win."""
    if points(s, s["turn_seat"]) < s["target"]:
        return False
    s["winner"] = s["turn_seat"]
    s["seat"] = OVER
    return True
