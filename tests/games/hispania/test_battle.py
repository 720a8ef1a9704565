"""Battle, a test for each sentence. Dice fall for the attacker first: INF, CAV, special."""

import pytest

from games.hispania.positions import position
from stratagem.core.seats import CHANCE


def attack(group="", attackers="VAC INF1", defenders="CEL INF1", site="Complutum", **more):
    """A position in which the dice of the first battle round are about to fall."""
    nation = attackers.split()[0]
    there = position({"Toletum": attackers, site: defenders}, nation, **more)
    return there.move("Toletum", site, group).play("stop") if group else there.move("Toletum", site)


def test_one_die_for_each_unit_and_none_for_leaders():
    there = attack("leader+INF", "ROM L INF2", "VAC INF2")
    there.dice(2, 2, 2)
    assert there.s["seat"] != CHANCE  # three dice, then the question of retreat


def test_a_hit_needs_the_unit_factor():
    assert attack().dice(5, 4).stack("Complutum") == "VAC INF1"  # infantry hits with 5
    there = attack().dice(4, 4)
    assert there.stack("Complutum") == "CEL INF1" and there.s["site"] >= 0
    there = attack("", "VAC CAV1").dice(4, 4)
    assert there.stack("Complutum") == "VAC CAV1"  # cavalry attacks with 4


def test_both_sides_roll_at_the_same_time():
    there = attack().dice(5, 5)
    assert there.stack("Complutum") == "" and there.stack("Toletum") == ""


def test_natural_one_misses_and_natural_six_hits():
    # Difficult terrain costs the attacker one: a natural 6 still hits, a 5 does not.
    there = attack("", "VAC INF1", "CEL INF1", "Segobriga")
    there.dice(6, 1)
    assert there.stack("Segobriga") == "VAC INF1"
    there = attack("", "VAC INF1", "CEL INF1", "Segobriga").dice(5, 1)
    assert there.stack("Segobriga") == "CEL INF1"


def test_a_leader_adds_one():
    there = attack("leader+INF", "ROM L INF2", "VAC INF1").dice(4, 1)
    assert there.stack("Complutum") == "ROM L INF1"
    there = attack("", "VAC INF1", "ROM L INF1").dice(1, 4)
    assert there.stack("Complutum") == "ROM L INF1"


@pytest.mark.parametrize("structure", ["fort", "castle"])
def test_forts_and_castles_cost_the_attacker_one_in_every_round(structure):
    there = attack(structures={"Complutum": structure}).dice(5, 1)
    assert there.stack("Complutum") == "CEL INF1"
    while there.s["seat"] != CHANCE:
        there.play("fight on")
    assert there.dice(5, 1).stack("Complutum") == "CEL INF1"


def test_a_city_costs_one_in_the_first_round_only():
    there = attack(structures={"Complutum": "city"}).dice(5, 1)
    assert there.stack("Complutum") == "CEL INF1"
    while there.s["seat"] != CHANCE:
        there.play("fight on")
    assert there.dice(5, 1).stack("Complutum") == "VAC INF1"


def test_a_crossing_costs_one_in_the_first_round_only():
    there = attack("", "VAC INF1", "CEL INF1", "Laminium").dice(5, 1)  # over the Anas
    assert there.stack("Laminium") == "CEL INF1"
    while there.s["seat"] != CHANCE:
        there.play("fight on")
    assert there.dice(5, 1).stack("Laminium") == "VAC INF1"


def test_half_across_the_water_is_not_more_than_half():
    stacks = {"Toletum": "VAC INF1", "Castulo": "VAC INF1", "Laminium": "CEL INF1"}
    there = position(stacks, "VAC").move("Toletum", "Laminium").move("Castulo", "Laminium")
    assert there.dice(5, 1, 1).stack("Laminium") == "VAC INF2"


def test_minimum_die():
    # A legion dies only by a hit of 6; a hit of 5 goes to the auxilia.
    there = attack("", "VAC INF1", "ROM ELI1").dice(5, 1)
    assert there.stack("Complutum") == "ROM SPE1"
    there = attack("", "VAC INF1", "ROM ELI1").dice(6, 1)
    assert there.stack("Complutum") == "VAC INF1"
    there = attack("", "VAC INF1", "ROM ELI1 INF1").dice(5, 1, 1)
    assert there.stack("Complutum") == "ROM SPE1"


def test_a_leaders_bonus_raises_the_value_of_a_hit():
    there = attack("leader+INF", "IBE L INF2", "ROM ELI1").dice(5, 1)  # 5 + 1 = 6
    assert there.stack("Complutum") == "IBE L INF1"


def test_hits_go_first_to_units_with_hit_points_left():
    there = attack("", "VAC INF1", "CAR ELE1 INF1").dice(5, 1, 1)
    assert there.stack("Complutum") == "CAR SPE1 INF1" and there.s["wounded"].tolist() == [0, 1]
    while there.s["seat"] != CHANCE:
        there.play("fight on")
    there.dice(5, 1, 1)
    assert there.stack("Complutum") == "CAR SPE1"  # then the cheapest


