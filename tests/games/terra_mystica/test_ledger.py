"""Bad ledgers are answered with the line, the command and the reason."""

import pytest

from games.terra_mystica.positions import Table, rich
from games.terra_mystica.recorded import kept_games
from oracles.ledger.check import Trace
from oracles.ledger.compare import replay_game
from oracles.ledger.decisions import DECIDE
from oracles.ledger.replay import Replay
from oracles.ledger.text import BadLedger, parse_command, parse_ledger
from stratagem.core.errors import BadRecord

HEADER = [
    "player p1", "player p2", "option strict-leech",
    "score SCORE1,SCORE2,SCORE3,SCORE4,SCORE5,SCORE6",
    "delete BON6", "delete BON7", "delete BON8", "delete BON9",
    "setup halflings", "setup engineers",
    "halflings: build F5", "engineers: build F6", "engineers: build E7", "halflings: build E6",
    "engineers: pass BON5", "halflings: pass BON3",
]  # fmt: skip


def bad(*rows, at=None, skip_header=False):
    lines = list(rows) if skip_header else [*HEADER, *rows]
    with pytest.raises(BadLedger) as raised:
        replay_game({"rows": lines})
    text = str(raised.value)
    assert text.startswith(f"line {at or len(lines)}: "), text
    return text


def test_unknown_hex():
    assert "'build Z9': unknown command" in bad("halflings: build Z9")
    assert "no land hex is called 'B9'" in bad("halflings: build B9")
    assert "no river hex is called 'r99'" in bad("halflings: connect r99")


def test_illegal_build():
    assert "'build A1': halflings: A1 is out of reach" in bad("halflings: build A1")
    assert "E7 is occupied" in bad("halflings: build E7")


def test_start_dwelling_on_foreign_terrain():
    rows = [*HEADER[:10], "halflings: build A2"]
    assert "A2 is mountain, their home is plain" in bad(*rows, skip_header=True)


def test_wrong_amounts():
    assert "wrong amount: 3 pw make 1 w" in bad("halflings: convert 2PW to 1W")
    assert "3 spades are needed, 0 are free and 1 dug" in bad("halflings: dig 1. build F4")
    assert "wrong amount: halflings offers 1 power" in bad(
        "halflings: upgrade E6 to TP", "engineers: leech 5 from halflings"
    )


def test_missing_leech_answer():
    reason = bad("halflings: upgrade E6 to TP", "engineers: action ACT2")
    assert "'action ACT2': engineers: 1 power from halflings must be taken or declined" in reason


def test_missing_leech_answer_of_a_recorded_game():
    """A recorded answer that was taken out is noticed although acting would mean declining."""
    game = kept_games()["g00110_halflings-engineers.json"]
    at = next(k for k, row in enumerate(game["rows"]) if " leech " in row)
    del game["rows"][at]
    with pytest.raises(BadLedger, match="must be taken or declined"):
        replay_game(game)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("halflings: upgrade E6 to SH", "E6 does not hold their TP"),
        ("halflings: send p to FIRE for 3", "there is no priest"),
        ("halflings: pass BON9", "not in the pool"),
        ("halflings: pass", "passing takes a bonus card"),
        ("halflings: action ACTE", "another faction"),
        ("halflings: action BON1", "do not hold that bonus card"),
        ("halflings: action ACT6", "cannot be paid"),
        ("halflings: convert 1PW to 1C", "cannot be converted"),
        ("halflings: transform F4 to purple", "no colour 'purple'"),
        ("halflings: leech 1 from engineers", "no 1 power is offered"),
        ("halflings: burn 4. action ACT5. pass BON1", "spades are left"),
        ("giants: build A6", "not set up"),
        ("halflings: dig 1", "spades must be used"),
        ("halflings: jump", "unknown command"),
        ("halflings: burn 4. action ACT5. -2SPADE", "wrong amount: 1 spades are left"),
    ],
)
def test_reasons(row, reason):
    assert reason in bad(row)


def test_ledger_that_ends_too_early():
    with pytest.raises(BadLedger, match="the ledger ends here, but halflings: it is their turn"):
        replay_game({"rows": HEADER})


def test_headers():
    with pytest.raises(BadLedger, match="not part of the base game"):
        parse_ledger(["option mini-expansion-1"])
    with pytest.raises(BadRecord, match="bonus cards are left"):
        parse_ledger([row for row in HEADER if row != "delete BON6"])
    with pytest.raises(BadRecord, match="six round tiles"):
        parse_ledger([row for row in HEADER if not row.startswith("score")])
    with pytest.raises(BadLedger, match="no faction is called"):
        parse_ledger(["setup ewoks"])


