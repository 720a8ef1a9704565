"""Setting up Terra Mystica: tiles and cards by seed or as given, factions dealt or chosen."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.random_kernels import advance, below, start
from stratagem.core.seats import OVER
from stratagem.games.terra_mystica.board.factions import HOME
from stratagem.games.terra_mystica.board.hexes import BRIDGES, LAND, START_TERRAIN
from stratagem.games.terra_mystica.board.tiles import FAVOUR_COPIES, ROUND_TILES, TOWN_COPIES
from stratagem.games.terra_mystica.rules.turns import deal_board, proceed
from stratagem.games.terra_mystica.state import CHOSEN, NOTHING, RANDOM, SEATS


@kernel
def reset(s, scenario, seed):
    word = start(seed)
    s["players"] = scenario["players"]
    s["explicit"] = scenario["explicit"]
    s["cap"] = scenario["cap"]
    s["leech"] = scenario["leech"]
    lay_board(s)
    word = draw_tiles(s, scenario, word)
    word = draw_cards(s, scenario, word)
    word = deal_factions(s, scenario, word)
    s["kind"] = NOTHING
    while s["kind"] == NOTHING and s["seat"] != OVER:
        proceed(s)


@kernel
def lay_board(s):
    for land in range(LAND):
        s["terrain"][land] = START_TERRAIN[land]
        s["owner"][land] = -1
    for k in range(BRIDGES):
        s["bridge"][k] = -1
    for cult in range(4):
        for spot in range(4):
            s["spot"][cult, spot] = -1
    for tile in range(12):
        s["favours_left"][tile] = FAVOUR_COPIES[tile]
    for tile in range(5):
        s["towns_left"][tile] = TOWN_COPIES
    for seat in range(SEATS):
        s["faction"][seat] = -1
        s["bonus"][seat] = -1
        s["start_card"][seat] = -1
        for k in range(3):
            s["start_hex"][seat, k] = -1
    s["active"] = -1
    s["builder"] = -1


@kernel
def draw_tiles(s, scenario, word):
    """Draw round tiles without replacement; the spade tile may not be in round 5 or 6."""
    order = np.arange(ROUND_TILES)
    while True:
        for k in range(6):
            word = advance(word)
            pick = k + below(word, ROUND_TILES - k)
            kept = order[k]
            order[k] = order[pick]
            order[pick] = kept
        if order[4] != 0 and order[5] != 0:
            break
    for k in range(6):
        s["tile"][k] = order[k] if scenario["tile"][0] < 0 else scenario["tile"][k]
    return word


@kernel
def draw_cards(s, scenario, word):
    """Draw three more bonus cards than players."""
    left = np.int64(s["players"]) + 3
    for card in range(9):
        s["card"][card] = -2
    for card in range(9):
        word = advance(word)
        if scenario["card"][card] >= 0:
            if scenario["card"][card] == 1:
                s["card"][card] = -1
        elif below(word, 9 - card) < left:
            s["card"][card] = -1
            left -= 1
    return word


@kernel
def deal_factions(s, scenario, word):
    """Seat named factions in order, or in random order, with their presets."""
    players = np.int64(s["players"])
    order = np.arange(players)
    for k in range(players):
        word = advance(word)
        pick = k + below(word, players - k)
        if scenario["shuffled"]:
            kept = order[k]
            order[k] = order[pick]
            order[pick] = kept
    for seat in range(players):
        origin = order[seat]
        faction = np.int64(scenario["faction"][origin])
        s["start_card"][seat] = scenario["start_card"][origin]
        for k in range(3):
            s["start_hex"][seat, k] = scenario["start_hex"][origin, k]
        if faction == RANDOM:
            word, faction = draw_faction(s, word)
        if faction != CHOSEN:
            deal_board(s, seat, faction)
    return word


@kernel
def draw_faction(s, word):
    """Draw a faction of a colour that nobody has yet."""
    while True:
        word = advance(word)
        faction = below(word, 14)
        free = True
        for other in range(SEATS):
            if s["faction"][other] >= 0 and HOME[s["faction"][other]] == HOME[faction]:
                free = False
        if free:
            return word, faction
