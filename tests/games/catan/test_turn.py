"""Set-up, production, robber, discards, building and trading: a test per rule (spec 1.3, 1.4)."""

import numpy as np
import pytest

from games.catan.island import NEIGHBOURS, TILE_PLACES
from games.catan.positions import build, give, hand, in_play, legal, play, roll, terrain
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import derive_seeds
from stratagem.games.catan import position
from stratagem.games.catan.board import HARBOUR_PLACES
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
    state["terrain"][0, 0] = position.WOOD
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
    state["bank"][0, position.ORE] = left
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
    state["terrain"][0, 0] = position.WOOD
    find_sites(state[0])
    build(state, 0, settle=[18, 0])
    build(state, 1, settle=[29])
    state["bank"][0, position.ORE] = 1
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
    assert s["seat"] == 0 and s["phase"] == position.MOVE_ROBBER


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
    assert state["seat"][0] == 0 and state["phase"][0] == position.BUILD


def test_nothing_to_steal_from_empty_hands_or_empty_tiles():
    game, state = in_play()
    build(state, 1, settle=[18])
    give(state, 0, wood=1)
    build(state, 0, settle=[29])
    state["robber"] = 0
    roll(game, state, 7)
    play(game, state, "robber T9")  # the opponent has no card, own cards are not stolen
    assert state["seat"][0] == 0 and state["phase"][0] == position.BUILD
    give(state, 1, wood=1)
    roll(game, state, 7)
    play(game, state, "robber T18")
    assert state["phase"][0] == position.BUILD


def test_victim_is_chosen_among_several():
    game, state = in_play(FOUR, seat=2)
    for seat, place in ((0, 18), (1, 29), (2, 30)):
        build(state, seat, settle=[place])
        give(state, seat, wood=2)
    build(state, 3, settle=[16])
    state["robber"] = 0
    roll(game, state, 7)
    play(game, state, "robber T9")
    assert legal(game, state) == {"steal from 0", "steal from 1"}
    play(game, state, "steal from 1", "stole wood")
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
        assert state["phase"][0] == position.BUILD  # nobody spared is robbed
        assert state["robber"][0] == desert


# Building


def test_prices_go_to_the_bank():
    game, state = in_play()
    build(state, 0, settle=[12], road="12-17")
    give(state, 0, wood=2, brick=2, sheep=2, wheat=4, ore=4)
    play(game, state, "road 17-23")
    assert hand(state, 0) == {"wood": 1, "brick": 1, "sheep": 2, "wheat": 4, "ore": 4}
    play(game, state, "settle 23")
    assert hand(state, 0) == {"sheep": 1, "wheat": 3, "ore": 4}
    play(game, state, "city 23")
    assert hand(state, 0) == {"sheep": 1, "wheat": 1, "ore": 1}
    play(game, state, "buy card")
    assert hand(state, 0) == {} and state["bank"][0].tolist() == [19] * 5
    assert state["seat"][0] == CHANCE


def test_roads_attach_to_own_pieces_and_stop_at_foreign_buildings():
    game, state = in_play()
    build(state, 0, settle=[12], road="12-17")
    give(state, 0, wood=1, brick=1)
    free = {"road 7-12", "road 8-12", "road 17-22", "road 17-23"}
    assert legal(game, state, "road") == free
    build(state, 1, settle=[17])
    assert legal(game, state, "road") == {"road 7-12", "road 8-12"}


def test_a_road_may_lead_up_to_a_foreign_building():
    game, state = in_play()
    build(state, 0, settle=[12])
    build(state, 1, settle=[22])
    give(state, 0, wood=3, brick=3)
    play(game, state, "road 12-17", "road 17-22")
    assert legal(game, state, "road") == {"road 7-12", "road 8-12", "road 17-23"}


def test_settlements_need_an_own_road_and_distance():
    game, state = in_play()
    build(state, 0, settle=[12], road="12-17 17-23")
    give(state, 0, wood=1, brick=1, sheep=1, wheat=1)
    assert legal(game, state, "settle") == {"settle 23"}
    build(state, 1, settle=[29])
    assert legal(game, state, "settle") == set()


def near(place):
    return NEIGHBOURS[place]


