"""Whole games: conformance, invariants, anchors, scripted players, golden playthrough."""

from pathlib import Path

import numpy as np
import pytest

from interpreted import assert_interpreted_equals_compiled
from playthrough import playthrough
from stratagem.core.conformance import check_game
from stratagem.core.errors import BadScenario
from stratagem.core.registry import load_game
from stratagem.core.seats import OVER
from stratagem.core.seeding import derive_generator, derive_seeds
from stratagem.games.terra_mystica import state as kinds
from stratagem.games.terra_mystica.board import hexes as board
from stratagem.games.terra_mystica.board.factions import FACTIONS, HOME, STOCK

GOLDEN = Path(__file__).parents[2] / "golden" / "terra_mystica.txt"
SPECS = ["terra_mystica", "terra_mystica/3p", "terra_mystica/2p-random?conversions=explicit"]
SLOW_SPECS = ["terra_mystica/2p-random", "terra_mystica/4p", "terra_mystica/5p?factions=choose"]


@pytest.mark.parametrize("spec", SPECS)
def test_conforms(spec):
    check_game(load_game(spec), games=2)


@pytest.mark.slow
@pytest.mark.parametrize("spec", SLOW_SPECS)
def test_other_scenarios_conform(spec):
    check_game(load_game(spec), games=3)


@pytest.mark.slow
def test_interpreted_equals_compiled():
    specs = ["terra_mystica", "terra_mystica/5p", "terra_mystica/3p?conversions=explicit"]
    assert_interpreted_equals_compiled(specs, (0, 1))


def test_golden_playthrough():
    ours = playthrough(load_game("terra_mystica"), 1)
    assert ours == GOLDEN.read_text(), "renew it with tests/playthrough.py and read the difference"


def test_sizes():
    game = load_game("terra_mystica")
    assert game.actions.size == 2143 == 9 * 13 * 18 + 12 + 20 + 5
    assert load_game("terra_mystica?conversions=explicit").actions.size == 2152
    assert game.rules.dtype.itemsize <= 1500


