"""Victory points, a test for each kind of row."""

import numpy as np
import pytest

from games.hispania.positions import position
from stratagem.games.hispania.board.arrays import CODES
from stratagem.games.hispania.rules.arrivals import start_round
from stratagem.games.hispania.rules.scoring import count_points, score_conquests
from stratagem.games.hispania.rules.step import returns, score


def counted(stacks, when, **more):
    there = position(stacks, next(iter(stacks.values())).split()[0], when=when, **more)
    there.s["vp"] = 0
    count_points(there.s)
    return there


def test_hold_pays_per_listed_region_in_its_rounds():
    stacks = {"Hispalis": "TUR INF1", "Corduba": "TUR INF1", "Gades": "TUR INF1"}
    assert counted(stacks, 3).vp("TUR") == 2 + 2 + 1
    assert counted(stacks, 4).vp("TUR") == 0
    assert counted(stacks, 1).vp("TUR") == 1 + 1


def test_hold_of_areas_and_of_everything():
    stacks = {"Tarraco": "ROM INF1", "Corduba": "ROM INF1", "Toletum": "ROM INF1",
              "Italia": "ROM INF1"}  # fmt: skip
    assert counted(stacks, 6).vp("ROM") == 2  # East and South
    assert counted(stacks, 9).vp("ROM") == 3  # all of the map, not the boxes


def test_city():
    stacks = {"Gades": "CAR INF1"}
    assert counted(stacks, 2).vp("CAR") == 2
    assert counted(stacks, 2, structures={"Gades": "city"}).vp("CAR") == 3


def test_castle():
    stacks = {"Toletum": "AST INF1"}
    bare = counted(stacks, 21).vp("AST")
    assert counted(stacks, 21, structures={"Toletum": "castle"}).vp("AST") == bare + 1


@pytest.mark.parametrize(("structure", "more"), [("city", 2), ("castle", 2), ("fort", 0)])
def test_capital_needs_a_city_or_castle(structure, more):
    bare = counted({"Corduba": "UMA INF1"}, 19).vp("UMA")
    there = counted({"Corduba": "UMA INF1"}, 19, structures={"Corduba": structure})
    assert there.vp("UMA") == bare + more


def test_area_needs_three_regions_and_a_majority():
    north = ("Brigantium", "Lucus", "Bracara", "Gigia", "Asturica", "Cantabria")
    two = dict.fromkeys(north[:2], "ROM INF1")
    three = dict.fromkeys(north[:3], "ROM INF1")
    rival = dict.fromkeys(north[3:], "CAN INF1")
    assert counted(two, 7).vp("ROM") == 0
    assert counted(three, 7).vp("ROM") == 2
    assert counted({**three, **rival}, 7).vp("ROM") == 0  # equal is not more


def test_survive():
    assert counted({"Cauca": "TUR INF1"}, 6).vp("TUR") == 2
    assert counted({"Cauca": "VAS INF1"}, 12).vp("VAS") == 0  # needs two regions
    assert counted({"Cauca": "VAS INF1", "Norba": "VAS INF1"}, 12).vp("VAS") == 1


def test_vassal():
    stacks = {"Toletum": "ROM INF1", "Castulo": "TUR INF1", "Clunia": "CEL INF1"}
    there = counted(stacks, 9, vassals={"TUR": "ROM", "CEL": "ROM"})
    assert there.vp("ROM") == 2 + int(1 + 0.5 + 0.5)


def test_a_vassals_regions_count_half_and_floors_are_per_kind():
    stacks = {"Toletum": "ROM INF1", "Castulo": "TUR INF1"}
    there = counted(stacks, 9, vassals={"TUR": "ROM"})
    assert there.vp("ROM") == 1 + int(1 + 0.5)  # vassal 1, hold 1.5
    # The vassal's own hold total (Castulo 2) is halved; surviving is not.
    assert there.vp("TUR") == 2 // 2 + 2


def test_kill_by_type_and_by_anybody():
    there = position({"Toletum": "CEL INF1", "Complutum": "ROM INF1"}, "CEL")
    assert there.move("Toletum", "Complutum").dice(5, 1).vp("CEL") == 0  # only legions pay
    there = position({"Toletum": "CEL INF1", "Complutum": "ROM ELI1"}, "CEL")
    assert there.move("Toletum", "Complutum").dice(6, 1).vp("CEL") == 1
    there = position({"Toletum": "VAC INF1", "Complutum": "ROM INF1"}, "VAC")
    assert there.move("Toletum", "Complutum").dice(5, 1).vp("VAC") == 1
    there = position({"Toletum": "ROM INF1", "Complutum": "VAC INF1"}, "ROM")
    assert there.move("Toletum", "Complutum").dice(1, 5).vp("VAC") == 1  # defending counts too


def test_kill_pays_in_its_rounds_only():
    there = position({"Toletum": "CEL INF1", "Complutum": "ROM ELI1"}, "CEL", when=2)
    assert there.move("Toletum", "Complutum").dice(6, 1).vp("CEL") == 0


def test_killleader():
    there = position({"Toletum": "CAR INF1", "Complutum": "ROM L INF1"}, "CAR")
    assert there.move("Toletum", "Complutum").dice(5, 1).vp("CAR") == 4


def test_conquest_pays_once_for_each_region():
    there = position({"Saguntum": "CAR INF1"}, "CAR", when=2)
    there.s["vp"] = 0
    score_conquests(there.s, CODES.index("CAR"))
    assert there.vp("CAR") == 2
    score_conquests(there.s, CODES.index("CAR"))
    assert there.vp("CAR") == 2
    there.s["round"] = 4  # the window is over
    there.s["conquered"] = 0
    score_conquests(there.s, CODES.index("CAR"))
    assert there.vp("CAR") == 2


def test_conquest_is_paid_at_the_end_of_the_turn():
    there = position({"Dertosa": "CAR INF1"}, "CAR", when=2)
    assert there.move("Dertosa", "Saguntum").vp("CAR") >= 2


def test_deny():
    assert counted({"Tarraco": "FRA INF1"}, 18).vp("FRA") == 2 + 3
    stacks = {"Tarraco": "FRA INF1", "Emporiae": "UMA INF1"}
    assert counted(stacks, 18).vp("FRA") == 2


def test_exit_pays_per_unit_if_a_port_is_held():
    def leaving(stacks):
        there = position(stacks, "VAN", when=12)
        there.s["vp"] = 0
        start_round(there.s)
        return there

    there = leaving({"Gades": "VAN INF3", "Cauca": "VAN CAV2"})
    assert there.vp("VAN") == 5 and there.stack("Gades") == ""
    assert leaving({"Cauca": "VAN INF3"}).vp("VAN") == 0
    many = dict.fromkeys(("Gades", "Hispalis", "Corduba"), "VAN INF3")
    assert leaving(many).vp("VAN") == 6


def test_the_highest_score_wins_and_ties_share():
    there = position({"Toletum": "VAC INF1"}, "VAC")
    there.s["vp"][CODES.index("ROM")] = 10
    there.s["vp"][CODES.index("ARA")] = 5
    assert score(there.s, 0) == 15
    out = np.zeros(4, np.float32)
    returns(there.s, out)
    assert out.tolist() == [1, -1, -1, -1]
    there.s["vp"][CODES.index("UMA")] = 15
    returns(there.s, out)
    assert out.tolist() == [0, 0, -1, -1]


def test_handicap_counts():
    there = position({"Gades": "CAR INF1"}, "CAR", scenario="duel8", when=2)
    there.s["vp"] = 0
    assert (score(there.s, 0), score(there.s, 1)) == (3, 0)
