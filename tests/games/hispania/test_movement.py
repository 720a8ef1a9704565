"""Stacking, growth and movement, a test for each sentence."""

import pytest

from games.hispania.positions import position

# --- stacking -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("region", "extra", "limit"),
    [
        ("Toletum", "", 3),  # clear
        ("Numantia", "", 2),  # difficult
        ("Norba", "", 2),  # poor
        ("Toletum", "castle", 4),
        ("Toletum", "city", 4),
        ("Toletum", "fort", 3),
    ],
)
def test_limits_of_regions(region, extra, limit):
    there = position(
        {region: f"ROM INF{limit - 1}"}, "ROM", "growth", pools={"ROM": 30},
        structures={region: extra} if extra else None,
    )  # fmt: skip
    assert f"buy INF in {region}" in there.options()
    there.play(f"buy INF in {region}")
    assert f"buy INF in {region}" not in there.options()


def test_a_leader_raises_the_limit_by_one():
    there = position({"Toletum": "ROM L INF3"}, "ROM", "growth", pools={"ROM": 30})
    there.play("buy INF in Toletum")
    assert "buy INF in Toletum" not in there.options()
    assert there.stack("Toletum") == "ROM L INF4"


def test_a_leader_moving_in_counts_for_the_limit():
    there = position({"Toletum": "ROM INF3", "Complutum": "ROM L INF2"}, "ROM")
    there.play("from Complutum", "with leader+INF")
    assert "to Toletum" in there.options()
    there = position({"Toletum": "ROM INF3", "Complutum": "ROM L INF2"}, "ROM")
    there.play("from Complutum", "with INF")
    assert "to Toletum" not in there.options()


def test_off_map_boxes_hold_five():
    there = position({"Italia": "ROM L INF5", "Narbonensis": "ROM INF1"}, "ROM")
    there.play("from Narbonensis")
    assert "to Italia" not in there.options()


def test_one_leader_of_a_nation_in_a_region():
    there = position({"Toletum": "ROM L INF1", "Complutum": "ROM L INF1"}, "ROM")
    there.play("from Complutum", "with leader+INF")
    assert "to Toletum" not in there.options()


def test_attackers_do_not_count_the_structure():
    stacks = {"Complutum": "ROM INF3", "Cauca": "ROM INF3", "Toletum": "VAC INF1"}
    there = position(stacks, "ROM", structures={"Toletum": "city"})
    there.move("Complutum", "Toletum", "3 INF")
    there.play("from Cauca")
    assert "with INF" in there.options()
    there.play("with INF")
    assert "to Toletum" not in there.options()


def test_the_surplus_left_by_a_leader_goes_after_movement():
    there = position({"Toletum": "ROM L CAV1 INF3", "Complutum": "ROM INF1"}, "ROM")
    there.move("Toletum", "Complutum", "leader").play("stop")
    assert there.stack("Toletum") == "ROM CAV1 INF2"  # the cheapest unit is removed


# --- growth ---------------------------------------------------------------------------------------


def test_points_are_the_population_of_controlled_regions_and_two_for_a_city():
    from stratagem.games.hispania.rules.growth import collect

    stacks = {"Toletum": "ROM INF1", "Norba": "ROM INF1", "Corduba": "ROM INF1"}
    there = position(stacks, "ROM", structures={"Corduba": "city"})
    collect(there.s, 9)
    assert there.pool("ROM") == 3 + 1 + 4 + 2


def test_off_map_boxes_give_only_their_population():
    from stratagem.games.hispania.rules.growth import collect

    stacks = {"Italia": "ROM INF1", "Narbonensis": "ROM INF1"}
    there = position(stacks, "ROM", structures={"Italia": "city"})
    collect(there.s, 9)
    assert there.pool("ROM") == 1


def test_growth_half_rounds_up_and_a_vassal_keeps_the_larger_half():
    from stratagem.games.hispania.rules.growth import collect

    there = position({"Toletum": "VAC INF1"}, "VAC", vassals={"VAC": "ROM"})
    collect(there.s, 7)
    assert (there.pool("VAC"), there.pool("ROM")) == (2, 1)
    there = position({"Toletum": "VAC INF1"}, "VAC")
    there.s["halved"] = 1 << 7
    collect(there.s, 7)
    assert there.pool("VAC") == 2


