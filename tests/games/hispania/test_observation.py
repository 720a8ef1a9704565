"""What the networks see: the tensors of each encoding."""

import numpy as np

from games.hispania.positions import position
from stratagem.core.registry import load_game
from stratagem.games.hispania.board.arrays import CODES, NAMES


def parts(there, encoding="hierarchy"):
    observer = there.game.observer(encoding)
    seen = observer(there.states)[0]
    found, at = {}, 0
    for piece in observer.spec.slices:
        found[piece.name] = seen[at : at + piece.size].reshape(piece.shape)
        at += piece.size
    return found


def pieces_in(seen, region):
    return seen["pieces"][seen["piece_tile"] == NAMES.index(region)]


def test_shapes():
    game = load_game("hispania/full55")
    shapes = {part.name: part.shape for part in game.observer("hierarchy").spec.slices}
    assert shapes["tiles"] == (55, 13)
    assert shapes["pieces"] == (128, 32)
    assert shapes["piece_tile"] == shapes["piece_slot"] == (128,)
    assert shapes["globals"] == (32,)
    fused = game.observer("fused").spec.slices[0]
    assert fused.shape == (55, 237) and fused.size == 13035
    assert 32 + 13 + 6 * 32 == 237


def test_a_tile():
    there = position({"Corduba": "UMA INF1"}, "UMA", when=18, structures={"Corduba": "city"})
    tile = parts(there)["tiles"][NAMES.index("Corduba")]
    assert np.allclose(tile, [0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 4 / 4])


def test_a_piece():
    there = position({"Toletum": "ROM ELI1"}, "ROM")
    piece = pieces_in(parts(there), "Toletum")[0]
    assert np.allclose(piece[:5], [1 / 2, 4 / 6, 4 / 6, 3 / 4, 11 / 12])
    assert piece[5:11].tolist() == [0, 0, 0, 0, 0, 1] and piece[11] == 0
    assert np.flatnonzero(piece[12:]).tolist() == [CODES.index("ROM")]


def test_order_of_a_stack_and_remaining_movement():
    there = position({"Toletum": "ROM L ELI1 INF2", "Complutum": "ROM INF1"}, "ROM")
    there.move("Complutum", "Toletum")
    seen = pieces_in(parts(there), "Toletum")
    assert seen[:, 11].tolist() == [1, 0, 0, 0, 0]
    assert np.allclose(seen[:, 4] * 12, [0, 11, 6, 6, 6])
    assert np.allclose(seen[:, 3] * 4, [3, 3, 2, 2, 0])  # the last one has moved


def test_vassalage_is_half_an_entry_of_the_overlord():
    there = position({"Toletum": "VAC INF1"}, "VAC", vassals={"VAC": "ROM"})
    piece = pieces_in(parts(there), "Toletum")[0]
    assert piece[12 + CODES.index("VAC")] == 1 and piece[12 + CODES.index("ROM")] == 0.5


def test_globals():
    there = position({"Toletum": "VAC INF2"}, "VAC", pools={"VAC": 6}, major=True)
    there.s["vp"][CODES.index("VAC")] = 30
    there.s["vp"][CODES.index("ROM")] = 10
    seen = parts(there)["globals"]
    assert np.flatnonzero(seen[:4]).tolist() == [3]
    assert np.flatnonzero(seen[4:24]).tolist() == [CODES.index("VAC")]
    assert seen[24:29].tolist() == [0, 1, 0, 0, 0]
    assert np.allclose(seen[29:], [3 / 21, 6 / 60, 20 / 100])
    there.move("Toletum", "Complutum", "INF").play("stop")
    assert parts(there)["globals"][24:29].tolist() == [0, 1, 0, 1, 0]  # the second pass


def test_the_defender_decides_in_the_attackers_turn():
    there = position({"Toletum": "VAC INF1", "Complutum": "CEL INF1"}, "VAC")
    there.move("Toletum", "Complutum").dice(1, 1)
    seen = parts(there)["globals"]
    assert np.flatnonzero(seen[:4]).tolist() == [1]  # Celtiberians are blue
    assert np.flatnonzero(seen[4:24]).tolist() == [CODES.index("VAC")]
    assert seen[24:29].tolist() == [0, 0, 1, 0, 0]


def test_attackers_come_first_and_wounds_show():
    there = position({"Toletum": "VAC INF1", "Complutum": "CAR ELE1 INF1"}, "VAC")
    there.move("Toletum", "Complutum").dice(5, 1, 1)
    seen = pieces_in(parts(there), "Complutum")
    nations = [int(np.flatnonzero(piece[12:])[0]) for piece in seen]
    assert nations == [CODES.index("VAC"), CODES.index("CAR"), CODES.index("CAR")]
    assert np.allclose(seen[:, 0] * 2, [1, 1, 1])  # the elephant has one of two left
    assert seen[0, 3] == 0  # attacking


def test_fused_rows_repeat_globals_tiles_and_stacks():
    there = position({"Toletum": "ROM L ELI1 INF2"}, "ROM")
    apart, fused = parts(there), parts(there, "fused")["board"]
    row = fused[NAMES.index("Toletum")]
    assert np.array_equal(row[:32], apart["globals"])
    assert np.array_equal(row[32:45], apart["tiles"][NAMES.index("Toletum")])
    assert np.array_equal(row[45:].reshape(6, 32)[:4], pieces_in(apart, "Toletum"))
    assert not row[45:].reshape(6, 32)[4:].any()


def test_pieces_beyond_the_sixth_share_the_last_slot():
    stacks = {"Toletum": "ROM L INF3", "Complutum": "VAC L INF4", "Gades": "ROM INF1"}
    there = position(stacks, "ROM").move("Toletum", "Complutum", "leader+3 INF")
    apart, fused = parts(there), parts(there, "fused")["board"]
    pieces = pieces_in(apart, "Complutum")
    assert len(pieces) == 9
    last = fused[NAMES.index("Complutum"), 45:].reshape(6, 32)[5]
    assert np.allclose(last, pieces[5:].mean(axis=0))
    assert apart["piece_slot"][apart["piece_tile"] == NAMES.index("Complutum")].max() == 5


def test_what_has_been_chosen_so_far():
    there = position({"Toletum": "ROM L ELI1 INF2"}, "ROM").play("from Toletum", "with leader+INF")
    seen = parts(there)["decision"]
    assert np.flatnonzero(seen[:55]).tolist() == [NAMES.index("Toletum")]
    assert seen[55:61].tolist() == [1, 0, 1, 0, 0, 0]
