"""The compact encoding: its sizes, and what its numbers say beside what the rules say."""

import numpy as np
import pytest

from games.terra_mystica.positions import Table, rich
from stratagem.agents import make_agent
from stratagem.core.registry import load_game
from stratagem.core.seats import OVER
from stratagem.core.seeding import derive_seeds
from stratagem.games.terra_mystica.board import hexes as board
from stratagem.games.terra_mystica.encode import compact, compact_vector
from stratagem.games.terra_mystica.rules import ground, scoring

PAIR = {"dwellings": [["F5", "E6"], ["F6", "E7"]]}
FIRST = compact.SHARED  # of the own seat's numbers
HEX = board.LAND_NAMES.index


def see(game, states):
    """(hexes [B, 77, F], table [B, V]) of each state's decider."""
    seen = game.observer("compact")(states)
    width = compact.hex_features(game.num_seats)
    hexes = seen[:, : board.LAND * width].reshape(len(states), board.LAND, width)
    return hexes, seen[:, board.LAND * width :]


def late_positions(game, count, plies):
    """Positions of scripted games after so many decisions."""
    states = game.new_states(derive_seeds(4, "late", count=count))
    agent = make_agent("scripted", game)
    for ply in range(plies):
        states = states[states["seat"] != OVER]
        actions = agent.act(states, derive_seeds(ply, "late", count=len(states)))
        game.kernels.step(states, np.asarray(actions, np.int32))
    return states[states["seat"] != OVER]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_sizes(players):
    scenario = {2: "2p-random"}.get(players, f"{players}p")
    game = load_game(f"terra_mystica/{scenario}")
    hexes, table = game.observer("compact").spec.slices
    assert hexes.shape == (77, 14 + 13 * players) and hexes.kind == "nodes"
    assert table.shape == (183 + 179 * players,) and table.kind == "vector"
    assert players != 2 or game.observer("compact").spec.size == 3_621
    assert game.observer().encoding.name == "compact", "what a game shows by default"


def test_links_are_neighbours_over_land_and_over_one_river():
    assert len(compact.LINKS) == 215
    beside = {pair for pair in compact.LINKS if board.DISTANCE[pair] == 1}
    assert len(beside) == 130, "the map's pairs of land hexes side by side"
    assert all(board.SHIP[pair] == 1 for pair in set(compact.LINKS) - beside)


def test_actions_of_a_hex():
    game = load_game("terra_mystica")
    for land, actions in enumerate(game.actions.at_nodes):
        assert actions == tuple(18 * board.LAND_CELL[land] + k for k in range(18))


def test_hexes_of_a_hand_made_position():
    table = Table("halflings", "engineers", **PAIR)
    hexes = see(table.game, table.states)[0][0]
    assert np.all(hexes[:, :7].sum(1) == 1) and np.all(hexes[:, 7:14].sum(1) == 1)
    assert hexes[HEX("F5"), 7] == 1, "F5 is home"
    assert hexes[HEX("F5"), FIRST] == 1, "with an own dwelling"
    theirs = FIRST + compact.PER_SEAT
    assert hexes[HEX("F6"), theirs] == 1 and hexes[HEX("F6"), FIRST] == 0
    assert hexes[HEX("F6"), FIRST + compact.POWER_BESIDE] == np.float32(1 / 8)
    assert hexes[:, FIRST].sum() == 2 and hexes[:, theirs].sum() == 2


def test_vector_of_a_hand_made_position():
    table = rich(Table("halflings", "engineers", **PAIR), "halflings")
    seen = see(table.game, table.states)[1][0]
    assert seen[:17].tolist() == [1] + [0] * 16, "the main decision"
    assert seen[17:24].tolist() == [0, 1] + [0] * 5, "round 1"
    assert seen[24] == 1 and seen[24 + 8 + 1] == 1, "tile 1 now, tile 2 next"
    me = compact_vector.TABLE
    assert seen[me + 9] == 1, "Halflings"
    assert seen[me + 14] == 3.0 and seen[me + 20 : me + 30].all(), "30 workers"
    assert seen[me + 53] == np.float32(0.2)
    them = me + compact_vector.PER_PLAYER + board.BRIDGES
    assert seen[them + 6] == 1, "Engineers"


@pytest.mark.parametrize("spec", ["terra_mystica", "terra_mystica/3p"])
def test_numbers_agree_with_the_rules(spec):
    game = load_game(spec)
    states = late_positions(game, 12, 45)
    hexes, table = see(game, states)
    assert len(states) == 12
    for s, rows, vector in zip(states, hexes, table, strict=True):
        for k in range(game.num_seats):
            seat = (int(s["seat"]) + k) % game.num_seats
            first = compact.SHARED + compact.PER_SEAT * k
            level = ground.shipping(s, seat)
            low, high = ground.reached(s, seat, level)
            for land in range(board.LAND):
                power = ground.power_beside(s, land, seat) / 8
                assert rows[land, first + compact.POWER_BESIDE] == pytest.approx(power)
                reached = ground.in_set(low, high, land)
                assert rows[land, first + compact.REACHED] == reached
                mine = s["owner"][land] == seat
                assert rows[land, first : first + 5].sum() == mine
                assert rows[land, first + compact.IN_TOWN] == (mine and s["town"][land])
            at = compact_vector.TABLE + (compact_vector.PER_PLAYER + board.BRIDGES) * k
            network = scoring.network_size(s, seat) / 10
            assert vector[at + 70] == pytest.approx(network)
            assert vector[at + 53] == pytest.approx(s["vp"][seat] / 100)


def test_groups_show_where_a_town_would_be():
    table = Table("halflings", "engineers", **PAIR)
    s = table.states
    s["owner"][0][HEX("F7")] = 0
    s["building"][0][HEX("F7")] = 3
    s["site"][0, 0, 2] = HEX("F7")
    s["sites"][0, 0] = 3
    rows = see(table.game, s)[0][0]
    alone = rows[HEX("F5"), FIRST + compact.GROUP_POWER]
    assert alone == np.float32(1 / 7), "a dwelling by itself"
    assert rows[HEX("F7"), FIRST + compact.GROUP_POWER] == np.float32(2 / 7)
