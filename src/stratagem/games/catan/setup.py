"""Setting up Catan: terrain, number tokens and harbours, full bank and supplies."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.random_kernels import advance, below, start
from stratagem.games.catan.board import HARBOURS, SPIRALS, TILE_NEIGHBOURS, TILES
from stratagem.games.catan.rules.turn import next_settler
from stratagem.games.catan.state import (
    BRICK,
    DECK,
    DESERT,
    GENERIC,
    KINDS,
    ORE,
    PIECES,
    RESOURCES,
    SEATS,
    SHEEP,
    TOTALS,
    WAYS,
    WHEAT,
    WOOD,
)

SPIRAL, CONSTRAINED, RANDOM = range(3)  # ways to lay the tokens
TERRAIN = np.array([WOOD] * 4 + [WHEAT] * 4 + [SHEEP] * 4 + [BRICK] * 3 + [ORE] * 3 + [DESERT])
TOKENS = np.array([5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11])  # letters A to R
HARBOUR_KINDS = np.array([WOOD, BRICK, SHEEP, WHEAT, ORE, GENERIC, GENERIC, GENERIC, GENERIC])
_BANK_RATE = 4


@kernel
def reset(s, scenario, seed):
    read_scenario(s, scenario)
    word = start(seed)
    if scenario["board_count"] > 0:
        word = advance(word)
        word = start(scenario["board_seeds"][below(word, np.int64(scenario["board_count"]))])
    word = lay_terrain(s, word)
    word = lay_tokens(s, np.int64(scenario["tokens"]), word)
    lay_harbours(s, word)
    find_sites(s)
    s["winner"] = -1
    s["victim"] = -1
    s["road_holder"] = -1
    s["army_holder"] = -1
    s["streak_seat"] = -1
    for resource in range(RESOURCES):
        s["bank"][resource] = scenario["bank"]
    for kind in range(KINDS):
        s["deck"][kind] = DECK[kind]
    for seat in range(s["players"]):
        for piece in range(3):
            s["pieces"][seat, piece] = PIECES[piece]
        for resource in range(RESOURCES):
            s["rate"][seat, resource] = _BANK_RATE
    for seat in range(np.int64(s["players"]), SEATS):  # missing players own no points
        for piece in range(3):
            s["pieces"][seat, piece] = PIECES[piece]
    if s["balanced_dice"] == 1:
        for k in range(TOTALS):
            s["dice_deck"][k] = WAYS[k]
    next_settler(s)


@kernel
def read_scenario(s, scenario):
    s["players"] = scenario["players"]
    s["target"] = scenario["target"]
    s["discard_limit"] = scenario["discard_limit"]
    s["discard_round_up"] = scenario["discard_round_up"]
    s["friendly_robber"] = scenario["friendly_robber"]
    s["balanced_dice"] = scenario["balanced_dice"]
    s["deck_reshuffle"] = scenario["deck_reshuffle"]
    s["deck_memory"] = scenario["deck_memory"]
    s["deck_recent"] = scenario["deck_recent"]
    s["deck_streak"] = scenario["deck_streak"]
    s["pre_roll_cards"] = scenario["pre_roll_cards"]
    s["sole_claimant"] = scenario["sole_claimant"]
    s["full_bank"] = scenario["bank"]
    s["turn_limit"] = scenario["turn_limit"]
    s["offers"] = scenario["offers"]


@kernel
def shuffle(items, word):
    for k in range(len(items) - 1, 0, -1):
        word = advance(word)
        other = below(word, k + 1)
        swapped = items[k]
        items[k] = items[other]
        items[other] = swapped
    return word


@kernel
def lay_terrain(s, word):
    """Place the 19 tiles in random order; the robber starts on the desert."""
    for tile in range(TILES):
        s["terrain"][tile] = TERRAIN[tile]
    word = shuffle(s["terrain"], word)
    for tile in range(TILES):
        if s["terrain"][tile] == DESERT:
            s["robber"] = tile
    return word


@kernel
def lay_tokens(s, way, word):
    """Place tokens in a spiral from a random corner, or shuffled (constrained: 6 and 8 apart)."""
    order = TOKENS.copy()
    if way == SPIRAL:
        word = advance(word)
        spread_tokens(s, order, below(word, 6))
        return word
    while True:
        word = shuffle(order, word)
        spread_tokens(s, order, 0)
        if way == RANDOM or not reds_touch(s):
            return word


@kernel
def spread_tokens(s, order, corner):
    """Place the tokens along a spiral, skipping the desert."""
    count = 0
    for k in range(TILES):
        tile = SPIRALS[corner, k]
        s["token"][tile] = 0
        if s["terrain"][tile] != DESERT:
            s["token"][tile] = order[count]
            count += 1


@kernel
def is_red(token):
    return token == 6 or token == 8


@kernel
def reds_touch(s):
    """Whether two of the likeliest numbers, 6 and 8, are adjacent."""
    for tile in range(TILES):
        if not is_red(s["token"][tile]):
            continue
        for k in range(6):
            near = TILE_NEIGHBOURS[tile, k]
            if near >= 0 and is_red(s["token"][near]):
                return True
    return False


@kernel
def lay_harbours(s, word):
    """Shuffle the kinds of the nine harbours over their fixed positions."""
    for k in range(HARBOURS):
        s["harbour"][k] = HARBOUR_KINDS[k]
    shuffle(s["harbour"], word)


@kernel
def find_sites(s):
    """List the tiles of each total, so that a roll need not search the board."""
    for k in range(TOTALS):
        s["sites"][k, 0] = TILES
        s["sites"][k, 1] = TILES
    for tile in range(TILES):
        if s["token"][tile] > 0:
            k = np.int64(s["token"][tile]) - 2
            if s["sites"][k, 0] == TILES:
                s["sites"][k, 0] = tile
            else:
                s["sites"][k, 1] = tile
