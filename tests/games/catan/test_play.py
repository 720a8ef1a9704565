"""Whole games: conformance, dice, invariants, players, the golden game and measures."""

from pathlib import Path

import numpy as np
import pytest

from games.catan.positions import build, give, in_play, play
from interpreted import assert_interpreted_equals_compiled
from playthrough import playthrough
from stratagem.core.conformance import check_game
from stratagem.core.errors import BadRecord
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import derive_seeds
from stratagem.games.catan import state as catan

GOLDEN = Path(__file__).parents[2] / "golden" / "catan.txt"
GOLDEN_SPEC = "catan/colonist1v1?target=4&turn_limit=60"
SPECS = ["catan", "catan/trading", "catan/thesis?turn_limit=300", "catan/official?players=3"]


@pytest.mark.parametrize("spec", SPECS)
def test_conforms(spec):
    check_game(load_game(spec), games=2)


def test_interpreted_equals_compiled():
    specs = ["catan?target=6", "catan/trading?players=3&turn_limit=60&dice=balanced"]
    assert_interpreted_equals_compiled(specs, (1,))


def test_golden_playthrough():
    shown = playthrough(load_game(GOLDEN_SPEC), 19)
    assert shown == GOLDEN.read_text(), "rules changed: renew the golden game if that was meant"


# Dice


def rolls(spec, games=40, wanted=100_000):
    """Totals of many rolls of whole sequences of turns in which nobody does anything."""
    game, state = in_play(spec)
    states = np.repeat(state, games)
    found = []
    while sum(map(len, found)) < wanted:
        states["seat"], states["phase"], states["rolled"] = 0, catan.BUILD, 1
        states["turn"] = 0
        states["hand"] = 0
        game.kernels.step(states, np.full(games, end_turn(game), np.int32))
        assert np.all(states["seat"] == CHANCE)
        drawn = game.draw(states, derive_seeds(len(found), "rolls", count=games))
        game.kernels.step(states, drawn)
        found.append(drawn.copy())
    return np.concatenate(found)[:wanted]


def end_turn(game):
    groups = game.rules.groups(game.scenario)
    return next(group.start for group in groups if group.name == "end-turn")


def test_a_hundred_thousand_fair_rolls():
    found = np.bincount(rolls("catan/official?players=2", games=1000), minlength=13)[2:]
    expected = catan.WAYS / 36 * found.sum()
    chi_square = float(((found - expected) ** 2 / expected).sum())
    assert found.sum() == 100_000
    assert chi_square < 29.6  # 0.1 % of fair dice would exceed this with 10 degrees of freedom


def test_balanced_dice_keep_the_shares_and_avoid_repeats():
    found = rolls("catan", games=1000)
    shares = np.bincount(found, minlength=13)[2:] / len(found)
    assert np.abs(shares - catan.WAYS / 36).max() < 0.02  # sevens suffer most
    by_game = found.reshape(-1, 1000)
    repeats = np.mean(by_game[1:] == by_game[:-1])
    assert repeats < 0.085  # fair dice repeat 11.3 % of the time
    windows = [np.bincount(by_game[k : k + 36, 0], minlength=13)[7] for k in range(0, 72, 36)]
    assert max(windows) <= 11


def test_the_dice_deck_is_drawn_down_and_renewed():
    game, state = in_play("catan?deck_memory=0&deck_streak=0")
    left = []
    for _ in range(30):
        state["seat"], state["phase"], state["rolled"] = 0, catan.BUILD, 1
        state["hand"] = 0
        play(game, state, "end turn")
        outcomes = game.chance_outcomes(state[0])
        deck = state["dice_deck"][0]
        left.append(int(deck.sum()))
        if not state["sevens"].any():
            total = deck.sum()
            for outcome, chance in outcomes:
                assert chance == pytest.approx(deck[outcome - 2] / total, abs=1e-6)
        play(game, state, f"rolled {outcomes[0][0]}")
    assert left == [*range(36, 12, -1), *range(36, 30, -1)]


def test_recent_totals_lose_weight():
    game, state = in_play("catan")
    state["recent"][0, :5] = [8, 6, 8, 2, 2]
    play(game, state, "end turn")
    weights = dict(zip(range(2, 13), catan.WAYS.astype(float), strict=True))
    weights[8] *= 1 - 0.68
    weights[6] *= 1 - 0.34
    weights[2] *= 1 - 0.68
    total = sum(weights.values())
    expected = {number: weight / total for number, weight in weights.items()}
    assert dict(game.chance_outcomes(state[0])) == pytest.approx(expected)


def test_sevens_swing_to_the_other_seat():
    game, state = in_play("catan")
    state["streak_seat"], state["streak"] = 1, 1
    state["sevens"][0, :2] = [0, 1]
    chances = {}
    for seat in range(2):
        other = state.copy()
        other["seat"] = other["turn_seat"] = 1 - seat
        play(game, other, "end turn")
        chances[seat] = dict(game.chance_outcomes(other[0]))[7]
    assert chances[0] == pytest.approx(6 * 1.4 / (30 + 6 * 1.4))
    assert chances[1] == pytest.approx(6 * 0.6 / (30 + 6 * 0.6))
    state["sevens"][0, :2] = [1, 2]  # three sevens, seat 1 rolled two of them: 4/3 of its share
    state["turn_seat"] = state["seat"] = 0
    play(game, state, "end turn")
    weight = 6 * (1 + (1 - 4 / 3) - 0.4)
    assert dict(game.chance_outcomes(state[0]))[7] == pytest.approx(weight / (30 + weight))