def test_buying_is_mandatory_and_there_is_no_pass():
    there = position({"Toletum": "VAC INF1"}, "VAC", "growth", pools={"VAC": 12})
    assert there.options() == {
        "buy INF in Toletum", "buy CAV in Toletum", "buy fort in Toletum",
    }  # fmt: skip
    there.play("buy INF in Toletum")
    assert there.options() == {"buy INF in Toletum", "buy fort in Toletum"}
    there.play("buy INF in Toletum")
    assert "stop" in there.options()  # nothing left to pay: movement


def test_quantities_are_hard_caps():
    there = position(
        {"Toletum": "VAC CAV3", "Cauca": "VAC INF1"}, "VAC", "growth", pools={"VAC": 9}
    )
    assert not any("CAV" in option for option in there.options())


def test_the_box_of_structures_is_limited():
    stacks = {"Toletum": "VAC INF1", "Cauca": "VAC INF1", "Norba": "VAC INF1"}
    there = position(stacks, "VAC", "growth", pools={"VAC": 15})
    there.play("buy fort in Toletum", "buy fort in Cauca")
    assert there.s["phase"] != 0 or not any("fort" in option for option in there.options())


def test_where_structures_may_stand():
    stacks = {"Corduba": "UMA INF3", "Norba": "UMA INF2", "Iliberris": "UMA INF2"}
    there = position(stacks, "UMA", "growth", when=18, pools={"UMA": 40})
    assert {"buy castle in Corduba", "buy city in Corduba"} <= there.options()
    assert "buy castle in Norba" in there.options()
    assert "buy city in Norba" not in there.options()  # poor
    assert "buy city in Iliberris" not in there.options()  # difficult
    there.play("buy castle in Corduba")
    assert "buy city in Corduba" not in there.options()
    assert "buy castle in Corduba" not in there.options()


def test_a_city_needs_two_population_and_may_replace_a_fort():
    there = position(
        {"Toletum": "ROM INF3"}, "ROM", "growth", pools={"ROM": 20}, structures={"Toletum": "fort"}
    )
    assert "buy city in Toletum" in there.options()
    assert "buy fort in Toletum" not in there.options()


def test_units_are_placed_on_the_map_only():
    there = position({"Italia": "ROM INF1"}, "ROM", "growth", pools={"ROM": 50})
    assert not any(option.startswith("buy") for option in there.options())


def test_the_rest_is_cut_to_eight_and_new_units_move_at_once():
    there = position({"Numantia": "CEL INF2"}, "CEL", "growth", pools={"CEL": 40},
                     structures={"Numantia": "fort"})  # fmt: skip
    assert there.pool("CEL") == 8  # the stack is full, the fort stands: nothing can be bought
    there = position({"Toletum": "VAC INF1"}, "VAC", "growth", pools={"VAC": 6})
    there.play("buy INF in Toletum")
    there.play("from Toletum")
    assert "with 2 INF" in there.options()


# --- movement -------------------------------------------------------------------------------------


def goals(there, origin, group=""):
    there.play(f"from {origin}")
    if group:
        there.play(f"with {group}")
    return {option.removeprefix("to ") for option in there.options()}


def test_the_slowest_member_decides():
    fast = goals(position({"Toletum": "ROM CAV2"}, "ROM"), "Toletum", "CAV")
    slow = goals(position({"Toletum": "ROM CAV1 INF1"}, "ROM"), "Toletum", "CAV+INF")
    assert "Pallantia" in slow and "Autrigonia" in fast and "Autrigonia" not in slow


def test_poor_regions_cost_two():
    reached = goals(position({"Autrigonia": "VAC INF2"}, "VAC"), "Autrigonia", "INF")
    assert "Clunia" in reached and "Cauca" in reached  # Cauca by Pallantia
    reached = goals(position({"Calagurris": "VAC INF2"}, "VAC"), "Calagurris", "INF")
    assert "Clunia" in reached and "Cauca" not in reached


def test_difficult_terrain_ends_the_move_without_a_leader():
    stacks = {"Caesaraugusta": "CEL L INF2"}
    assert "Clunia" not in goals(position(stacks, "CEL"), "Caesaraugusta", "INF") - {"Numantia"}
    assert "Clunia" in goals(position(stacks, "CEL"), "Caesaraugusta", "leader+INF")


