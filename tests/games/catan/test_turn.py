"""Set-up, production, discards and the robber: a test per rule."""

import numpy as np
import pytest

from games.catan.island import TILE_PLACES
from games.catan.positions import build, give, hand, in_play, legal, play, roll, terrain
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE
from stratagem.core.seeding import derive_seeds
from stratagem.games.catan import state as catan
from stratagem.games.catan.setup import find_sites

FOUR = "catan/official"


def new(spec, seed=1):
    game = load_game(spec)
    return game, game.new_states(derive_seeds(seed, "turn", count=1))


# Set-up


@pytest.mark.parametrize("players", [2, 3, 4])
def test_setup_goes_forth_and_back(players):
    game, state = new(f"catan/official?players={players}")
    order = []
    while state["placed"][0] < 2 * players:
        order.append(int(state["seat"][0]))
        play(game, state, min(legal(game, state)))
        assert int(state["seat"][0]) == order[-1]  # the road belongs to the same turn
        play(game, state, min(legal(game, state)))
    assert order == [*range(players), *reversed(range(players))]
    assert state["seat"][0] == CHANCE and state["turn_seat"][0] == 0  # the first player rolls


def test_first_road_touches_that_settlement_and_distance_counts():
    game, state = new("catan")
    assert len(legal(game, state)) == 54
    play(game, state, "settle 12")
    assert legal(game, state) == {"road 7-12", "road 8-12", "road 12-17"}
    play(game, state, "road 12-17")
    assert legal(game, state) == {f"settle {p}" for p in range(54) if p not in (12, 7, 8, 17)}
    play(game, state, "settle 30", "road 30-35", "settle 0")
    assert legal(game, state) == {"road 0-3", "road 0-4"}


def test_second_settlement_pays_a_card_per_tile():
    game, state = new("catan")
    for tile, kind in ((0, "wood"), (3, "wood"), (4, "desert")):
        terrain(state, tile, kind, 4 + tile)
    play(game, state, "settle 23", "road 17-23", "settle 45", "road 45-49")
    assert hand(state, 0) == hand(state, 1) == {}  # the first earns nothing
    play(game, state, "settle 42", "road 37-42", "settle 12")
    assert hand(state, 0) == {"wood": 2}  # once per tile of a kind, nothing from the desert


# Production


def test_settlement_earns_one_city_two_per_tile():
    game, state = in_play()
    terrain(state, 9, "ore", 6)
    build(state, 0, settle=[18], city=[30])
    build(state, 1, settle=[29])
    roll(game, state, 6)
    assert hand(state, 0) == {"ore": 3} and hand(state, 1) == {"ore": 1}
    assert state["bank"][0].tolist() == [19, 19, 19, 19, 15]


def test_two_tiles_of_one_number_both_pay():
    game, state = in_play()
    terrain(state, 9, "ore", 6)
    state["token"][0, 0] = 6
    state["terrain"][0, 0] = catan.WOOD
    find_sites(state[0])
    build(state, 0, settle=[18, 0])
    roll(game, state, 6)
    assert hand(state, 0) == {"wood": 1, "ore": 1}


def test_robber_stops_a_tile():
    game, state = in_play()
    terrain(state, 9, "ore", 6)
    build(state, 0, settle=[18])
    state["robber"] = 9
    roll(game, state, 6)
    assert hand(state, 0) == {}


def shortage(spec, mine, theirs, left):
    """The bank holds `left` ore; seat 0 has `mine` cities at the tile, seat 1 `theirs`."""
    game, state = in_play(spec)
    terrain(state, 9, "ore", 6)
    build(state, 0, city=[18, 30][:mine])
    build(state, 1, city=[29][:theirs])
    state["bank"][0, catan.ORE] = left
    roll(game, state, 6)
    return hand(state, 0).get("ore", 0), hand(state, 1).get("ore", 0)


def test_short_bank_pays_nobody_unless_there_is_one_claimant():
    assert shortage("catan/official?players=2", 2, 1, 6) == (4, 2)
    assert shortage("catan/official?players=2", 2, 1, 5) == (0, 0)
    assert shortage("catan/official?players=2", 2, 0, 3) == (3, 0)
    assert shortage("catan/official?players=2&bank_rule=nobody", 2, 0, 3) == (0, 0)
    assert shortage("catan/official?players=2&bank_rule=nobody", 2, 0, 4) == (4, 0)


def test_shortage_counts_each_resource_apart():
    game, state = in_play()
    terrain(state, 9, "ore", 6)
    state["token"][0, 0] = 6
    state["terrain"][0, 0] = catan.WOOD
    find_sites(state[0])
    build(state, 0, settle=[18, 0])
    build(state, 1, settle=[29])
    state["bank"][0, catan.ORE] = 1
    roll(game, state, 6)
    assert hand(state, 0) == {"wood": 1} and hand(state, 1) == {}


# A seven


