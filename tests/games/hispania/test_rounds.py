"""Rounds and arrivals, invasions, vassals, crowding, changes of nations."""

import numpy as np

from games.hispania.positions import position
from stratagem.core.registry import load_game
from stratagem.games.hispania.board.arrays import CODES, NAMES
from stratagem.games.hispania.rules.arrivals import start_round
from stratagem.games.hispania.rules.turns import end_of_round, submit


def begin(stacks, when, **more):
    """The map after the events and arrivals of a round."""
    there = position(stacks, next(iter(stacks.values())).split()[0], when=when, **more)
    there.s["vp"] = 0
    start_round(there.s)
    return there


def test_entry_fills_the_listed_boxes_and_the_rest_waits():
    there = begin({"Toletum": "VAC INF1"}, 2)
    assert there.stack("Italia") == "ROM L SPE5"  # eight units, five a box
    assert there.stack("Narbonensis") == "ROM CAV1 INF2"
    there = begin({"Toletum": "VAC INF1", "Narbonensis": "VIS INF1"}, 2)
    assert there.stack("Italia") == "ROM L SPE5"
    assert there.s["waiting"].sum() == 3
    there.s["owner"][NAMES.index("Narbonensis")] = -1
    there.s["units"][NAMES.index("Narbonensis")] = 0
    there.s["round"] = 3
    start_round(there.s)
    assert there.stack("Narbonensis") != "" and there.s["waiting"].sum() == 3 + 6 - 5


def test_entry_may_use_an_own_or_neutral_coast():
    there = begin({"Toletum": "VAC INF1"}, 2)
    assert there.stack("Carthago_Nova") == "CAR L SPE1 CAV1 INF2"
    there = begin({"Carthago_Nova": "IBE INF1"}, 2)
    assert there.stack("Gades") == "CAR L SPE1 CAV1 INF2"


def test_home_goes_to_listed_regions_then_any_then_is_lost():
    there = begin({"Ilerda": "IBE INF1"}, 2)
    assert there.stack("Ilerda") == "IBE L INF2"
    there = begin({"Cauca": "IBE INF1"}, 2)
    assert there.stack("Cauca") == "IBE L INF2"
    there = begin({"Ilerda": "IBE INF3"}, 2)
    assert there.stack("Ilerda") == "IBE L INF4"  # the leader makes room


def test_home_brings_nothing_to_an_extinct_nation():
    there = begin({"Toletum": "VAC INF1"}, 2)
    assert not (there.s["owner"] == CODES.index("IBE")).any()


def test_settle_takes_the_first_free_region():
    there = begin({"Bracara": "GAL INF1"}, 10)
    assert there.stack("Bracara") == "GAL INF1"
    assert there.stack("Lucus").startswith("SUE L")


def test_settle_expels_the_weakest_defenders():
    stacks = {"Bracara": "GAL INF3", "Lucus": "GAL INF2", "Brigantium": "GAL INF2",
              "Asturica": "CAN INF1", "Gigia": "CAN INF1"}  # fmt: skip
    there = begin(stacks, 10)
    assert there.stack("Asturica") == "SUE L CAV2 INF2"
    assert there.stack("Gigia") == "CAN INF2"
    assert there.s["waiting"].sum() == 0  # the rest is lost


def test_settle_does_not_expel_allies():
    stacks = {"Iacetania": "VAS INF1", "Osca": "VAS INF1", "Ceretania": "UMA INF2"}
    there = begin(stacks, 19)
    assert there.stack("Iacetania") == "VAS INF1"
    assert there.stack("Ceretania") == "ARA L SPE1 INF2"


def test_revolt_ends_vassalage_and_major_invasion_marks():
    there = begin({"Ilerda": "IBE INF1"}, 2, vassals={"IBE": "ROM"})
    assert there.s["overlord"][CODES.index("IBE")] == -1
    assert int(there.s["major"]) >> CODES.index("ROM") & 1


def test_arrivals_never_exceed_the_box():
    stacks = {"Ilerda": "IBE INF2", "Osca": "IBE INF3", "Tarraco": "IBE INF3"}
    there = begin(stacks, 2)
    total = there.s["units"][there.s["owner"] == CODES.index("IBE"), 0].sum()
    assert total == 8


def test_a_nation_leaves():
    there = begin({"Gades": "CAR INF2", "Toletum": "VAC INF1"}, 5, vassals={"VAC": "CAR"})
    assert there.stack("Gades") == ""
    assert there.s["overlord"][CODES.index("VAC")] == -1


def test_transform_cities_and_rich_regions_first_within_the_box():
    romans = [
        "Toletum",
        "Corduba",
        "Hispalis",
        "Norba",
        "Tarraco",
        "Saguntum",
        "Olisipo",
        "Gades",
        "Pallantia",
    ]
    romans += ["Emerita", "Cauca", "Lucus"]
    stacks = dict.fromkeys(romans, "ROM INF1")
    there = begin(stacks, 10, structures={"Corduba": "city", "Norba": "fort"})
    assert there.stack("Corduba") == "HIR INF2"
    total = there.s["units"][there.s["owner"] == CODES.index("HIR"), 0].sum()
    assert total == 12  # the whole box
    assert there.stack("Norba") == ""  # poor regions come last
    assert there.structure("Norba") == "none"  # forts go
    assert there.vp("ROM") == 0


def test_transform_with_too_few_units_costs_points():
    there = begin({"Toletum": "ROM INF3", "Cauca": "ROM INF1"}, 10)
    assert there.vp("ROM") == -(8 - 2)


