"""The tricky rules, one position each; sections and traps are those of the specification."""

import numpy as np
import pytest

from games.terra_mystica.positions import Table, rich
from stratagem.core.seats import OVER
from stratagem.games.terra_mystica import state
from stratagem.games.terra_mystica.board import hexes as board
from stratagem.games.terra_mystica.rules import scoring

PAIR = {"dwellings": [["F5", "E6"], ["F6", "E7"]]}


def pair(**fields):
    return rich(Table("halflings", "engineers", **PAIR, **fields), "halflings", "engineers")


def test_trading_post_costs_double_without_a_neighbour():
    table = pair()
    table.put("halflings", {"A1": "D"})
    coins = int(table.s["coins"][0])
    table.do("upgrade E6 to TP")
    assert coins - int(table.s["coins"][0]) == 3
    table.do("pass BON5")
    coins = int(table.s["coins"][0])
    table.do("upgrade A1 to TP")
    assert coins - int(table.s["coins"][0]) == 6


def test_leech_price_uses_the_real_gain():
    table = pair()
    table.put("engineers", {"E7": "SH"}).give("engineers", bowl=(0, 2, 10), vp=20)
    table.do("upgrade E6 to TP", "leech 3 from halflings")
    assert table.s["vp"][1] == 19, "two power for one VP: the bowls held no more"
    assert list(table.s["bowl"][1]) == [0, 0, 12]


def test_leech_with_few_points():
    table = pair()
    table.put("engineers", {"E7": "SH"}).give("engineers", bowl=(12, 0, 0), vp=1)
    table.do("upgrade E6 to TP", "leech 3 from halflings")
    assert table.s["vp"][1] == 0
    assert list(table.s["bowl"][1]) == [10, 2, 0]


def test_void_offer_is_not_asked():
    table = pair()
    table.give("engineers", bowl=(0, 0, 12))
    table.do("upgrade E6 to TP")
    assert table.s["kind"] == state.MAIN and table.s["seat"] == 1


def cultists():
    table = Table("cultists", "engineers", dwellings=[["F5", "E6"], ["F6", "E7"]])
    return rich(table, "cultists", "engineers")


def test_cultists_step_if_somebody_accepts():
    table = cultists().give("engineers", bowl=(6, 6, 0))
    table.do("upgrade E6 to TP", "leech 1 from cultists")
    assert table.s["seat"] == 0 and table.s["kind"] == state.CULT_STEP
    table.do("+WATER")
    assert table.s["cult"][0, 1] == 1
    assert table.s["seat"] == 1


def test_cultists_gain_power_if_all_decline():
    table = cultists().give("engineers", bowl=(6, 6, 0)).give("cultists", bowl=(5, 7, 0))
    table.do("upgrade E6 to TP", "decline 1 from cultists")
    assert list(table.s["bowl"][0]) == [4, 8, 0]


def test_cultists_gain_nothing_from_a_void_offer():
    table = cultists().give("engineers", bowl=(0, 0, 12)).give("cultists", bowl=(5, 7, 0))
    table.do("upgrade E6 to TP")
    assert list(table.s["bowl"][0]) == [5, 7, 0]


def test_cult_stops_at_nine_without_a_key():
    table = pair().give("halflings", cult=(8, 0, 0, 0), bowl=(12, 0, 0))
    table.do("send p to FIRE for 3")
    assert table.s["cult"][0, 0] == 9
    assert list(table.s["bowl"][0]) == [12, 0, 0], "a lost step gives no power"


def test_cult_top_takes_a_key_and_gives_power():
    table = pair().give("halflings", cult=(8, 0, 0, 0), bowl=(12, 0, 0), keys=1)
    table.do("send p to FIRE for 3")
    assert table.s["cult"][0, 0] == 10 and table.s["keys"][0] == 0
    assert list(table.s["bowl"][0]) == [9, 3, 0]


def test_occupied_top_is_closed():
    table = pair().give("halflings", cult=(8, 0, 0, 0), keys=1)
    table.give("engineers", cult=(10, 0, 0, 0))
    table.do("send p to FIRE for 3")
    assert table.s["cult"][0, 0] == 9 and table.s["keys"][0] == 1


