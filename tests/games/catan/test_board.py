"""The island: its graph, terrain, tokens and harbours."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from games.catan import island
from stratagem.core.errors import BadScenario
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seeds
from stratagem.games.catan import board, setup
from stratagem.games.catan.state import COSTS, DECK, PIECES, WAYS


def boards(spec, count=300):
    return load_game(spec).new_states(derive_seeds(3, "boards", count=count))


def test_counts_of_the_graph():
    assert (len(board.TILE_PLACES), len(board.PLACE_EDGES), len(board.EDGE_PLACES)) == (19, 54, 72)
    touched = Counter(int((row != board.NONE).sum()) for row in board.PLACE_TILES)
    assert touched == {3: 24, 2: 12, 1: 18}
    degree = Counter(int((row != board.NONE).sum()) for row in board.PLACE_EDGES)
    assert degree == {3: 36, 2: 18}
    assert len(island.COAST) == 30


def test_graph_equals_the_drawn_one():
    assert [frozenset(row.tolist()) for row in board.TILE_PLACES] == island.TILE_PLACES
    assert [frozenset(row.tolist()) for row in board.EDGE_PLACES] == island.EDGES
    for place in range(54):
        near = {int(n) for n in board.PLACE_NEIGHBOURS[place] if n != board.NONE}
        assert near == island.NEIGHBOURS[place]
    harbours = [frozenset(row.tolist()) for row in board.HARBOUR_PLACES]
    assert harbours == island.HARBOUR_EDGES


def walk_the_coast():
    """The 30 coastal edges in the order in which a ship would pass them."""
    left = set(island.COAST)
    path = [island.HARBOUR_EDGES[0]]
    left.remove(path[0])
    here = max(path[0])
    while left:
        side = next(side for side in left if here in side)
        left.remove(side)
        (here,) = side - {here}
        path.append(side)
    return path


def test_harbours_lie_at_the_standard_gaps():
    path = walk_the_coast()
    at = sorted(path.index(side) for side in island.HARBOUR_EDGES)
    gaps = [(b - a) % 30 for a, b in zip(at, [*at[1:], at[0]], strict=True)]
    cycle = [3, 4, 3, 3, 4, 3, 3, 4, 3]
    assert sum(gaps) == 30
    assert any(gaps == cycle[k:] + cycle[:k] for k in range(9))
    places = [place for side in island.HARBOUR_EDGES for place in side]
    assert len(places) == len(set(places)) == 18


def test_components():
    for s in boards("catan", 50):
        assert Counter(s["terrain"].tolist()) == {0: 4, 1: 3, 2: 4, 3: 4, 4: 3, 5: 1}
        tokens = {2: 1, 12: 1, **dict.fromkeys((3, 4, 5, 6, 8, 9, 10, 11), 2), 0: 1}
        assert Counter(s["token"].tolist()) == tokens
        desert = int(np.flatnonzero(s["terrain"] == 5)[0])
        assert s["token"][desert] == 0 and s["robber"] == desert
        assert Counter(s["harbour"].tolist()) == {5: 4, 0: 1, 1: 1, 2: 1, 3: 1, 4: 1}
        assert s["bank"].tolist() == [19] * 5
        assert s["pieces"][:2].tolist() == [[15, 5, 4]] * 2
    assert DECK.tolist() == [14, 5, 2, 2, 2] and DECK.sum() == 25
    assert PIECES.tolist() == [15, 5, 4]
    road, settlement, city, card = COSTS.tolist()
    assert road == [1, 1, 0, 0, 0] and settlement == [1, 1, 1, 1, 0]
    assert city == [0, 0, 0, 2, 3] and card == [0, 0, 1, 1, 1]
    assert WAYS.sum() == 36


def neighbours():
    tiles = island.TILE_PLACES
    return [(a, b) for a in range(19) for b in range(a) if len(tiles[a] & tiles[b]) == 2]


def touching(s, numbers):
    return any(s["token"][a] in numbers and s["token"][b] in numbers for a, b in neighbours())


def test_spiral_keeps_reds_and_equals_apart_for_every_desert_and_corner():
    state = load_game("catan/official").new_states(derive_seeds(0, "spiral", count=1))
    s = state[0]
    for desert in range(19):
        s["terrain"][:] = 0
        s["terrain"][desert] = 5
        for corner in range(6):
            setup.spread_tokens(s, setup.TOKENS, corner)
            assert not touching(s, (6, 8))
            assert not any(touching(s, (n,)) for n in range(2, 13))


def test_spiral_runs_inward_counter_clockwise_from_a_corner():
    corners = {0, 2, 7, 11, 16, 18}
    for order in board.SPIRALS.tolist():
        assert sorted(order) == list(range(19))
        assert order[0] in corners and order[18] == 9
        points = [island.CENTRES[tile] for tile in order]
        distance = [round((x * x + y * y) ** 0.5, 3) for x, y in points]
        assert max(distance[12:18]) < min(distance[:12])
        for (ax, ay), (bx, by) in pairwise(points[:12]):
            assert ax * by - ay * bx < 0  # counter-clockwise, for y grows downwards
    found = {tuple(s["token"][s["token"] > 0].tolist()) for s in boards("catan/official", 100)}
    assert len(found) > 20  # corners and deserts vary


def test_spiral_lays_letters_in_order():
    for s in boards("catan/official", 40):
        read = [
            [int(s["token"][tile]) for tile in order if s["terrain"][tile] != 5]
            for order in board.SPIRALS.tolist()
        ]
        assert [5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11] in read


def test_random_tokens_break_what_constrained_ones_keep():
    assert not any(touching(s, (6, 8)) for s in boards("catan"))
    broken = np.mean([touching(s, (6, 8)) for s in boards("catan/thesis?board_seeds=[]")])
    assert broken == pytest.approx(0.856, abs=0.07)


def test_the_thesis_has_four_boards_and_held_out_ones_on_request():
    fixed = boards("catan/thesis")
    assert len({(s["terrain"].tobytes(), s["token"].tobytes()) for s in fixed}) == 4
    again = boards("catan/thesis?board_seeds=[2]", 20)
    assert len({s["terrain"].tobytes() for s in again}) == 1
    assert again[0]["terrain"].tobytes() in {s["terrain"].tobytes() for s in fixed}
    assert len({s["terrain"].tobytes() for s in boards("catan/thesis?board_seeds=[]", 50)}) > 45


@pytest.mark.parametrize(
    ("spec", "target", "limit", "rounding", "friendly", "dice", "tokens", "cards", "players"),
    [
        ("catan", 15, 9, "down", 3, "balanced", "constrained", 3, 2),
        ("catan/official", 10, 7, "down", 0, "fair", "spiral", 4, 4),
        ("catan/thesis", 15, 6, "up", 0, "fair", "random", 1, 2),
    ],
)
def test_presets(spec, target, limit, rounding, friendly, dice, tokens, cards, players):
    preset = load_game(spec).scenario
    assert (preset.target, preset.discard_limit, preset.discard_rounding) == (
        target,
        limit,
        rounding,
    )
    assert (preset.friendly_robber, preset.dice, preset.tokens) == (friendly, dice, tokens)
    assert len(preset.pre_roll_cards) == cards and preset.players == players
    assert preset.bank_rule == "sole-claimant" and preset.bank == 19


@pytest.mark.parametrize(
    "wrong", ["players=5", "tokens=heap", "dice=loaded", 'pre_roll_cards=["point"]', "bank=3"]
)
def test_impossible_scenarios_are_refused(wrong):
    with pytest.raises(BadScenario, match=wrong.split("=")[0]):
        load_game(f"catan?{wrong}")