# Invariants


@pytest.mark.parametrize("spec", ["catan", "catan/official"])
def test_cards_and_pieces_are_conserved(spec):
    game = load_game(spec)
    states = game.new_states(derive_seeds(6, "invariants", count=60))
    players = game.num_seats
    generator = np.random.default_rng(1)
    for ply in range(700):
        states = states[states["seat"] != OVER]
        drawn = game.draw(states, derive_seeds(ply, "draw", count=len(states)))
        ids, counts = game.legal(states)
        picks = (generator.random(len(states)) * np.maximum(counts, 1)).astype(np.int64)
        moves = ids[np.arange(len(states)), picks]
        before = states.copy()
        game.kernels.step(states, np.where(states["seat"] == CHANCE, drawn, moves))
        assert np.all(states["bank"] + states["hand"].sum(axis=1) == 19)
        cards = states["deck"] + states["cards"].sum(axis=1) + states["played"].sum(axis=1)
        assert np.all(cards == catan.DECK)
        for seat in range(players):
            on_board = [
                (states["road"] == seat + 1).sum(axis=1),
                (states["place"] == seat + 1).sum(axis=1),
                (states["place"] == seat + 5).sum(axis=1),
            ]
            used = np.stack(on_board, axis=1) + states["pieces"][:, seat]
            assert np.all(used == catan.PIECES)
        assert np.all(states["turn"] >= before["turn"])
        assert np.array_equal(states["terrain"], before["terrain"])


# Players


def wins(game, first, second, games):
    """Share of games that `first` wins against `second`, each board with both seats."""
    won = 0
    for seat in range(2):
        states = game.new_states(derive_seeds(8, "boards", count=games // 2))
        for ply in range(6000):
            going = np.flatnonzero(states["seat"] != OVER)
            if not len(going):
                break
            now = states[going]
            seeds = derive_seeds(8, "moves", ply, count=len(going))
            actions = game.draw(now, seeds)
            for name, mine in ((first, seat), (second, 1 - seat)):
                rows = np.flatnonzero(now["seat"] == mine)
                chosen = np.empty(len(rows), np.int32)
                if name == "random":
                    ids, counts = game.legal(now[rows])
                    picks = seeds[rows] % np.maximum(counts, 1).astype(np.uint64)
                    chosen[:] = ids[np.arange(len(rows)), picks]
                else:
                    game.rules.bot_kernels[name](now[rows], seeds[rows], game.width, chosen)
                actions[rows] = chosen
            game.kernels.step(now, actions)
            states[going] = now
        won += int((states["winner"] == seat).sum())
    return won / games


def test_players_are_ranked():
    game = load_game("catan")
    assert wins(game, "weighted-random", "random", 300) > 0.52
    assert wins(game, "greedy", "random", 300) > 0.5
    assert wins(game, "scripted", "random", 40) == 1.0
    assert wins(game, "scripted", "weighted-random", 40) > 0.97
    assert wins(game, "scripted", "greedy", 40) > 0.97


def test_hierarchical_random_chooses_kinds_evenly():
    game, state = in_play("catan")
    build(state, 0, settle=[12], road="12-17")
    give(state, 0, wood=1, brick=1)
    seeds = derive_seeds(1, "kinds", count=4000)
    chosen = np.empty(4000, np.int32)
    game.rules.bot_kernels["hierarchical-random"](np.repeat(state, 4000), seeds, game.width, chosen)
    assert np.mean(chosen == end_turn(game)) == pytest.approx(0.5, abs=0.03)  # roads or end
    assert len(set(chosen.tolist())) == 5


def chosen_by(game, state, name):
    out = np.empty(1, np.int32)
    game.rules.bot_kernels[name](state, derive_seeds(1, "bot", count=1), game.width, out)
    return game.rules.notation.format_action(state[0], int(out[0]))


def test_scripted_takes_what_wins_and_what_pays():
    game, state = in_play("catan")
    build(state, 0, settle=[12], road="12-17")
    build(state, 1, settle=[30], road="30-35")
    give(state, 0, wheat=2, ore=3)
    for name in ("scripted", "greedy", "weighted-random"):
        assert chosen_by(game, state, name) == "city 12"


# People


def test_measures():
    game = load_game("catan/thesis")
    states = game.new_states(derive_seeds(1, "measures", count=5))
    states["turn"] = [0, 119, 120, 240, 250]
    states["pieces"][:, 0, 1] = [5, 4, 3, 2, 1]
    found = game.rules.measures(states, [])
    assert found["turns"] == 250
    assert found["seat0/points_at_120_all"] == 2 and found["seat0/points_at_120_each"] == 3
    assert found["seat0/points"] == 4 and found["seat1/points"] == 0


@pytest.mark.parametrize("text", ["", "settle 54", "road 0-9", "knight T19", "steal from 3", "x"])
def test_wrong_moves_are_refused(text):
    game, state = in_play("catan")
    with pytest.raises(BadRecord, match="write e"):
        game.rules.notation.parse_action(state[0], text)
