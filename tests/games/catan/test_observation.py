"""What the network sees: the thesis's numbers to the letter, and the corrected encoding."""

from itertools import pairwise

import numpy as np
import pytest

from games.catan.island import EDGES, HARBOUR_EDGES, TILE_PLACES
from games.catan.positions import build, give, in_play, play, terrain
from stratagem.core.registry import load_game
from stratagem.games.catan import state as catan
from stratagem.games.catan.notation.codes import KIND_NAMES, RESOURCE_NAMES


def parts(game, state, name):
    observer = game.observer(name)
    seen = observer(state)[0]
    return {
        part.name: seen[slice(*observer.spec.bounds(part))].reshape(part.shape)
        for part in observer.spec.slices
    }


def skirmish():
    game, state = in_play("catan")
    build(state, 0, settle=[12], city=[45], road="12-17")
    build(state, 1, settle=[30], road="30-35")
    return game, state


@pytest.mark.parametrize("players", [2, 3, 4])
def test_sizes_of_the_thesis_encoding(players):
    spec = load_game(f"catan/official?players={players}").observer("thesis").spec
    assert [(part.name, part.shape, part.kind) for part in spec.slices] == [
        ("places", (54, 11), "nodes"),
        ("edges", (72, 1), "edges"),
        ("players", (9 * players,), "vector"),
    ]


def test_thesis_places():
    game, state = skirmish()
    terrain(state, 3, "ore", 9)
    terrain(state, 0, "wheat", 6)
    terrain(state, 4, "desert", 2)
    state["token"][0, 4] = 0
    state["robber"] = 4
    places = parts(game, state, "thesis")["places"]
    assert places[12].tolist() == [1, 1, 6, 0, 2, 9, 0, 0, 0, 1, 0]  # tiles 0, 3, 4; no harbour
    assert places[45, 0] == 1 and places[30, 0] == -1 and places[13, 0] == 0
    for place in range(54):
        touched = [tile for tile in range(19) if place in TILE_PLACES[tile]]
        assert not places[place, 1 + 3 * len(touched) : 10].any()
        for k, tile in enumerate(touched):
            assert places[place, 2 + 3 * k] == state["token"][0, tile]
    ids = {0: 4, 1: 5, 2: 6, 3: 2, 4: 3, 5: 1}  # wood, brick, sheep, wheat, ore, any
    for number, side in enumerate(HARBOUR_EDGES):
        for place in side:
            assert places[place, 10] == ids[int(state["harbour"][0, number])]
    assert np.count_nonzero(places[:, 10]) == 18


def test_thesis_edges_and_players():
    game, state = skirmish()
    give(state, 0, wood=3, ore=2, point=1, knight=1)
    give(state, 1, wheat=4, brick=1, sheep=2, point=2)
    state["played"][0, 1, 0] = 2
    seen = parts(game, state, "thesis")
    expected = np.zeros(72)
    expected[EDGES.index({12, 17})] = 1
    expected[EDGES.index({30, 35})] = -1
    assert np.array_equal(seen["edges"][:, 0], expected)
    # points, wheat, wood, ore, brick, sheep, knights used, cards bought, resources out
    assert seen["players"].tolist() == [4, 0, 3, 2, 0, 0, 0, 2, 12, 1, 4, 0, 0, 1, 2, 2, 4, 12]
    state["seat"] = 1  # the same from the other side
    turned = parts(game, state, "thesis")
    assert np.array_equal(turned["edges"], -seen["edges"])
    assert turned["players"].tolist() == [3, 4, 0, 0, 1, 2, 2, 4, 12, 3, 0, 3, 2, 0, 0, 0, 2, 12]


def test_exact_tells_settlement_and_city_apart():
    game, state = skirmish()
    places = parts(game, state, "exact")["places"]
    assert places[12, :4].tolist() == [1, 0, 0, 0]
    assert places[45, :4].tolist() == [0, 1, 0, 0]
    assert places[30, :4].tolist() == [0, 0, 1, 0]
    state["seat"] = state["turn_seat"] = 1
    places = parts(game, state, "exact")["places"]
    assert places[30, :4].tolist() == [1, 0, 0, 0] and places[45, :4].tolist() == [0, 0, 0, 1]


def test_exact_sizes():
    for players in (2, 3, 4):
        spec = load_game(f"catan/official?players={players}").observer("exact").spec
        places, edges, table = spec.slices
        assert places.shape == (54, 2 * players + 3 + 6 + 24)
        assert edges.shape == (72, players + 2)
        assert table.shape == (9 + players + 11 + 26 * players + 57,)


def test_exact_sees_own_cards_phase_and_public_counts():
    game, state = skirmish()
    before = parts(game, state, "exact")["table"]
    assert before[catan.BUILD] == 1.0 and before[:9].sum() == 1.0
    for change in (
        {"cards": (0, KIND_NAMES.index("monopoly"))},
        {"hand": (0, RESOURCE_NAMES.index("ore"))},
        {"hand": (1, RESOURCE_NAMES.index("ore"))},
        {"played": (1, 0)},
        {"cards": (1, 0)},  # that there is one card more, not which
        {"dice_deck": (3,)},
    ):
        for name, index in change.items():
            other = state.copy()
            other[name][(0, *index)] += 1
            assert not np.array_equal(parts(game, other, "exact")["table"], before), change


def test_first_road_knows_its_settlement():
    game = load_game("catan")
    state = game.new_states(np.array([3], np.uint64))
    play(game, state, "settle 12")
    places = parts(game, state, "exact")["places"]
    assert places[12, 6] == 1.0 and places[:, 6].sum() == 1.0


def test_action_groups():
    game = load_game("catan")
    sizes = {group.name: group.stop - group.start for group in game.rules.groups(game.scenario)}
    assert sizes == {
        "settlement": 54, "road": 72, "city": 54, "buy-card": 1, "bank-trade": 25, "knight": 19,
        "monopoly": 5, "year-of-plenty": 5, "road-building": 72, "end-turn": 1,
        "roll": 1, "discard": 5, "robber": 19, "steal": 3,
    }  # fmt: skip
    assert game.actions.size == sum(sizes.values()) == 336
    bounds = [(group.start, group.stop) for group in game.rules.groups(game.scenario)]
    assert all(a[1] == b[0] for a, b in pairwise(bounds))
