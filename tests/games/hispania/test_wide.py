"""What the wide encoding adds: sides, what regions pay, threats, the standing of the players."""

import numpy as np
import pytest

from games.hispania.positions import position
from games.hispania.test_observation import parts
from stratagem.core.registry import load_game
from stratagem.games.hispania.board.arrays import CODES, NAMES
from stratagem.games.hispania.bots.worth import POINTS
from stratagem.games.hispania.encode.hierarchy import GLOBAL, PIECE, TILE


def wide(there):
    return parts(there, "wide")


def extra(seen, region):
    return seen["tiles"][NAMES.index(region), TILE:]


def test_it_begins_with_the_papers_tensors():
    there = position({"Toletum": "ROM L ELI1 INF2", "Complutum": "CEL INF1"}, "ROM")
    narrow, broad = parts(there), wide(there)
    assert np.array_equal(broad["tiles"][:, :TILE], narrow["tiles"])
    assert np.array_equal(broad["pieces"][:, :PIECE], narrow["pieces"])
    assert np.array_equal(broad["globals"][:GLOBAL], narrow["globals"])
    for name in ("piece_tile", "piece_slot", "decision"):
        assert np.array_equal(broad[name], narrow[name])


def test_sizes_are_the_same_in_all_scenarios():
    specs = {
        name: load_game(f"hispania/{name}") for name in ("duel8", "iberus20", "punic55", "full55")
    }
    assert len({game.observer("wide").spec for game in specs.values()}) == 1
    assert len({game.actions for game in specs.values()}) == 1


def test_regions_out_of_play_are_rows_of_zeros():
    game = load_game("hispania/duel8")
    states = game.new_states(np.array([1], np.uint64))
    active = [int(states[0]["active"]) >> region & 1 for region in range(55)]
    for encoding in ("hierarchy", "fused", "wide"):
        spec = game.observer(encoding).spec
        nodes = spec.slices[0]
        rows = game.observer(encoding)(states)[0, : nodes.size].reshape(nodes.shape)
        assert [int(row.any()) for row in rows] == active
    assert sum(active) == 8


def test_pieces_know_their_side():
    seen = wide(position({"Toletum": "ROM INF1", "Complutum": "CEL INF1"}, "ROM"))
    sides = {
        NAMES[int(tile)]: piece[PIECE]
        for tile, piece in zip(seen["piece_tile"], seen["pieces"], strict=True)
        if tile >= 0
    }
    assert sides["Toletum"] == 1.0 and sides["Complutum"] == -1.0


def test_units_leaders_and_those_that_can_move():
    there = position(
        {"Toletum": "ROM L INF2", "Complutum": "CEL L INF1", "Cauca": "ROM INF1"}, "ROM"
    )
    there.move("Cauca", "Toletum")
    seen = wide(there)
    mine, theirs = extra(seen, "Toletum"), extra(seen, "Complutum")
    assert mine[0] == 1 and mine[1] == 1.0 and mine[5] == 1 and mine[6] == 0
    assert mine[7] == pytest.approx(2 / 3)  # one of three has moved
    assert theirs[3] == pytest.approx(1 / 3) and theirs[6] == 1 and theirs[5] == 0
    assert mine[11] == pytest.approx(1 / 3)  # the Celtiberian beside it
    assert extra(seen, "Gades")[11] == 0


def test_what_regions_pay():
    there = position({"Toletum": "ROM INF1", "Complutum": "CEL INF1"}, "ROM", when=3)
    seen, rome, foe = wide(there), CODES.index("ROM"), CODES.index("CEL")
    tables = int(there.s["tables"])
    for region in ("Tarraco", "Gades", "Toletum", "Complutum"):
        here = NAMES.index(region)
        assert extra(seen, region)[9] == pytest.approx(POINTS[tables, rome, 3, here] / 4)
    assert extra(seen, "Tarraco")[9] > 0
    there_pays = POINTS[tables, foe, 3, NAMES.index("Complutum")] / 4
    assert extra(seen, "Complutum")[10] == pytest.approx(there_pays)


def test_the_defender_sees_its_own_interest():
    there = position({"Toletum": "VAC INF1", "Complutum": "CEL INF1"}, "VAC")
    there.move("Toletum", "Complutum").dice(1, 1)
    seen = wide(there)
    foe, here = CODES.index("CEL"), NAMES.index("Complutum")
    tables, now = int(there.s["tables"]), int(there.s["round"])
    assert extra(seen, "Complutum")[9] == pytest.approx(POINTS[tables, foe, now, here] / 4)
    assert extra(seen, "Complutum")[1] == pytest.approx(1 / 3)
    assert extra(seen, "Complutum")[8] == pytest.approx(1 / 3)  # the attacker


def test_round_and_leads():
    there = position({"Toletum": "VAC INF2"}, "VAC", when=7)
    there.s["vp"][CODES.index("VAC")] = 30
    there.s["vp"][CODES.index("ROM")] = 10
    standing = wide(there)["globals"][GLOBAL:]
    assert np.flatnonzero(standing[:21]).tolist() == [6]
    assert standing[21] == pytest.approx((21 - 7) / 21)
    seat = int(there.s["seat"])
    scores = there.game.scores(there.states)[0]
    assert standing[22] == pytest.approx(scores[seat] / 50)
    leads = [(scores[seat] - scores[(seat + k) % 4]) / 20 for k in (1, 2, 3)]
    assert np.allclose(standing[23:], leads)