def test_late_answers_where_they_are_allowed():
    """Without `strict-leech` a seat may act first and answer later; room is what it then has."""
    rows = [row for row in HEADER if "strict" not in row]
    rows += [
        "halflings: upgrade E6 to TP", "engineers: burn 4. action ACT4",
        "engineers: leech 1 from halflings", "halflings: pass BON1", "engineers: pass BON2",
    ]  # fmt: skip
    with pytest.raises(BadLedger, match="it is their turn"):
        replay_game({"rows": rows})


def test_several_turns_on_one_line():
    """The last player in a round may have all his turns in one row."""
    rows = [
        *HEADER, "halflings: pass BON1",
        "engineers: dig 1. transform D4 to yellow. convert 1W to 1C. pass BON2",
    ]  # fmt: skip
    with pytest.raises(BadLedger, match="the ledger ends here, but halflings: it is their turn"):
        replay_game({"rows": rows})
    rows[-1] = "engineers: build C2. build E8. pass BON2"
    assert "C2 is out of reach" in bad(*rows[-2:])


def test_commands_read_in_any_case():
    assert parse_command(1, "SEND P to Fire").words == ("fire", "")
    assert parse_command(1, "convert pw to c").words == ("", "pw", "", "c")
    assert parse_command(1, "+2AIR").words == ("2", "air")
    assert parse_command(1, "transform F4 to Grey").words == ("f4", "gray")


CULTISTS = [
    "player p1", "player p2", "option strict-leech",
    "score SCORE1,SCORE2,SCORE3,SCORE4,SCORE5,SCORE6",
    "delete BON6", "delete BON7", "delete BON8", "delete BON9",
    "setup cultists", "setup engineers",
]  # fmt: skip


def go_on(rows, trace):
    """What a ledger has left to say from a position in which the Cultists found a town."""
    table = Table(
        "cultists", "engineers", dwellings=[["F5", "E6"], ["F6", "E7"]],
        conversions='"explicit"', conversion_cap=250,
    )  # fmt: skip
    rich(table, "cultists", "engineers").give("engineers", bowl=(6, 6, 0), vp=20)
    table.put("cultists", {"D4": "D", "E5": "TP", "F4": "TP"})
    table.give("cultists", bowl=(5, 5, 2), vp=20)
    ledger = parse_ledger([*CULTISTS, *rows])
    replay = Replay(ledger, Trace.read([], ledger.factions))
    replay.states = table.states
    replay.trace = Trace.read(trace, ledger.factions)
    replay.trace.tick(replay.s, 0, "")  # the numbers before; there is no such command
    replay.trace.differences.clear()
    while any(ledger.streams):
        DECIDE[int(replay.s["kind"])](replay)
    replay.trace.close()
    return replay


def test_a_town_tile_of_the_cultists_may_stand_with_the_cult_step():
    """The rules ask for it before the answers; the numbers in between have it not yet."""
    rows = ["cultists: upgrade E6 to TP", "engineers: leech 1 from cultists"]
    apart = [*rows, "cultists: +FIRE", "cultists: +TW5"]
    built = {"f": "cultists", "cmd": "upgrade E6 to TP", "vp": 20}
    trace = [
        built,
        {"f": "engineers", "cmd": "leech 1 from cultists", "vp": 20},
        {"f": "cultists", "cmd": "[opponent accepted power]", "vp": 20, "pw": [5, 5, 2]},
        {"f": "cultists", "cmd": "+FIRE", "vp": 20, "cult": [2, 0, 1, 0]},
        {"f": "cultists", "cmd": "+TW5", "vp": 28, "cult": [3, 1, 2, 1]},
    ]
    assert go_on(apart, trace).trace.differences == []
    trace[3]["vp"] = 21
    assert "vp is 20 here and 21" in go_on(apart, trace).trace.differences[0]
    together = [*rows, "cultists: +TW5. +FIRE"]
    trace = [*trace[:3], {"f": "cultists", "cmd": "+TW5. +FIRE", "vp": 28, "cult": [3, 1, 2, 1]}]
    assert go_on(together, trace).trace.differences == []


def test_power_may_be_burnt_before_a_cult_is_chosen():
    rows = ["cultists: upgrade E6 to TP. +TW1", "engineers: leech 1 from cultists"]
    replay = go_on([*rows, "cultists: burn 1. +FIRE", "engineers: pass BON1",
                    "cultists: action ACT1"], [])  # fmt: skip
    assert replay.s["cult"][0, 0] == 2