def test_key_of_the_same_move_completes_the_step():
    """FAV1 stops at 9, the town that follows brings the key: the marker goes on to 10."""
    table = pair().give("halflings", cult=(7, 0, 0, 0))
    table.put("halflings", {"A1": "TE", "A2": "TP", "A3": "D", "A4": "D"})
    table.do("upgrade A1 to SA", "+FAV1")
    assert table.s["cult"][0, 0] == 9 and table.s["kind"] == state.TOWN
    table.do("+TW1")
    assert table.s["cult"][0, 0] == 10


def test_too_few_keys_for_all_tracks():
    table = pair().give("halflings", cult=(9, 9, 3, 3))
    table.put("halflings", {"A1": "TP", "A2": "TP", "A3": "D", "A4": "D"})
    table.do("upgrade A3 to TP", "+TW5")
    assert table.legal() == ["+FIRE to 10", "+WATER to 10"]
    table.do("+WATER to 10")
    assert list(table.s["cult"][0]) == [9, 10, 4, 4] and table.s["keys"][0] == 0


def test_spades_score_when_gained_even_if_forfeited():
    table = pair()
    vp = int(table.s["vp"][0])
    table.do("action ACT6", "forfeit spades")
    assert int(table.s["vp"][0]) - vp == 2 * (2 + 1), "SCORE1 and the Halflings' own point"


def test_free_spades_over_two_hexes():
    table = pair()
    table.do("action ACT6")
    assert "transform E5 to brown" in table.legal(), "two steps away"
    table.do("transform G5 to blue")
    assert table.s["spades"] == 1
    after = [text for text in table.legal() if text.startswith("transform")]
    assert after and all(text.endswith("brown") for text in after), "one may be foreign, not both"
    assert not any(text.startswith("transform F4") for text in table.legal()), "no top-up now"


def test_halfling_stronghold():
    table = pair().put("halflings", {"E6": "TP"})
    table.do("upgrade E6 to SH")
    assert table.s["kind"] == state.SH_SPADES and table.s["spades"] == 3
    table.do("transform F4 to gray")
    assert table.s["spades"] == 2
    workers = int(table.s["workers"][0])
    table.do("build D4")
    assert workers - int(table.s["workers"][0]) == 1, "the dwelling is paid, spades are not"
    assert table.s["spades"] == 0


def test_darklings_ordain():
    table = rich(
        Table("darklings", "engineers", dwellings=[["E5", "G5"], ["F6", "E7"]]), "darklings"
    )
    table.give("darklings", workers=8, priests=0).put("darklings", {"E5": "TP"})
    table.do("upgrade E5 to SH")
    assert table.legal() == ["done", "convert 1W to 1P", "convert 2W to 2P", "convert 3W to 3P"]
    table.do("convert 3W to 3P")
    assert table.s["priests"][0] == 3 and table.s["workers"][0] == 1


def test_darklings_pay_priests_for_spades():
    table = rich(
        Table("darklings", "engineers", dwellings=[["E5", "G5"], ["F6", "E7"]]), "darklings"
    )
    vp, priests = int(table.s["vp"][0]), int(table.s["priests"][0])
    table.do("build E6")
    assert table.s["priests"][0] == priests - 1
    assert table.s["vp"][0] == vp + 2 + 2, "SCORE1 and two points for the spade"


def test_wheel_does_not_cross_home():
    table = pair().give("halflings", workers=14, bowl=(12, 0, 0), priests=0)
    table.paint("G5", "black")
    legal = table.legal()
    assert "transform G5 to brown" in legal
    assert "transform G5 to yellow" not in legal, "five spades, not two"


def test_giants_spend_two_and_make_only_home():
    table = rich(Table("giants", "engineers", dwellings=[["D4", "E3"], ["F6", "E7"]]), "giants")
    ends = {text.split()[-1] for text in table.legal() if text.startswith("transform")}
    assert ends == {"red"}
    workers = int(table.s["workers"][0])
    place = next(text for text in table.legal() if text.startswith("transform"))
    table.do(place)
    assert workers - int(table.s["workers"][0]) == 6


