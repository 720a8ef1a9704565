"""The small print of the rules: sentences that the tests by topic leave out."""

import pytest

from games.hispania.positions import position
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE
from stratagem.games.hispania.board.arrays import CODES, NAMES
from stratagem.games.hispania.rules.arrivals import start_round
from stratagem.games.hispania.rules.growth import collect
from stratagem.games.hispania.rules.scoring import count_points
from stratagem.games.hispania.rules.turns import end_of_round, submit


def goals(there, origin, group=""):
    there.play(f"from {origin}")
    if group:
        there.play(f"with {group}")
    return {option.removeprefix("to ") for option in there.options()}


def begin(stacks, when, **more):
    there = position(stacks, next(iter(stacks.values())).split()[0], when=when, **more)
    there.s["vp"] = 0
    start_round(there.s)
    return there


# --- stacking, rounds -----------------------------------------------------------------------------


def test_six_pieces_are_the_most_that_stand_together():
    there = position({"Toletum": "ROM L INF4"}, "ROM", "growth", pools={"ROM": 8},
                     structures={"Toletum": "castle"})  # fmt: skip
    there.play("buy INF in Toletum")
    assert there.stack("Toletum") == "ROM L INF5"  # 3, a leader, a castle, and the leader himself
    there = position({"Toletum": "ROM L INF5"}, "ROM", "growth", pools={"ROM": 50},
                     structures={"Toletum": "castle"})  # fmt: skip
    assert not any(option.endswith("in Toletum") for option in there.options())


def test_the_limit_is_checked_when_movement_ends_not_before():
    there = position({"Toletum": "ROM L INF4", "Complutum": "ROM INF1"}, "ROM")
    there.move("Toletum", "Complutum", "leader")
    assert there.stack("Toletum") == "ROM INF4"  # still moving: one of them may yet go
    there.move("Toletum", "Cauca", "INF").play("stop")
    assert there.stack("Toletum") == "ROM INF3" and there.stack("Cauca") == "ROM INF1"


def test_events_come_before_arrivals():
    there = begin({"Tarraco": "ROM INF1"}, 10)
    assert there.stack("Tarraco") == "HIR L INF2"  # home of a nation that the transform made


def test_what_finds_no_home_is_lost():
    there = begin({"Cantabria": "CAN INF2"}, 7)
    assert there.stack("Cantabria") == "CAN L INF3"  # two came, with their leader one has room
    assert not there.s["waiting"][CODES.index("CAN")].any()


def test_dead_units_return_to_the_box_and_leaders_are_never_bought():
    there = position({"Toletum": "VAC CAV2"}, "VAC", "growth", pools={"VAC": 9})
    assert "buy CAV in Toletum" in there.options()  # the third of three fell before
    assert not any("leader" in option for option in there.options())


def test_points_are_counted_before_vassals_go_free():
    three = dict.fromkeys(("Hispalis", "Gades", "Malaca"), "ROM INF1")
    there = position({**three, "Clunia": "CEL INF1"}, "ROM", when=9, vassals={"CEL": "ROM"})
    there.s["vp"] = 0
    end_of_round(there.s)
    assert there.s["overlord"][CODES.index("CEL")] == -1
    assert there.vp("ROM") == 1 + int(3 + 0.5)  # the vassal, and its region by half


def test_crowding_is_looked_at_after_movement_and_battle():
    there = position({"Toletum": "VAC INF3"}, "VAC")
    there.move("Toletum", "Complutum", "INF").play("stop")
    assert there.s["nation"] != CODES.index("VAC")  # three units, but now on two regions


# --- growth, movement -----------------------------------------------------------------------------


def test_points_add_to_the_pool():
    there = position({"Toletum": "VAC INF1"}, "VAC", pools={"VAC": 2})
    collect(there.s, CODES.index("VAC"))
    assert there.pool("VAC") == 2 + 3


def test_a_box_pays_its_population_to_who_stands_there():
    there = position({"Aquitania": "VAS INF1"}, "VAS")  # nobody else gets in: see check_invariants
    collect(there.s, CODES.index("VAS"))
    assert there.pool("VAS") == 1


def test_a_castle_may_replace_a_fort_but_nothing_replaces_a_city():
    there = position(
        {"Corduba": "UMA INF3", "Hispalis": "UMA INF3"}, "UMA", "growth", when=18,
        pools={"UMA": 40}, structures={"Corduba": "fort", "Hispalis": "city"},
    )  # fmt: skip
    assert "buy castle in Corduba" in there.options()
    assert "buy castle in Hispalis" not in there.options()
    there.play("buy castle in Corduba")
    assert there.structure("Corduba") == "castle"


def test_a_leader_adds_a_movement_point():
    stacks = {"Toletum": "ROM L INF2"}
    assert "Autrigonia" not in goals(position(stacks, "ROM"), "Toletum", "INF")
    assert "Autrigonia" in goals(position(stacks, "ROM"), "Toletum", "leader+INF")


def test_own_regions_may_be_crossed_even_when_full():
    stacks = {"Olisipo": "LUS INF2", "Ebora": "LUS INF3"}
    reached = goals(position(stacks, "LUS"), "Olisipo", "INF")
    assert "Ebora" not in reached and {"Emerita", "Cynetia"} & reached


def test_a_vassal_crosses_its_overlord_and_does_not_attack_it():
    stacks = {"Emerita": "TUR INF2", "Hispalis": "ROM INF1"}
    reached = goals(position(stacks, "TUR", vassals={"TUR": "ROM"}), "Emerita", "INF")
    assert "Hispalis" not in reached and "Gades" in reached
    assert "Hispalis" in goals(position(stacks, "TUR"), "Emerita", "INF")


