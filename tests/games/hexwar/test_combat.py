"""Combats by hand: strengths, terrain on both sides, stacks, several hexes, ties, who is lost.

b3 has the neighbours b2 (N), c3 (NE), c4 (SE), b4 (S), a4 (SW), a3 (NW).
"""

import pytest

from games.hexwar.positions import allowed, army, battle, move


def ground(**letters):
    """A plain map with other terrain on some hexes, e.g. b3="M"."""
    rows = [list("PPPPP") for _ in range(5)]
    for name, letter in letters.items():
        rows[int(name[1:]) - 1][ord(name[0]) - ord("a")] = letter
    return ["".join(row) for row in rows]


def attack(west, east, with_units, **changes):
    """Player 1's units stay, then these attack b3; both armies afterwards."""
    game, state = battle(west, east, **changes)
    for name, letters in west.items():
        for level in range(len(letters)):
            move(game, state, f"stay {name}/{level + 1}")
    move(game, state, "attack b3", *(f"with {unit}" for unit in with_units), "fight b3")
    return army(game, state, 0), army(game, state, 1)


@pytest.mark.parametrize(
    ("terrain", "west", "east"),
    [
        ({}, {}, {}),  # 1 against 1: both lose one
        ({"c3": "F"}, {"c3": "I"}, {}),  # forest doubles the attack
        ({"c3": "S"}, {}, {"b3": "I"}),  # swamp halves it
        ({"c3": "M"}, {}, {}),  # a mountain does nothing for an attacker
        ({"b3": "M"}, {}, {"b3": "I"}),  # it doubles the defence
        ({"b3": "S"}, {}, {}),  # a swamp does nothing for a defender
        ({"b3": "F"}, {}, {}),
        ({"c3": "F", "b3": "M"}, {}, {}),  # 2 against 2
        ({"c3": "S", "b3": "M"}, {}, {"b3": "I"}),
    ],
)
def test_terrain_counts_for_attack_where_the_attacker_stands(terrain, west, east):
    assert attack({"c3": "I"}, {"b3": "I"}, ["c3/1"], map=ground(**terrain)) == (west, east)


def test_the_whole_stack_defends_and_loses_one():
    assert attack({"c3": "I"}, {"b3": "II"}, ["c3/1"]) == ({}, {"b3": "II"})
    west = {"c3": "II", "b2": "I"}
    assert attack(west, {"b3": "II"}, ["c3/1", "c3/2", "b2/1"]) == (west, {"b3": "I"})


def test_a_mountain_counts_for_every_unit_of_a_stack():
    west = {"c3": "II", "b2": "I"}
    units = ["c3/1", "c3/2", "b2/1"]
    left = ({"c3": "I", "b2": "I"}, {"b3": "II"})  # 3 against (1 + 1) * 2
    assert attack(west, {"b3": "II"}, units, map=ground(b3="M")) == left


def test_each_attacker_counts_with_its_own_hex():
    west = {"c3": "I", "b2": "I", "a3": "I", "b4": "I"}
    terrain = ground(c3="F", b2="S", a3="S", b3="M")
    units = ["c3/1", "b2/1", "a3/1", "b4/1"]  # 2 + 0.5 + 0.5 + 1 = 4 against 2 * 2
    left = ({"b2": "I", "a3": "I", "b4": "I"}, {"b3": "I"})  # a tie: the first chosen is lost
    assert attack(west, {"b3": "II"}, units, map=terrain) == left


def test_part_of_a_stack_may_attack():
    left = ({"c3": "I"}, {"b3": "A"})
    assert attack({"c3": "II"}, {"b3": "A"}, ["c3/2"]) == left


def test_six_hexes_with_stacks_of_four_attack_together():
    hexes = ["b2", "c3", "c4", "b4", "a4", "a3"]
    west = dict.fromkeys(hexes, "IIII")
    units = [f"{name}/{level}" for name in hexes for level in (1, 2, 3, 4)]
    got, lost = attack(west, {"b3": "AAAA"}, units, stacking=4, map=ground(b3="M"))
    assert (got, lost) == (west, {"b3": "AAA"})  # 24 against 16