def test_dwarves_tunnel():
    table = rich(Table("dwarves", "halflings", dwellings=[["E7", "F6"], ["F7", "D8"]]), "dwarves")
    table.paint("G3", "gray")
    vp, workers = int(table.s["vp"][0]), int(table.s["workers"][0])
    table.do("build G3")
    assert int(table.s["vp"][0]) - vp == 4
    assert workers - int(table.s["workers"][0]) == 1 + 2


def test_fakirs_fly_for_a_priest():
    table = rich(Table("fakirs", "halflings", dwellings=[["F3", "D3"], ["F7", "D8"]]), "fakirs")
    vp, priests = int(table.s["vp"][0]), int(table.s["priests"][0])
    own = [board.LAND_NAMES.index(name) for name in ("F3", "D3")]
    two = next(h for h in range(77) if min(board.DISTANCE[own, h]) == 2)
    table.paint(board.LAND_NAMES[two], "yellow")
    table.do(f"build {board.LAND_NAMES[two]}")
    assert priests - int(table.s["priests"][0]) == 1
    assert int(table.s["vp"][0]) - vp == 4


def test_sandstorm_is_no_spade_and_crosses_no_bridge():
    table = Table("nomads", "halflings", dwellings=[["F3", "D3", "E8"], ["F7", "D8"]])
    rich(table, "nomads").put("nomads", {"D3": "SH"})
    place = next(k for k in range(29) if board.LAND_NAMES.index("D3") in board.BRIDGE[k, :2])
    table.s["bridge"][place] = 0
    other = board.LAND_NAMES[int(sum(board.BRIDGE[place, :2]) - board.LAND_NAMES.index("D3"))]
    vp = int(table.s["vp"][0])
    table.do("action ACTN")
    assert not any(other in text.split() for text in table.legal())
    table.do(next(text for text in table.legal() if text.startswith("transform")))
    assert table.s["vp"][0] == vp, "no spade, no points"


def test_mermaids_connect_over_a_river():
    table = rich(Table("mermaids", "halflings", dwellings=[["D2", "E4"], ["F7", "D8"]]), "mermaids")
    table.put("mermaids", {"C4": "SA", "D5": "TP", "D4": "TP"})
    found = [text for text in table.legal() if text.startswith("connect")]
    assert found, "some river hex joins them to a town"
    table.do(found[0])
    assert table.s["kind"] == state.TOWN
    table.do("+TW2")
    assert table.s["seat"] == 0 and table.s["kind"] == state.MAIN, "connecting is no action"


def test_sanctuary_counts_twice():
    table = pair().put("halflings", {"A1": "TE", "A2": "TP", "A3": "TP"})
    table.do("upgrade A1 to SA", "+FAV12")
    assert table.s["kind"] == state.TOWN, "three structures, power 3 + 2 + 2"


def test_favour_five_founds_towns_at_once():
    table = pair().put("halflings", {"A1": "TP", "A2": "D", "A3": "D", "A4": "D", "I1": "TP"})
    table.do("upgrade I1 to TE", "+FAV5")
    assert table.s["kind"] == state.MAIN, "power 5 is not enough"
    table = pair().put("halflings", {"A1": "TP", "A2": "TP", "A3": "D", "A4": "D", "I1": "TP"})
    table.do("upgrade I1 to TE", "+FAV5")
    assert table.s["kind"] == state.TOWN


def test_joining_a_town_founds_no_second():
    table = pair().put("halflings", {"A1": "TP", "A2": "TP", "A3": "D", "A4": "D"})
    table.do("upgrade A3 to TP", "+TW1")
    table.s["seat"], table.s["active"], table.s["kind"] = 0, 0, state.MAIN
    table.s["actions_left"], table.s["builder"] = 1, -1
    table.s["offer"][:] = 0
    table.do("upgrade A3 to TE", "+FAV5")
    assert table.s["kind"] != state.TOWN