@pytest.mark.parametrize(
    ("spec", "size", "lost"),
    [
        (FOUR, 7, 0), (FOUR, 8, 4), (FOUR, 9, 4),
        ("catan", 9, 0), ("catan", 10, 5), ("catan", 11, 5),
        ("catan/thesis", 6, 0), ("catan/thesis", 7, 4), ("catan/thesis", 8, 4),
    ],
)  # fmt: skip
def test_who_loses_how_many(spec, size, lost):
    game, state = in_play(spec)
    give(state, 1, wood=size)
    s = roll(game, state, 7)
    assert s["owed"][1] == lost
    if lost:
        assert s["seat"] == 1 and legal(game, state) == {"discard wood"}
        play(game, state, *["discard wood"] * lost)
    assert hand(state, 1) == {"wood": size - lost}
    assert s["seat"] == 0 and s["phase"] == catan.MOVE_ROBBER


def test_everybody_discards_by_choice_the_roller_first():
    game, state = in_play("catan/official?players=3", seat=1)
    give(state, 0, wood=8)
    give(state, 1, ore=5, sheep=4)
    give(state, 2, brick=7)
    roll(game, state, 7)
    assert state["seat"][0] == 1 and legal(game, state) == {"discard ore", "discard sheep"}
    play(game, state, "discard ore", "discard sheep", "discard sheep", "discard ore")
    assert hand(state, 1) == {"ore": 3, "sheep": 2}
    assert state["seat"][0] == 0  # seat 2 is safe with seven
    play(game, state, *["discard wood"] * 4)
    assert state["seat"][0] == 1 and legal(game, state) == legal(game, state, "robber")


def test_robber_must_move_and_may_go_to_the_desert():
    game, state = in_play()
    roll(game, state, 7)
    start = int(state["robber"][0])
    assert legal(game, state) == {f"robber T{tile}" for tile in range(19) if tile != start}
    state["robber"] = (start + 1) % 19
    assert f"robber T{start}" in legal(game, state)


def test_stealing_takes_one_random_card_of_a_neighbour():
    game, state = in_play()
    build(state, 1, settle=[18])
    give(state, 1, ore=3, wood=1)
    state["robber"] = 0
    roll(game, state, 7)
    play(game, state, "robber T9")
    s = state[0]
    assert s["seat"] == CHANCE
    assert dict(game.chance_outcomes(s)) == pytest.approx({0: 0.25, 4: 0.75})
    play(game, state, "stole ore")
    assert hand(state, 0) == {"ore": 1} and hand(state, 1) == {"ore": 2, "wood": 1}
    assert state["seat"][0] == 0 and state["phase"][0] == catan.BUILD


def test_nothing_to_steal_from_empty_hands_or_empty_tiles():
    game, state = in_play()
    build(state, 1, settle=[18])
    give(state, 0, wood=1)
    build(state, 0, settle=[29])
    state["robber"] = 0
    roll(game, state, 7)
    play(game, state, "robber T9")  # the opponent has no card, own cards are not stolen
    assert state["seat"][0] == 0 and state["phase"][0] == catan.BUILD
    give(state, 1, wood=1)
    roll(game, state, 7)
    play(game, state, "robber T18")
    assert state["phase"][0] == catan.BUILD


def test_victim_is_chosen_among_several():
    game, state = in_play(FOUR, seat=2)
    for seat, place in ((0, 18), (1, 29), (2, 30)):
        build(state, seat, settle=[place])
        give(state, seat, wood=2)
    build(state, 3, settle=[16])
    state["robber"] = 0
    roll(game, state, 7)
    play(game, state, "robber T9")
    assert legal(game, state) == {"steal from 1", "steal from 2"}
    play(game, state, "steal from 2", "stole wood")
    assert hand(state, 1) == {"wood": 1} and hand(state, 2) == {"wood": 3}


def test_friendly_robber_spares_players_below_three_visible_points():
    game, state = in_play("catan")
    build(state, 1, settle=[18, 29])
    give(state, 1, point=3)  # hidden points do not count
    state["robber"] = 0
    roll(game, state, 7)
    near = {tile for tile in range(19) if {18, 29} & TILE_PLACES[tile]}
    allowed = {f"robber T{tile}" for tile in range(19) if tile not in near | {0}}
    assert legal(game, state) == allowed
    build(state, 1, settle=[45])
    assert legal(game, state) == {f"robber T{tile}" for tile in range(1, 19)}
    strict, plain = in_play("catan?friendly_robber=0")
    build(plain, 1, settle=[18, 29])
    roll(strict, plain, 7)
    assert len(legal(strict, plain)) == 18


def test_friendly_robber_without_any_tile_goes_to_the_desert():
    game, state = in_play("catan?friendly_robber=20")
    everywhere = [0, 2, 7, 9, 18, 20, 11, 15, 29, 31, 33, 36, 45, 51, 53, 22, 25, 39, 42, 5]
    for place in everywhere:
        if not int(state["closed"][0]) >> place & 1:
            state["pieces"][0, :2, 1] = 5
            build(state, place % 2, settle=[place])
    give(state, 1, wood=1)
    desert = int(np.flatnonzero(state["terrain"][0] == 5)[0])
    for start in (desert, (desert + 1) % 19):
        state["robber"] = start
        roll(game, state, 7)
        assert legal(game, state) == {f"robber T{desert}"}
        play(game, state, f"robber T{desert}")
        assert state["phase"][0] == catan.BUILD  # nobody spared is robbed
        assert state["robber"][0] == desert
