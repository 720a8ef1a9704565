"""Simple players: `pass-only`, and `random-mover`, which picks among moves that make sense."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.random_kernels import advance, below
from stratagem.games.terra_mystica.actions import BUILD, PASS, PER_CELL, PRIEST, STOP, TOWN_TILE
from stratagem.games.terra_mystica.board.factions import HOME
from stratagem.games.terra_mystica.state import FREE_SPADES, MAIN, REWARD_SPADES, START_BONUS


@kernel
def pass_only(s, ids, count, word):
    """Pass with the first card, decline, stop; if that is impossible, take the first action."""
    for k in range(count):
        if PASS <= ids[k] < TOWN_TILE and (s["kind"] <= START_BONUS or ids[k] == STOP):
            return ids[k]
    return ids[0]


@kernel
def random_mover(s, ids, count, word):
    """Play any move with equal probability, only to home terrain; passing is one move.

    The plain random player counts each foreign terrain and each bonus card as a move of its own.
    """
    kept = np.empty(count, np.int32)
    number = 0
    passes = 0
    home = HOME[max(0, np.int64(s["faction"][s["seat"]]))]
    digging = FREE_SPADES <= s["kind"] <= REWARD_SPADES
    for k in range(count):
        spot = ids[k] % PER_CELL
        if s["kind"] == MAIN and PASS <= ids[k] < TOWN_TILE:
            passes += 1
            word = advance(word)
            if passes > 1:
                if below(word, passes) == 0:
                    kept[0] = ids[k]
                continue
            kept[number] = kept[0]
            kept[0] = ids[k]
        elif (s["kind"] == MAIN or digging) and ids[k] < PRIEST and spot < BUILD and spot != home:
            continue
        elif digging and ids[k] == STOP:
            continue
        else:
            kept[number] = ids[k]
        number += 1
    if number == 0:
        return ids[0]
    return kept[below(advance(word), number)]
