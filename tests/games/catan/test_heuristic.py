"""Looking ahead within a turn: against a slow twin, and a trade that only its purpose justifies."""

import numpy as np

from games.catan.positions import build, give, in_play, terrain
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import derive_seeds
from stratagem.games.catan import actions
from stratagem.games.catan.bots import heuristic, learned


def scored(game, state):
    """(legal actions, their values by one ply) of an array of one position."""
    ids = np.array(game.legal_actions(state[0]), np.int32)
    found = np.empty(len(ids))
    learned.score_moves(
        state, ids, len(ids), int(state[0]["seat"]), learned.NETWORK, learned.HAND_MADE_SHARE, found
    )
    return ids, found


def looked_ahead(game, state, depth=0):
    """What `plan_moves` finds, by recursion."""
    ids, found = scored(game, state)
    order = np.argsort(-found)
    least = found[order[0]] - 1.5
    for k in order[:4] if depth < 3 else ():
        if found[k] < least or ids[k] == actions.END_TURN:
            continue
        after = state.copy()
        game.kernels.step(after, ids[k : k + 1])
        if after[0]["seat"] == state[0]["seat"] and after[0]["turn"] == state[0]["turn"]:
            found[k] = looked_ahead(game, after, depth + 1)[1].max()
    return ids, found


def planned(game, state):
    ids = np.array(game.legal_actions(state[0]), np.int32)
    found = np.empty(len(ids))
    heuristic.plan_moves(state, ids, len(ids), int(state[0]["seat"]), found)
    return ids, found


def test_it_finds_what_recursion_finds():
    game = load_game("catan")
    states = game.new_states(derive_seeds(2, "plan", count=2))
    bot = game.rules.bot_kernels["scripted"]
    compared = followed = 0
    for ply in range(160):
        seats = states["seat"]
        moves = game.draw(states, derive_seeds(ply, "plan", count=len(states)))
        for row in np.flatnonzero((seats != CHANCE) & (seats != OVER)):
            state = states[row : row + 1].copy()
            chosen = np.empty(1, np.int32)
            bot(state, derive_seeds(ply, "move", count=1), game.width, chosen)
            moves[row] = chosen[0]
            if ply % 4 == 0 and len(game.legal_actions(state[0])) > 1:
                ids, found = planned(game, state)
                same, wanted = looked_ahead(game, state)
                assert np.array_equal(ids, same) and np.allclose(found, wanted, atol=1e-9)
                followed += (found != scored(game, state)[1]).any()
                compared += 1
        going = states["seat"] != OVER
        after = states[going]
        game.kernels.step(after, moves[going])
        states[going] = after
    assert compared > 30 and followed > 10


def test_a_trade_for_a_city():
    """Alone the trade only loses cards and one ply rather buys a card; what it pays for decides."""
    game, state = in_play("catan")
    terrain(state, 9, "wheat", 6)
    build(state, 0, settle=[12, 45], road="12-17 45-49")
    build(state, 1, settle=[30, 39], road="30-35")
    give(state, 0, ore=2, wheat=2, sheep=4)
    trade = actions.BANK_TRADE + 2 * 5 + 4  # sheep for ore
    ids, one_ply = scored(game, state)
    _, ahead = planned(game, state)
    at = list(ids).index(trade)
    assert one_ply[at] < one_ply.max() and ids[one_ply.argmax()] == actions.BUY_CARD
    assert ids[ahead.argmax()] == trade
    game.kernels.step(state, ids[at : at + 1])
    ids, ahead = planned(game, state)
    assert actions.BUILD_CITY <= ids[ahead.argmax()] < actions.BUILD_CITY + 54