def test_a_strait_ends_the_move_without_a_leader():
    stacks = {"Tingitana": "UMA L CAV2"}
    # Round 14: no ships, only the straits.
    assert goals(position(stacks, "UMA", when=14), "Tingitana", "CAV") >= {"Carteia", "Malaca"}
    assert "Corduba" not in goals(position(stacks, "UMA", when=14), "Tingitana", "CAV")
    assert "Corduba" in goals(position(stacks, "UMA", when=14), "Tingitana", "leader+CAV")


def test_rivers_cost_nothing():
    assert "Corduba" in goals(position({"Emerita": "LUS INF2"}, "LUS"), "Emerita", "INF")


def test_a_hostile_region_ends_the_move():
    stacks = {"Toletum": "VAC INF2", "Complutum": "CEL INF1", "Cauca": "CEL INF1"}
    reached = goals(position(stacks, "VAC"), "Toletum", "INF")
    assert {"Complutum", "Cauca", "Pallantia"} <= reached  # Pallantia by Helmantica
    reached = goals(position({**stacks, "Helmantica": "CEL INF1"}, "VAC"), "Toletum", "INF")
    assert {"Complutum", "Cauca", "Helmantica"} <= reached and "Pallantia" not in reached


def test_allies_and_vassals_may_be_crossed_but_not_entered():
    stacks = {"Emerita": "LUS INF2", "Hispalis": "TUR INF1"}
    reached = goals(position(stacks, "LUS"), "Emerita", "INF")
    assert "Hispalis" not in reached and "Gades" in reached
    stacks = {"Emerita": "ROM INF2", "Hispalis": "TUR INF1"}
    reached = goals(position(stacks, "ROM", vassals={"TUR": "ROM"}), "Emerita", "INF")
    assert "Hispalis" not in reached and "Corduba" in reached


def test_off_map_boxes_are_for_nations_that_list_them():
    assert "Aquitania" in goals(position({"Pompaelo": "VAS INF2"}, "VAS"), "Pompaelo", "INF")
    assert "Aquitania" not in goals(position({"Pompaelo": "CEL INF2"}, "CEL"), "Pompaelo", "INF")


def test_ships_reach_the_same_sea_and_with_range_two_the_next():
    reached = goals(position({"Gades": "CAR INF2"}, "CAR", when=3), "Gades", "INF")
    assert {"Brigantium", "Tingitana", "Carthago_Nova"} <= reached  # ATL, GAD; IBR is next to GAD
    assert "Tarraco" not in reached  # BAL is two seas away
    assert "Brigantium" not in goals(position({"Gades": "CAR INF2"}, "CAR", when=5), "Gades", "INF")
    reached = goals(position({"Hispalis": "SUE INF2"}, "SUE", when=12), "Hispalis", "INF")
    assert "Brigantium" in reached and "Carthago_Nova" not in reached


def test_a_lone_hostile_leader_is_captured():
    there = position({"Toletum": "VAC INF2", "Complutum": "ROM L"}, "VAC")
    before = there.vp("VAC")
    there.move("Toletum", "Complutum", "INF")
    assert there.stack("Complutum") == "VAC INF1"
    assert there.vp("VAC") == before  # VAC has no killleader row
    there = position({"Ilerda": "IBE INF2", "Osca": "ROM L"}, "IBE")
    assert there.move("Ilerda", "Osca", "INF").vp("IBE") == 2


def test_a_leader_alone_goes_to_own_units_only():
    stacks = {"Toletum": "ROM L INF1", "Complutum": "ROM INF1", "Cauca": "VAC INF1"}
    assert goals(position(stacks, "ROM"), "Toletum", "leader") == {"Complutum"}


def test_each_piece_moves_once():
    there = position({"Toletum": "VAC INF1"}, "VAC")
    there.move("Toletum", "Complutum")
    assert there.s["nation"] != 7  # the only piece has moved, the turn is over


def test_a_group_is_any_subset_and_alike_units_are_one_choice():
    there = position({"Toletum": "ROM L ELI1 INF2"}, "ROM")
    there.play("from Toletum")
    assert there.options() == {
        "with INF", "with 2 INF", "with ELI", "with ELI+INF", "with ELI+2 INF",
        "with leader+INF", "with leader+2 INF", "with leader+ELI", "with leader+ELI+INF",
        "with leader+ELI+2 INF",
    }  # fmt: skip