def test_cities_stand_on_own_settlements_and_return_the_piece():
    game, state = in_play()
    build(state, 0, settle=[12], city=[30])
    build(state, 1, settle=[45])
    give(state, 0, wheat=4, ore=6)
    assert legal(game, state, "city") == {"city 12"}
    left = int(state["pieces"][0, 0, position.SETTLEMENT])
    play(game, state, "city 12")
    assert state["pieces"][0, 0, position.SETTLEMENT] == left + 1
    assert legal(game, state, "city") == set()


def test_pieces_run_out():
    game, state = in_play()
    build(state, 0, settle=[12], road="12-17 17-23")
    give(state, 0, wood=5, brick=5, sheep=2, wheat=7, ore=6, roads=1)
    for piece, word in ((0, "road"), (1, "settle"), (2, "city")):
        assert legal(game, state, word)
        state["pieces"][0, 0, piece] = 0
        assert not legal(game, state, word)
    assert not legal(game, state, "free road")


# Maritime trade


def test_rates_four_three_two():
    game, state = in_play()
    give(state, 0, wood=4, ore=3)
    wood = {f"trade 4 wood for {r}" for r in ("brick", "sheep", "wheat", "ore")}
    assert legal(game, state, "trade") == wood
    harbour_at(state, 0, kind=5)
    build(state, 0, settle=[harbour_place(0)])
    texts = legal(game, state, "trade")
    assert "trade 3 wood for ore" in texts and "trade 3 ore for wood" in texts
    harbour_at(state, 1, kind=4)
    build(state, 0, settle=[harbour_place(1)])
    assert "trade 2 ore for wood" in legal(game, state, "trade")
    assert "trade 3 wood for ore" in legal(game, state, "trade")
    play(game, state, "trade 2 ore for sheep")
    assert hand(state, 0) == {"wood": 4, "ore": 1, "sheep": 1}
    assert state["bank"][0, position.ORE] == 18


def harbour_at(state, number, kind):
    state["harbour"][0, number] = kind


def harbour_place(number):
    return int(HARBOUR_PLACES[number, 0])


def test_harbour_order_does_not_matter():
    _, state = in_play()
    harbour_at(state, 0, kind=4)
    harbour_at(state, 1, kind=5)
    build(state, 0, settle=[harbour_place(0), harbour_place(1)])
    assert state["rate"][0, 0].tolist() == [3, 3, 3, 3, 2]
    assert state["rate"][0, 1].tolist() == [4] * 5


def test_bank_must_hold_what_it_sells_and_sells_nothing_for_itself():
    game, state = in_play()
    give(state, 0, wood=4)
    state["bank"][0, position.ORE] = 0
    assert legal(game, state, "trade") == {
        f"trade 4 wood for {r}" for r in ("brick", "sheep", "wheat")
    }


def test_harbour_works_in_the_turn_it_is_reached():
    game, state = in_play()
    place = harbour_place(0)
    harbour_at(state, 0, kind=0)
    side = min(near(place))
    build(state, 0, road=f"{min(place, side)}-{max(place, side)}")
    give(state, 0, wood=3, brick=1, sheep=1, wheat=1)
    assert not legal(game, state, "trade")
    play(game, state, f"settle {place}")
    assert "trade 2 wood for ore" in legal(game, state, "trade")


# Turns


def test_nothing_but_cards_before_the_roll():
    game, state = in_play(rolled=False)
    assert state["seat"][0] == CHANCE  # nothing to decide: the dice fall
    game, state = in_play()
    give(state, 0, wood=5, brick=5, ore=5)
    give(state, 1, knight=1, wood=5, brick=5)
    play(game, state, "end turn")
    assert state["seat"][0] == 1
    assert legal(game, state) == {"roll"} | legal(game, state, "knight")
    assert play(game, state, "roll")["seat"] == CHANCE


def test_turns_go_round_and_the_limit_ends_the_game():
    game, state = in_play("catan/official?players=3&turn_limit=4")
    order = []
    while state["seat"][0] != OVER:
        order.append(int(state["seat"][0]))
        play(game, state, "end turn")
        if state["seat"][0] == CHANCE:
            play(game, state, "rolled 2")
    assert order == [0, 1, 2, 0]
    assert game.returns(state)[0].tolist() == [0.0, 0.0, 0.0]


def test_trade_between_players_does_not_exist():
    groups = {group.name for group in game_groups()}
    assert "bank-trade" in groups and not any("offer" in name for name in groups)


def game_groups():
    game = load_game("catan")
    return game.rules.groups(game.scenario)