def test_attackers_lose_their_strongest_by_attack_first():
    assert attack({"c3": "IA"}, {"b3": "AA"}, ["c3/1", "c3/2"]) == ({"c3": "I"}, {"b3": "AA"})
    # lance 3/1, wall 1/3: 4 against 6
    left = ({"c3": "W"}, {"b3": "WW"})
    assert attack({"c3": "LW"}, {"b3": "WW"}, ["c3/1", "c3/2"]) == left


def test_defenders_lose_their_strongest_by_defence_first():
    west = {"c3": "LL"}
    assert attack(west, {"b3": "LW"}, ["c3/1", "c3/2"]) == (west, {"b3": "L"})
    assert attack(west, {"b3": "IA"}, ["c3/1", "c3/2"]) == (west, {"b3": "I"})


def test_equal_strength_costs_each_side_its_strongest():
    assert attack({"c3": "IA"}, {"b3": "IA"}, ["c3/1", "c3/2"]) == ({"c3": "I"}, {"b3": "I"})


def test_of_equal_attackers_the_first_chosen_is_lost():
    for chosen, left in ((["b2/1", "c3/1"], {"c3": "I"}), (["c3/1", "b2/1"], {"b2": "I"})):
        assert attack({"c3": "I", "b2": "I"}, {"b3": "AA"}, chosen)[0] == left


def test_of_equal_defenders_the_lowest_is_lost():
    game, state = battle({"c3": "AA"}, {"b3": "II"})
    s = move(
        game, state, "stay c3/1", "stay c3/2", "attack b3", "with c3/1", "with c3/2", "fight b3"
    )
    assert s["status"][32:34].tolist() == [5, 1]
    assert s["stack"][2 * 5 + 1] == 34  # the other one has sunk to the bottom


def test_a_target_cannot_be_cancelled_and_needs_an_attacker():
    game, state = battle(
        {"c3": "II"},
        {"b3": "I", "d3": "I"},
    )
    move(game, state, "stay c3/1", "stay c3/2", "attack b3")
    assert allowed(game, state) == {"with c3/1", "with c3/2"}
    move(game, state, "with c3/2")
    assert allowed(game, state) == {"with c3/1", "fight b3"}


def test_only_units_beside_the_target_can_join():
    game, state = battle({"c3": "I", "c2": "I"}, {"b3": "I", "d2": "I"})
    move(game, state, "stay c3/1", "stay c2/1")
    assert allowed(game, state) == {"attack b3", "attack d2", "hold c3/1", "hold c2/1"}
    move(game, state, "attack b3")
    assert allowed(game, state) == {"with c3/1"}


def test_a_unit_attacks_once_but_a_hex_may_be_attacked_again():
    game, state = battle({"c3": "A", "b2": "A", "a3": "I"}, {"b3": "II"})
    move(game, state, "stay c3/1", "stay b2/1", "stay a3/1")
    move(game, state, "attack b3", "with c3/1", "with a3/1", "fight b3")
    assert army(game, state, 1) == {"b3": "I"}
    assert allowed(game, state) == {"attack b3", "hold b2/1"}
    move(game, state, "attack b3", "with b2/1", "fight b3")
    assert army(game, state, 1) == {}
    assert army(game, state, 0) == {"c3": "A", "b2": "A", "a3": "I"}  # nobody advances


def test_who_has_lost_its_enemy_still_says_hold():
    game, state = battle({"c3": "AI"}, {"b3": "I"}, turns=1)
    move(game, state, "stay c3/1", "stay c3/2", "attack b3", "with c3/1", "fight b3")
    assert allowed(game, state) == {"hold c3/2"}
    assert move(game, state, "hold c3/2")["seat"] == -2  # nothing left to do for anybody
