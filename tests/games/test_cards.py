"""The card test game is Kuhn's poker, and its hide tells nothing."""

import numpy as np
import pytest

from stratagem.core.conformance import check_game
from stratagem.core.game import as_batch
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import derive_seeds

PASS, BET = 0, 1
GAME = load_game("cards")

# An equilibrium of Kuhn (1950): chance of a bet by card (1 to 3) and what happened before.
EQUILIBRIUM = {
    (): {1: 1 / 3, 2: 0, 3: 1},
    (PASS,): {1: 1 / 3, 2: 0, 3: 1},
    (BET,): {1: 0, 2: 1 / 3, 3: 1},
    (PASS, BET): {1: 0, 2: 2 / 3, 3: 1},
}


def expected_return(state, history=()):
    """What seat 0 gets when both seats play the equilibrium."""
    if state["seat"] == OVER:
        return float(GAME.returns(as_batch(state))[0, 0])
    if state["seat"] == CHANCE:
        outcomes = GAME.chance_outcomes(state)
        return sum(p * expected_return(GAME.after(state, card)) for card, p in outcomes)
    bets = EQUILIBRIUM[history][int(state["card"][int(state["seat"])])]
    return sum(
        p * expected_return(GAME.after(state, move), (*history, move))
        for move, p in ((PASS, 1 - bets), (BET, bets))
        if p > 0
    )


def dealt(first, second):
    return GAME.after(GAME.after(GAME.new_state(0), first), second)


@pytest.mark.parametrize("ranks", [3, 8])
def test_conforms(ranks):
    check_game(load_game(f"cards?ranks={ranks}"), games=20)


def test_the_equilibrium_has_the_published_value():
    # -1/18 of a stake; returns are halved to fit [-1, 1].
    assert expected_return(GAME.new_state(0)) == pytest.approx(-1 / 36, abs=1e-6)


@pytest.mark.parametrize(
    ("moves", "result"),
    [
        ((PASS, PASS), 0.5),
        ((BET, PASS), 0.5),
        ((BET, BET), 1.0),
        ((PASS, BET, PASS), -0.5),
        ((PASS, BET, BET), 1.0),
    ],
)
def test_every_way_to_end(moves, result):
    state = dealt(3, 2)
    for move in moves:
        assert state["seat"] >= 0
        state = GAME.after(state, move)
    assert state["seat"] == OVER
    assert GAME.returns(as_batch(state))[0].tolist() == [result, -result]


@pytest.mark.parametrize("seat", [0, 1])
def test_hide_draws_the_other_card_evenly_whatever_it_was(seat):
    seeds = derive_seeds(1, count=4000)
    seats = np.full(4000, seat, np.int8)
    results = []
    for other in (1, 3):
        cards = (2, other) if seat == 0 else (other, 2)
        states = np.repeat(as_batch(dealt(*cards)), 4000)
        results.append(GAME.hidden_from(states, seats, seeds))
    assert results[0].tobytes() == results[1].tobytes()
    assert set(results[0]["card"][:, seat]) == {2}
    drawn = results[0]["card"][:, 1 - seat]
    assert set(drawn) == {1, 3}
    assert abs(np.mean(drawn == 1) - 0.5) < 0.03
