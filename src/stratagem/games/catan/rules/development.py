"""Development cards: buying one, and the effects of the four playable kinds."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.seats import CHANCE
from stratagem.games.catan.rules.roads import has_road_site, lay_road
from stratagem.games.catan.rules.turn import go_on
from stratagem.games.catan.state import (
    ARMY_AT_LEAST,
    CARD,
    DRAW_CARD,
    FREE_ROAD,
    KINDS,
    KNIGHT,
    MONOPOLY,
    PLENTY,
    RESOURCES,
    ROADS,
    TAKE_PLENTY,
    deck_size,
    earn,
    pay,
    show_gain,
    show_loss,
)


@kernel
def buy_card(s, seat):
    pay(s, seat, CARD)
    s["seat"] = CHANCE
    s["phase"] = DRAW_CARD


@kernel
def draw_chance(s, ids, probs):
    """The top card of a shuffled deck: all remaining cards are equally likely."""
    size = deck_size(s)
    count = 0
    for kind in range(KINDS):
        if s["deck"][kind] > 0:
            ids[count] = kind
            probs[count] = np.int64(s["deck"][kind]) / size
            count += 1
    return count


@kernel
def draw_card(s, kind):
    s["deck"][kind] -= 1
    s["cards"][s["turn_seat"], kind] += 1
    s["fresh"][kind] += 1
    go_on(s)


@kernel
def play_card(s, seat, kind):
    s["card_played"] = 1
    s["cards"][seat, kind] -= 1
    s["played"][seat, kind] += 1


@kernel
def play_knight(s, seat):
    """Count the knight; the largest army needs three, and strictly more than its holder has."""
    play_card(s, seat, KNIGHT)
    knights = np.int64(s["played"][seat, KNIGHT])
    holder = s["army_holder"]
    if knights >= ARMY_AT_LEAST and (holder < 0 or knights > s["played"][holder, KNIGHT]):
        s["army_holder"] = seat


@kernel
def play_monopoly(s, seat, resource):
    """Take all cards of one resource from every opponent, who must say how many."""
    play_card(s, seat, MONOPOLY)
    for other in range(s["players"]):
        taken = np.int64(s["hand"][other, resource])
        if other == seat or taken == 0:
            continue
        s["hand"][other, resource] = 0
        s["hand"][seat, resource] += taken
        show_loss(s, other, resource, taken)
        show_gain(s, seat, resource, taken)
    if s["players"] > 2:  # the others hold none: whatever is not in the bank is here
        for viewer in range(s["players"]):
            if viewer != seat:
                s["known"][viewer, seat, resource] = s["hand"][seat, resource]
    go_on(s)


@kernel
def take_plenty(s, seat, resource):
    """Take one of the two cards of a year of plenty; playing the card takes the first."""
    if s["phase"] != TAKE_PLENTY:
        play_card(s, seat, PLENTY)
        s["left"] = 2
    earn(s, seat, resource, 1)
    s["left"] -= 1
    remaining = 0
    for r in range(RESOURCES):
        remaining += np.int64(s["bank"][r])
    if s["left"] == 0 or remaining == 0:
        go_on(s)
    else:
        s["phase"] = TAKE_PLENTY


@kernel
def lay_free_road(s, seat, edge):
    """Build one of the two roads of road building; playing the card builds the first."""
    if s["phase"] != FREE_ROAD:
        play_card(s, seat, ROADS)
        s["left"] = 2
    lay_road(s, seat, edge)
    s["left"] -= 1
    if s["left"] == 0 or not has_road_site(s, seat):
        go_on(s)
    else:
        s["phase"] = FREE_ROAD