def check_valid(s):
    """Stocks, cap, bowls, bridges, colours: nothing that cannot lie on a table."""
    players = int(s["players"])
    factions = [int(f) for f in s["faction"][:players]]
    chosen = [int(HOME[f]) for f in factions if f >= 0]
    assert len(set(chosen)) == len(chosen)
    for seat in range(players):
        for name in ("vp", "coins", "workers"):
            assert s[name][seat] >= 0, name
        assert int(s["priests"][seat]) + int(s["priests_out"][seat]) <= 7
        assert sum(int(n) for n in s["bowl"][seat]) <= 12
        assert all(int(n) <= 10 for n in s["cult"][seat])
        assert all(int(s["count"][seat, b]) <= STOCK[b] for b in range(1, 6))
        own = [h for h in range(board.LAND) if s["owner"][h] == seat]
        assert len(own) == int(s["sites"][seat]) == sum(int(n) for n in s["count"][seat, 1:])
        assert {int(h) for h in s["site"][seat, : len(own)]} == set(own)
        assert all(s["terrain"][h] == HOME[factions[seat]] for h in own)
        bridges = int(np.sum(s["bridge"] == seat))
        assert bridges == int(s["bridges"][seat]) <= 3
        towns = sum(int(n) for n in s["towns"][seat])
        tops = sum(int(n) == 10 for n in s["cult"][seat])
        assert int(s["keys"][seat]) == towns - tops
        assert int(s["priests_out"][seat]) == int(np.sum(s["spot"] == seat))
        assert bin(int(s["favours"][seat])).count("1") <= 12
    for cult in range(4):
        assert sum(int(s["cult"][seat, cult]) == 10 for seat in range(players)) <= 1
    for land in range(board.LAND):
        inside = int(s["occupied"][land // board.WORD]) >> (land % board.WORD) & 1
        assert bool(inside) == (s["owner"][land] >= 0) == (s["building"][land] > 0)
    held = [int(card) for card in s["bonus"][:players] if card >= 0]
    assert len(set(held)) == len(held)
    in_play = int(np.sum(s["card"] > -2))
    assert in_play == players + 3


@pytest.mark.parametrize("spec", ["terra_mystica/2p-random", "terra_mystica/5p?factions=choose",
                                  "terra_mystica/3p?conversions=explicit"])  # fmt: skip
def test_every_legal_action_leads_to_a_valid_state(spec):
    game = load_game(spec)
    states = game.new_states(derive_seeds(11, "valid", count=6))
    generator = derive_generator(11, "valid moves")
    checked = 0
    while len(states := states[states["seat"] != OVER]):
        ids, counts = game.legal(states)
        row = int(generator.integers(len(states)))
        legal = ids[row, : counts[row]]
        assert len(set(legal.tolist())) == len(legal)
        tried = generator.choice(legal, min(len(legal), 12), replace=False)
        after = np.repeat(states[row : row + 1], len(tried))
        game.kernels.step(after, tried.astype(np.int32))
        for s in after:
            check_valid(s)
            checked += 1
        chosen = [row[generator.integers(n)] for row, n in zip(ids, counts, strict=True)]
        game.kernels.step(states, np.array(chosen, np.int32))
    assert checked > 300


def play(game, names, count, seed):
    """Final states of games between bots, by seat."""
    states = game.new_states(derive_seeds(seed, "games", count=count))
    ply = 0
    while np.any(live := states["seat"] != OVER):
        for seat, name in enumerate(names):
            rows = np.flatnonzero(live & (states["seat"] == seat))
            if len(rows):
                some = states[rows]
                actions = np.empty(len(rows), np.int32)
                seeds = derive_seeds(seed, "moves", ply, seat, count=len(rows))
                game.rules.bot_kernels[name](some, seeds, game.width, actions)
                game.kernels.step(some, actions)
                states[rows] = some
        ply += 1
    return states


def points(states):
    """Mean VP of each faction."""
    found: dict[str, list[int]] = {}
    for s in states:
        for seat in range(int(s["players"])):
            found.setdefault(FACTIONS[int(s["faction"][seat])], []).append(int(s["vp"][seat]))
    return {name: float(np.mean(values)) for name, values in found.items()}


def test_random_movers_score_like_the_anchor():
    """Spec, section 6: random moves score 83.0 and 67.4."""
    mean = points(play(load_game("terra_mystica"), ["random-mover"] * 2, 1000, 5))
    assert abs(mean["halflings"] - 83) <= 2 and abs(mean["engineers"] - 67) <= 2, mean


def test_pass_only_never_acts():
    states = play(load_game("terra_mystica"), ["pass-only"] * 2, 20, 6)
    assert np.all(states["sites"][:, :2] == 2)
    assert np.all(states["terrain"] == board.START_TERRAIN)


def test_scripted_beats_random():
    game = load_game("terra_mystica")
    states = play(game, ["scripted", "random-mover"], 10, 7)
    assert game.returns(states)[:, 0].mean() > 0.7
    both = points(play(game, ["scripted"] * 2, 6, 8))
    assert both["halflings"] > 95 and both["engineers"] > 85, both


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ('factions=["halflings"]', "give 2 names"),
        ('factions=["halflings","cultists"]', "two of one colour"),
        ('factions=["halflings","elves"]', "unknown 'elves'"),
        ("round_tiles=[1,2,3]", "six different numbers"),
        ("round_tiles=[2,3,4,5,6,1]", "1 not in round 5 or 6"),
        ("bonus_cards=[1,2]", "give 5 different numbers"),
        ('start_dwellings=[["A1"],["A2"]]', "halflings place 2"),
        ('start_dwellings=[["A2","E6"],["F6","E7"]]', "A2 is not home terrain"),
        ("start_cards=[1,2]", "name factions and bonus_cards"),
        ("players=6", "less than or equal to 5"),
    ],
)
def test_bad_scenarios(query, reason):
    with pytest.raises(BadScenario, match=reason):
        load_game(f"terra_mystica?{query}")


def test_factions_are_chosen_in_seat_order():
    game = load_game("terra_mystica/3p?factions=choose")
    states = game.new_states(derive_seeds(1, "choose", count=1))
    write = game.rules.notation
    for seat, name in enumerate(("witches", "giants", "nomads")):
        assert states["seat"][0] == seat and states["kind"][0] == kinds.FACTION
        action = write.parse_action(states[0], f"choose {name}")
        game.kernels.step(states, np.array([action], np.int32))
    legal = [write.format_action(states[0], a) for a in game.legal_actions(states[0])]
    assert len(legal) == 11 and all(text.startswith("build") for text in legal)