def test_transform_only_below_a_number_of_regions():
    three = {"Bracara": "GAL INF1", "Lucus": "GAL INF1", "Brigantium": "GAL INF1"}
    assert begin(three, 11).stack("Bracara").startswith("GAL")
    two = {"Bracara": "GAL INF1", "Lucus": "GAL INF2"}
    assert begin(two, 11).stack("Bracara").startswith("SUE")


def test_transform_of_listed_regions_comes_before_the_rest():
    there = begin({"Barcino": "VIS INF2", "Toletum": "VIS INF2", "Aquitania": "VIS INF1"}, 17)
    assert there.stack("Barcino").startswith("FRA")
    assert there.stack("Toletum").startswith("UMA")
    assert not there.stack("Aquitania").startswith("VIS")


def test_growth_half_is_announced():
    there = begin({"Corduba": "UMA INF1"}, 20)
    assert int(there.s["halved"]) >> CODES.index("UMA") & 1


def test_leaders_stay_to_the_end_of_their_round():
    game = load_game("hispania/duel8")
    state = game.new_states(np.array([1], np.uint64))
    assert state["leader"].sum() > 0  # Hamilcar, to the end of round 2
    end_of_round(state[0])
    assert state["leader"].sum() > 0
    state["round"] = 2
    end_of_round(state[0])
    assert state["leader"].sum() == 0


def test_a_major_invasion_moves_and_fights_twice():
    there = position({"Toletum": "VAC INF1"}, "VAC", major=True)
    there.move("Toletum", "Complutum")
    assert there.s["second"] == 1 and there.s["nation"] == CODES.index("VAC")
    there.move("Complutum", "Segontia")
    assert there.s["nation"] != CODES.index("VAC")


def test_a_new_turn_begins_without_moved_pieces():
    there = position({"Toletum": "VAC INF2", "Gades": "CAR INF1"}, "VAC")
    there.move("Toletum", "Complutum", "INF").play("stop")
    assert there.s["moved"].sum() == 0


def submitted(regions=1, leader="", **more):
    stacks = dict.fromkeys(("Corduba", "Castulo", "Malaca", "Iliberris")[:regions], "TUR INF1")
    stacks["Corduba"] += leader
    there = position({**stacks, "Gades": "ROM INF1"}, "ROM", **more)
    there.s["beaten"] = 1 << CODES.index("TUR")
    submit(there.s, CODES.index("ROM"))
    return int(there.s["overlord"][CODES.index("TUR")]) == CODES.index("ROM")


def test_submission_conditions():
    assert submitted(1) and submitted(3)
    assert not submitted(4)  # Turdetani submit at three regions
    assert not submitted(1, " L")
    there = position({"Corduba": "TUR INF1", "Gades": "ROM INF1"}, "ROM")
    submit(there.s, CODES.index("ROM"))
    assert there.s["overlord"][CODES.index("TUR")] == -1  # lost nothing this turn


def test_losing_a_region_makes_a_vassal_by_itself():
    stacks = {"Hispalis": "ROM L INF3", "Corduba": "TUR INF1", "Castulo": "TUR INF1"}
    there = position(stacks, "ROM").move("Hispalis", "Corduba", "leader+3 INF")
    there.dice(5, 5, 5, 1)
    assert there.s["overlord"][CODES.index("TUR")] == CODES.index("ROM")


def test_lord_and_vassal_do_not_attack_each_other():
    stacks = {"Hispalis": "ROM INF3", "Corduba": "TUR INF1"}
    there = position(stacks, "ROM", vassals={"TUR": "ROM"}).play("from Hispalis", "with INF")
    assert "to Corduba" not in there.options()


def test_vassals_of_a_weak_overlord_are_free():
    four = dict.fromkeys(("Hispalis", "Gades", "Malaca", "Emerita"), "ROM INF1")
    there = position({**four, "Corduba": "TUR INF1"}, "ROM", vassals={"TUR": "ROM"})
    end_of_round(there.s)
    assert there.s["overlord"][CODES.index("TUR")] == CODES.index("ROM")
    there.s["units"][NAMES.index("Gades")] = 0
    there.s["owner"][NAMES.index("Gades")] = -1
    end_of_round(there.s)
    assert there.s["overlord"][CODES.index("TUR")] == -1


def test_overpopulation_removes_units_of_the_owners_choice():
    there = position({"Toletum": "VAC CAV1 INF2", "Gades": "CAR INF1"}, "VAC", "overpopulation")
    assert there.options() == {"remove INF in Toletum", "remove CAV in Toletum"}
    there.play("remove CAV in Toletum")
    assert there.stack("Toletum") == "VAC INF2" and there.s["nation"] != CODES.index("VAC")


def test_leaders_and_off_map_units_are_outside_the_count():
    stacks = {"Toletum": "ROM L INF2", "Italia": "ROM INF5", "Gades": "CAR INF1"}
    there = position(stacks, "ROM", "overpopulation", when=3)
    assert there.s["nation"] != CODES.index("ROM")  # two units on one region: nothing goes
    stacks["Toletum"] = "ROM L INF3"
    there = position(stacks, "ROM", "overpopulation", when=3)
    assert there.options() == {"remove INF in Toletum"}  # the box offers nothing


def test_nations_take_turns_in_their_order_and_skip_the_absent():
    game = load_game("hispania/full55")
    state = game.new_states(np.array([1], np.uint64))
    generator = np.random.default_rng(1)
    order = []
    while state["round"][0] == 1:
        nation = int(state["nation"][0])
        if not order or order[-1] != nation:
            order.append(nation)
        legal = game.legal_actions(state[0]) if state["seat"][0] >= 0 else list(range(6))
        game.kernels.step(state, np.array([generator.choice(legal)], np.int32))
    assert order == sorted(order) and CODES.index("ROM") not in order