def test_survivors_return_to_full_strength():
    there = attack("", "VAC INF1", "CAR ELE1 INF1").dice(5, 5, 1)
    assert there.stack("Complutum") == "CAR SPE1 INF1" and there.s["wounded"].tolist() == [0, 0]


def test_the_cheapest_eligible_unit_dies():
    there = attack("", "VAC INF1", "CEL CAV1 INF1").dice(5, 1, 1)
    assert there.stack("Complutum") == "CEL CAV1"


def test_high_hits_come_first():
    # A 6 is spent on the cheapest unit even though only a 6 could kill the legion.
    stacks = {"Toletum": "VAC INF2", "Complutum": "ROM ELI1 INF1"}
    there = position(stacks, "VAC").move("Toletum", "Complutum", "2 INF")
    assert there.dice(5, 6, 1, 1).stack("Complutum") == "ROM SPE1"


def test_a_leader_without_units_dies():
    there = attack("", "IBE INF1", "ROM L INF1").dice(5, 1)
    assert there.stack("Complutum") == "IBE INF1"
    assert there.vp("IBE") == 1 + 2  # kill ROM and killleader ROM


def test_the_defender_may_retreat_first():
    there = attack().dice(1, 1)
    assert there.s["seat"] == there.s["player"][2]
    ways = {option.removeprefix("retreat to ") for option in there.options()} - {"fight on"}
    assert ways == {"Cauca", "Segontia", "Segobriga"}  # not the attacker's origin, Toletum
    there.play("retreat to Cauca")
    assert there.stack("Cauca") == "CEL INF1" and there.stack("Complutum") == "VAC INF1"


def test_a_retreat_needs_room_and_no_enemy_and_no_pending_battle():
    stacks = {"Toletum": "VAC INF3", "Complutum": "CEL INF1", "Cauca": "CEL INF3",
              "Segontia": "IBE INF1", "Segobriga": "CEL INF1"}  # fmt: skip
    there = position(stacks, "VAC").move("Toletum", "Complutum", "INF")
    there.move("Toletum", "Segobriga", "INF").play("stop", "fight in Complutum").dice(1, 1)
    assert there.s["seat"] == there.s["player"][7]  # nowhere to go: the attacker is asked at once


def test_a_whole_stack_must_fit():
    stacks = {"Toletum": "VAC INF1", "Complutum": "CEL INF3"}
    there = position(stacks, "VAC").move("Toletum", "Complutum").dice(1, 1, 1, 1)
    assert "retreat to Segobriga" not in there.options()  # difficult: two units
    assert "retreat to Cauca" in there.options()


def test_nobody_retreats_across_a_strait():
    stacks = {"Hispalis": "TUR INF1", "Malaca": "UMA INF1"}
    there = position(stacks, "TUR", when=15).move("Hispalis", "Malaca").dice(1, 1)
    assert "retreat to Tingitana" not in there.options()


def test_then_the_attacker_may_retreat_to_its_origin():
    there = attack().dice(1, 1).play("fight on")
    assert there.options() == {"fight on", "retreat to Toletum"}
    there.play("retreat to Toletum")
    assert there.stack("Toletum") == "VAC INF1" and there.stack("Complutum") == "CEL INF1"


def test_the_attacker_needs_room_at_every_origin():
    stacks = {"Toletum": "VAC INF3", "Cauca": "VAC INF3", "Complutum": "CEL INF1"}
    there = position(stacks, "VAC").move("Toletum", "Complutum", "INF")
    there.move("Cauca", "Toletum", "INF").play("stop").dice(1, 1).play("fight on")
    assert there.s["seat"] == CHANCE  # Toletum is full again: another round


def test_a_captured_fort_is_destroyed_castle_and_city_stay():
    for structure, left in (("fort", "none"), ("castle", "castle"), ("city", "city")):
        there = attack(structures={"Complutum": structure}).dice(6, 1)
        assert there.structure("Complutum") == left


def test_at_most_thirty_rounds():
    there = attack()
    for _ in range(30):
        while there.s["seat"] != CHANCE:
            there.play("fight on")
        there.dice(1, 1)
        if "fight on" in there.options() and there.s["battle_round"] == 30:
            there.play("fight on")
    assert there.stack("Toletum") == "VAC INF1" and there.stack("Complutum") == "CEL INF1"


def test_the_active_nation_picks_the_order():
    stacks = {"Toletum": "VAC INF2", "Complutum": "CEL INF1", "Segobriga": "CEL INF1"}
    there = position(stacks, "VAC").move("Toletum", "Complutum", "INF").move("Toletum", "Segobriga")
    assert there.options() == {"fight in Complutum", "fight in Segobriga"}


def test_losing_attackers_and_their_leader_are_gone():
    there = attack("leader+INF", "ROM L INF2", "IBE INF1").dice(1, 5)
    assert there.stack("Complutum") == "IBE INF1" and there.stack("Toletum") == "ROM INF1"
    assert there.vp("IBE") == 3
