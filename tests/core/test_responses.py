"""An answer within somebody's turn does not end that turn."""

import numpy as np

from stratagem.core.knowledge import ends_turn
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE
from stratagem.core.seeding import derive_generator


def test_an_attack_that_is_answered_by_a_retreat_does_not_end_the_turn():
    game = load_game("hispania/duel8")
    retreat = next(g for g in game.rules.groups(game.scenario) if g.name == "retreat")
    generator = derive_generator(4, "test")
    state, found = game.new_state(4), 0
    for _ in range(3000):
        seat = int(state["seat"])
        if seat < CHANCE or found:
            break
        if seat == CHANCE:
            ids, odds = zip(*game.chance_outcomes(state), strict=True)
            state = game.after(state, int(generator.choice(ids, p=np.array(odds) / sum(odds))))
            continue
        action = int(generator.choice(game.legal_actions(state)))
        after = game.after(state, action)
        if int(after["seat"]) not in (seat, CHANCE) and int(after["seat"]) >= 0:
            legal = game.legal_actions(after)
            if any(retreat.start <= one < retreat.stop for one in legal):
                assert not ends_turn(game, state, action)
                found += 1
            else:
                assert ends_turn(game, state, action)
        state = after
