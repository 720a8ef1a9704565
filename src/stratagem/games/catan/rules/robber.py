"""The robber: where it may go, whom it robs, and what the others learn."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.seats import CHANCE
from stratagem.games.catan.board import TILE_PLACES, TILES
from stratagem.games.catan.rules.turn import go_on
from stratagem.games.catan.state import (
    CHOOSE_VICTIM,
    DESERT,
    RESOURCES,
    STEAL,
    hand_size,
    owner_of,
    visible_points,
)


@kernel
def is_protected(s, seat):
    """Whether the friendly robber avoids this seat."""
    return visible_points(s, seat) < s["friendly_robber"]


@kernel
def may_rob(s, tile):
    """Whether the robber may move to a tile: a different one, away from protected players."""
    if tile == s["robber"]:
        return False
    if s["friendly_robber"] > 0:
        for k in range(6):
            owner = owner_of(s["place"][TILE_PLACES[tile, k]])
            if owner >= 0 and is_protected(s, owner):
                return False
    return True


@kernel
def list_robber(s, first, out, count):
    """Append first + tile for every tile the robber may go to; at least one.

    If the friendly robber has no allowed tile, it goes to the desert, or stays there.
    """
    before = count
    for tile in range(TILES):
        if may_rob(s, tile):
            out[count] = first + tile
            count += 1
    if count == before:
        for tile in range(TILES):
            if s["terrain"][tile] == DESERT:
                out[count] = first + tile
                count += 1
    return count


@kernel
def is_victim(s, tile, seat):
    """Whether the current player can steal from this seat with the robber here."""
    if seat == s["turn_seat"] or hand_size(s, seat) == 0 or is_protected(s, seat):
        return False
    for k in range(6):
        if owner_of(s["place"][TILE_PLACES[tile, k]]) == seat:
            return True
    return False


@kernel
def move_robber(s, tile):
    """Place the robber; choose a victim if there are several, rob a sole one at once."""
    s["robber"] = tile
    victims = 0
    for seat in range(s["players"]):
        if is_victim(s, tile, seat):
            victims += 1
            s["victim"] = seat
    if victims == 0:
        go_on(s)
    elif victims == 1:
        rob(s, s["victim"])
    else:
        s["victim"] = -1
        s["seat"] = s["turn_seat"]
        s["phase"] = CHOOSE_VICTIM


@kernel
def rob(s, victim):
    s["victim"] = victim
    s["seat"] = CHANCE
    s["phase"] = STEAL


@kernel
def steal_chance(s, ids, probs):
    """Draw one card of the victim's hand, all equally likely."""
    size = hand_size(s, s["victim"])
    count = 0
    for resource in range(RESOURCES):
        held = np.int64(s["hand"][s["victim"], resource])
        if held > 0:
            ids[count] = resource
            probs[count] = held / size
            count += 1
    return count


@kernel
def steal(s, resource):
    thief = np.int64(s["turn_seat"])
    victim = np.int64(s["victim"])
    if s["players"] > 2:
        learn_theft(s, thief, victim, resource)
    s["hand"][victim, resource] -= 1
    s["hand"][thief, resource] += 1
    s["victim"] = -1
    go_on(s)


@kernel
def learn_theft(s, thief, victim, resource):
    """Thief and victim see the card; the others only see that a card moved."""
    for viewer in range(s["players"]):
        if viewer == thief:
            before = np.int64(s["known"][viewer, victim, resource])
            s["known"][viewer, victim, resource] = max(before - 1, 0)
        elif viewer == victim:
            s["known"][viewer, thief, resource] += 1
        elif is_plain(s, viewer, victim, resource):
            s["known"][viewer, victim, resource] -= 1
            s["known"][viewer, thief, resource] += 1
        else:
            for r in range(RESOURCES):
                before = np.int64(s["known"][viewer, victim, r])
                s["known"][viewer, victim, r] = max(before - 1, 0)


@kernel
def is_plain(s, viewer, victim, resource):
    """Whether a bystander knows that the victim holds nothing but this resource."""
    return np.int64(s["known"][viewer, victim, resource]) == hand_size(s, victim)
