"""The planes, 9 x 26 x (48P + 110): what lies where; `exact` and `compact` miss nothing."""

import numpy as np
import pytest

from games.terra_mystica.positions import Table, rich
from stratagem.core.registry import load_game
from stratagem.core.seats import OVER
from stratagem.core.seeding import derive_generator, derive_seeds
from stratagem.games.terra_mystica.board import hexes as board
from stratagem.games.terra_mystica.encode import planes

PAIR = {"dwellings": [["F5", "E6"], ["F6", "E7"]]}


def see(table, name):
    return table.game.observer(name)(table.states)[0].reshape(-1, 9, 26)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("name", ["paper", "exact"])
def test_sizes(players, name):
    scenario = {2: "2p-random"}.get(players, f"{players}p")
    observer = load_game(f"terra_mystica/{scenario}").observer(name)
    assert observer.spec.slices[0].shape == (48 * players + 110, 9, 26)
    assert players != 2 or observer.spec.size == 48_204


@pytest.mark.parametrize("name", ["paper", "exact"])
def test_ground_and_structures(name):
    table = Table("halflings", "engineers", **PAIR)
    planes = see(table, name)
    assert np.all(planes[:8].sum(axis=0) == 1), "every half-cell is one terrain"
    assert planes[7, 1, 0] == planes[7, 1, 25] == 1, "rows of twelve are padded with water"
    row, x = board.place(board.LAND_CELL[board.LAND_NAMES.index("E7")])
    assert planes[4, row, x] == planes[4, row, x + 1] == 1, "E7 is mountain"
    assert planes[8, row, x] == planes[8, row, x + 1] == 1, "with a dwelling"
    assert planes[8].sum() == 2 * 4
    for k in range(6):
        assert planes[19 + 8 * k + k].all(), "round k + 1 has tile k + 1"
    assert planes[67].all() and planes[96 + 9].all()
    assert np.all(planes[96 + 6] == 0.5), "the Engineers sit next"


def test_players():
    table = rich(Table("halflings", "engineers", **PAIR), "halflings")
    exact, paper = see(table, "exact"), see(table, "paper")
    assert np.all(exact[110] == 3.0) and np.all(exact[111] == np.float32(5 / 7))
    assert np.all(exact[110 + 12] == np.float32(0.2)) and np.all(paper[110 + 16] == np.float32(0.2))
    assert np.all(paper[110 + 12] == np.float32(2 / 8))
    table.do("pass BON1")
    mine = see(table, "exact")
    assert np.all(mine[110 + 48 + 14] == 0.5), "the other seat passed first of two"


def test_bridges_are_drawn_apart():
    seen = set()
    for place in range(board.BRIDGES):
        table_out = np.zeros((48 * 2 + 110) * planes.AREA, np.float32)
        table = _with_bridge(place)
        planes.draw_tiles(table.s, 0, table_out, 110)
        marks = np.flatnonzero(table_out.reshape(-1, planes.AREA)[110 + 21])
        assert len(marks) == 1
        seen.add(int(marks[0]))
    assert len(seen) == board.BRIDGES


_TABLE = []


def _with_bridge(place):
    if not _TABLE:
        _TABLE.append(Table("halflings", "engineers", **PAIR))
    table = _TABLE[0]
    table.s["bridge"][:] = -1
    table.s["bridge"][place] = 0
    table.s["bonus"][0] = -1
    return table


@pytest.mark.parametrize("name", ["exact", "compact"])
@pytest.mark.parametrize("spec", ["terra_mystica/2p-random", "terra_mystica/3p"])
def test_positions_are_told_apart(spec, name):
    """Positions that look the same to their decider have the same legal actions."""
    game = load_game(spec)
    states = game.new_states(derive_seeds(2, "apart", count=20))
    generator = derive_generator(2, "apart moves")
    seen: dict[bytes, bytes] = {}
    observer = game.observer(name)
    while len(states := states[states["seat"] != OVER]):
        ids, counts = game.legal(states)
        for view, row, count in zip(observer(states), ids, counts, strict=True):
            legal = np.sort(row[:count]).tobytes()
            assert seen.setdefault(view.tobytes(), legal) == legal
        chosen = [row[generator.integers(n)] for row, n in zip(ids, counts, strict=True)]
        game.kernels.step(states, np.array(chosen, np.int32))