def test_priest_cap():
    table = pair().give("halflings", priests=4, priests_out=3)
    table.do("action ACT2")
    assert table.s["priests"][0] == 4, "the eighth priest is lost"
    table = pair().give("halflings", priests=4, priests_out=3)
    table.do("send p to FIRE for 1")
    assert table.s["priests_out"][0] == 3, "a priest that goes back does not stay"


def test_bonus_ship_counts_in_actions_only():
    table = pair().give("halflings", bonus=3)
    before = len([t for t in table.legal() if t.startswith("transform")])
    table.give("halflings", bonus=2)
    assert before > len([t for t in table.legal() if t.startswith("transform")])


def test_no_second_bridge_on_a_place():
    table = pair().put("halflings", {"D6": "D"}).do("action ACT1")
    place = table.legal()[0]
    table.do(place)
    table.s["seat"], table.s["active"], table.s["kind"] = 0, 0, state.MAIN
    table.s["actions_left"], table.s["power_taken"][0] = 1, 0
    table.give("halflings", bowl=(0, 0, 12))
    table.do("action ACT1")
    assert place not in table.legal()


def test_first_to_pass_begins_the_next_round():
    table = pair()
    table.do("advance dig", "pass BON1", "pass BON5")
    assert table.s["round"] == 2 and table.s["starter"] == 1 and table.s["seat"] == 1


def test_chaos_magicians_double_turn():
    table = Table("chaosmagicians", "engineers", dwellings=[["D4"], ["F6", "E7"]])
    rich(table, "chaosmagicians").put("chaosmagicians", {"D4": "SH"})
    table.do("action ACTC", "action ACT3")
    assert table.s["seat"] == 0 and table.s["actions_left"] == 1
    table.do("action ACT4")
    assert table.s["seat"] == 1


def test_engineers_score_bridges_when_passing():
    table = pair().put("engineers", {"E7": "SH", "E8": "D", "E9": "D", "D6": "D"})
    table.do("pass BON1")
    for _ in range(2):
        table.do("action ACTE")
        table.do(next(t for t in table.legal() if t in ("bridge D6:E8", "bridge D6:E9")))
        if table.s["kind"] == state.TOWN:
            table.do("+TW3")
    vp = int(table.s["vp"][1])
    table.do("pass BON2")
    assert int(table.s["vp"][1]) - vp >= 6


def test_prizes_of_ties():
    prizes = np.array([18, 12, 6, 0, 0])

    def shares(*places):
        full = np.array([*places, *[0] * (5 - len(places))])
        return [scoring.prize_of(full, k, len(places), prizes) for k in range(len(places))]

    assert shares(5, 5) == [15, 15]
    assert shares(7, 5, 5, 5) == [18, 6, 6, 6]
    assert shares(4, 4, 4, 4) == [9, 9, 9, 9]
    assert shares(3, 0) == [18, 0]


def test_pass_only_on_the_micro_game():
    table = Table(
        "halflings", "engineers", dwellings=[["F5", "E6"], ["F6", "E7"]], start_cards="[]"
    )
    table.do("take BON5", "take BON3")
    for mine, theirs in (("1", "2"), ("3", "4"), ("1", "2"), ("3", "4"), ("1", "2")):
        table.do(f"pass BON{mine}", f"pass BON{theirs}")
    table.do("pass BON1", "pass BON2")
    assert table.s["seat"] == OVER
    assert list(table.s["vp"][:2]) == [74, 52]
    assert table.game.returns(table.states).tolist() == [[1.0, -1.0]]


@pytest.mark.parametrize(("mode", "accepted"), [("never", 0), ("free", 1)])
def test_leech_modes(mode, accepted):
    table = pair(leech=mode).give("engineers", bowl=(6, 6, 0))
    table.do("upgrade E6 to TP")
    assert table.s["seat"] == 1 and table.s["kind"] == state.MAIN
    assert int(table.s["bowl"][1, 0]) == 6 - accepted