def test_nobody_is_overrun():
    stacks = {"Toletum": "VAC INF3", "Complutum": "CEL INF1", "Cauca": "CEL INF1",
              "Helmantica": "CEL INF1"}  # fmt: skip
    assert "Pallantia" not in goals(position(stacks, "VAC"), "Toletum", "3 INF")


def test_the_sea_takes_the_whole_move():
    # Hispalis and Gades are one step away: nobody marches to the coast and sails on.
    assert "Brigantium" not in goals(position({"Corduba": "CAR CAV2"}, "CAR"), "Corduba", "CAV")
    reached = goals(position({"Gades": "CAR CAV2"}, "CAR"), "Gades", "CAV")
    assert "Brigantium" in reached and "Asturica" not in reached  # nor lands and marches on


# --- battle ---------------------------------------------------------------------------------------


def test_a_natural_six_counts_as_six_even_uphill():
    there = position({"Toletum": "VAC INF1", "Segobriga": "ROM ELI1"}, "VAC")
    assert there.move("Toletum", "Segobriga").dice(6, 1).stack("Segobriga") == "VAC INF1"


@pytest.mark.parametrize(
    ("origin", "site", "nation", "when"),
    [("Tingitana", "Malaca", "UMA", 14), ("Gades", "Olisipo", "CAR", 3)],
)
def test_straits_and_the_sea_cost_one_in_the_first_round(origin, site, nation, when):
    there = position({origin: f"{nation} CAV1", site: "VIS INF1"}, nation, when=when)
    there.move(origin, site).dice(4, 1)  # cavalry hits with 4: here it lacks one
    assert there.stack(site) == "VIS INF1"
    while there.s["seat"] != CHANCE:
        there.play("fight on")
    assert there.dice(4, 1).stack(site) == f"{nation} CAV1"


def test_a_leader_lives_while_a_unit_does():
    there = position({"Toletum": "VAC INF2", "Complutum": "ROM L INF2"}, "VAC")
    there.move("Toletum", "Complutum", "2 INF").dice(5, 1, 1, 1)
    assert there.stack("Complutum") == "ROM L INF1"


def test_a_retreat_takes_the_whole_stack_and_its_leader():
    there = position({"Toletum": "VAC INF1", "Complutum": "ROM L INF2"}, "VAC")
    there.move("Toletum", "Complutum").dice(1, 1, 1).play("retreat to Segontia")
    assert there.stack("Segontia") == "ROM L INF2" and there.stack("Complutum") == "VAC INF1"


def test_every_attacker_returns_to_its_own_origin():
    stacks = {"Toletum": "VAC INF1", "Cauca": "VAC CAV1", "Complutum": "CEL INF1"}
    there = position(stacks, "VAC").move("Toletum", "Complutum").move("Cauca", "Complutum")
    there.dice(1, 1, 1).play("fight on")
    back = next(option for option in there.options() if option.startswith("retreat"))
    there.play(back)
    assert (there.stack("Toletum"), there.stack("Cauca")) == ("VAC INF1", "VAC CAV1")


# --- events, points -------------------------------------------------------------------------------


def vassal_of(there, code):
    lord = int(there.s["overlord"][CODES.index(code)])
    return CODES[lord] if lord >= 0 else ""


def test_only_listed_nations_become_vassals():
    there = position({"Corduba": "TUR INF1", "Gades": "LUS INF1"}, "LUS")
    there.s["beaten"] = 1 << CODES.index("TUR")
    submit(there.s, CODES.index("LUS"))
    assert vassal_of(there, "TUR") == ""
    there = position({"Corduba": "TUR INF1", "Gades": "CAR INF1"}, "CAR")
    there.s["beaten"] = 1 << CODES.index("TUR")
    submit(there.s, CODES.index("CAR"))
    assert vassal_of(there, "TUR") == "CAR"


def test_a_scenario_may_have_no_submission():
    there = position({"Hispalis": "CAR L INF3", "Corduba": "TUR INF1", "Castulo": "TUR INF1"},
                     "CAR", scenario="duel8", when=2)  # fmt: skip
    there.move("Hispalis", "Corduba", "leader+3 INF").dice(5, 5, 5, 1)
    assert there.stack("Corduba") == "CAR L INF3" and vassal_of(there, "TUR") == ""


def test_units_go_until_there_are_twice_as_many_as_regions():
    stacks = {"Toletum": "VAC INF3", "Cauca": "VAC INF3", "Gades": "CAR INF1"}
    there = position(stacks, "VAC", "overpopulation")
    there.play("remove INF in Toletum")
    assert there.s["nation"] == CODES.index("VAC")
    there.play("remove INF in Cauca")
    assert there.s["nation"] != CODES.index("VAC")
    at = [NAMES.index("Toletum"), NAMES.index("Cauca")]
    assert there.s["units"][at, 0].tolist() == [2, 2]


def test_cities_of_vassals_count_half():
    stacks = {"Toletum": "ROM INF1", "Corduba": "TUR INF1", "Castulo": "TUR INF1"}
    bare = position(stacks, "ROM", when=9, vassals={"TUR": "ROM"})
    cities = dict.fromkeys(("Hispalis", "Castulo", "Toletum"), "city")
    built = position(stacks, "ROM", when=9, vassals={"TUR": "ROM"}, structures=cities)
    for there in (bare, built):
        there.s["vp"] = 0
        count_points(there.s)
    assert built.vp("ROM") == bare.vp("ROM") + int(1 + 0.5)  # Toletum's, half of Castulo's


def test_a_game_is_twenty_one_rounds_with_a_main_count_every_third():
    from stratagem.games.hispania.view.chronicle import _rounds

    assert load_game("hispania").scenario.last_round == 21
    main = [when for when, row in _rounds().items() if row["main_vp_count"] == "1"]
    assert main == [3, 6, 9, 12, 15, 18, 21]
