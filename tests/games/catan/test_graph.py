"""The encoding `graph`, and a search with a network over it: right numbers, mirrors, no peeking."""

import numpy as np
import pytest
import torch

from games.catan.island import TILE_PLACES
from games.catan.positions import build, give, in_play, terrain
from stratagem.agents import make_agent
from stratagem.agents.kinds.mcts import MctsAgent
from stratagem.agents.network import NetworkEvaluator
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_generator, derive_seeds
from stratagem.games.catan import actions, board
from stratagem.nets.build import build_network
from stratagem.nets.inference import InferenceNetwork
from stratagem.search import SearchSettings

TILE = slice(19, 28)  # columns of a tile: resource, ways, odds of the next roll, robber, may come


def parts(game, state):
    observer = game.observer("graph")
    seen = observer(state)[0]
    return {
        part.name: seen[slice(*observer.spec.bounds(part))].reshape(part.shape)
        for part in observer.spec.slices
    }


def network(game):
    torch.manual_seed(3)
    observer = game.observer("graph")
    module = build_network("graph", {}, observer.spec, game.actions, 1)
    for parameter in module.parameters():  # last layers start near zero: make opinions
        parameter.data += 0.05 * torch.randn_like(parameter)
    return NetworkEvaluator(game, observer, InferenceNetwork(module, observer.spec))


def test_layout():
    spec = load_game("catan").observer("graph").spec
    assert [(part.name, part.shape) for part in spec.slices] == [
        ("island", (73, 28)), ("edges", (72, 4)), ("table", (171,)),
    ]  # fmt: skip
    roads, corners = spec.slices[0].relations
    assert len(roads) == 72 and len(corners) == 19 * 6
    for tile, place in corners:
        assert place in TILE_PLACES[tile - 54]


def test_places_and_tiles():
    game, state = in_play("catan")
    build(state, 0, settle=[12], city=[45], road="12-17")
    build(state, 1, settle=[30], road="30-35")
    for tile, name, number in ((0, "wheat", 6), (4, "sheep", 5), (3, "ore", 9)):
        terrain(state, tile, name, number)
    state["robber"] = 3
    island = parts(game, state)["island"]
    assert island[:54, 0].sum() == 0 and island[54:, 0].all()
    assert island[12, 1:5].tolist() == [1, 0, 0, 0]  # own settlement, own city, theirs
    assert island[45, 1:5].tolist() == [0, 1, 0, 0]
    assert island[30, 1:5].tolist() == [0, 0, 1, 0]
    assert island[12, 18] == pytest.approx(4 / 5)  # a nine falls in four ways
    tile = island[54 + 3, TILE]
    assert tile[:6].tolist() == pytest.approx([0, 0, 0, 0, 1, 0.8])
    assert tile[6] == pytest.approx(6 * 4 / 36)
    assert tile[7] == 1 and tile[8] == 0  # the robber is here and must move
    assert not island[54:, 1:19].any() and not island[:54, TILE].any()


def test_sums_of_the_table():
    game, state = in_play("catan")
    terrain(state, 3, "ore", 9)
    build(state, 0, city=[12])
    give(state, 0, wheat=2, ore=1)
    state["robber"] = 0
    table = parts(game, state)["table"][-2 * 20 :]
    tiles = [t for t in range(19) if 12 in TILE_PLACES[t]]
    ways = {9: 4, 8: 5, 6: 5, 5: 4, 10: 3, 4: 3, 3: 2, 11: 2, 2: 1, 12: 1, 0: 0}
    ore = sum(2 * ways[int(state["token"][0, t])] for t in tiles if state["terrain"][0, t] == 4)
    assert table[4] == pytest.approx(2 * ore / 36)
    assert table[12:16].tolist() == pytest.approx([0, 1 / 4, 3 / 5, 2 / 3])
    assert not table[20:25].any()  # the other has nothing on the board


def test_actions_stand_where_they_happen():
    game, names = load_game("catan"), {}
    state = game.new_states(derive_seeds(1, count=1))[0]
    for action in range(game.actions.size):
        names[action] = game.rules.notation.format_action(state, action)
    assert [names[a] for a in game.actions.at_nodes[12]] == ["settle 12", "city 12"]
    assert [names[a] for a in game.actions.at_nodes[54 + 5]] == ["knight T5", "robber T5"]
    ends = "-".join(map(str, board.EDGE_PLACES[7]))
    assert [names[a] for a in game.actions.at_edges[7]] == [f"road {ends}", f"free road {ends}"]
    placed = [a for row in (*actions.AT_NODES, *actions.AT_EDGES) for a in row]
    assert len(set(placed)) == len(placed) == 2 * (73 + 72)


def test_mirror_images_get_mirrored_answers():
    """The network sees a graph, not numbers of places: a turned island turns its logits."""
    game = load_game("catan")
    evaluator = network(game)
    states = game.new_states(derive_seeds(4, "mirror", count=5))
    choice = derive_generator(4, "mirror")
    for ply in range(120):
        drawn = game.draw(states, derive_seeds(ply, "mirror", count=5))
        ids, counts = game.legal(states)
        moves = ids[np.arange(5), (choice.random(5) * np.maximum(counts, 1)).astype(int)]
        game.kernels.step(states, np.where(drawn >= 0, drawn, moves))
    states = states[states["seat"] >= 0]
    assert len(states) >= 2
    plain = evaluator.evaluate(states, np.arange(len(states)))
    for index in range(1, game.num_symmetries):
        turned = states.copy()
        game.kernels.symmetry(states, np.full(len(states), index), turned)
        seen = evaluator.evaluate(turned, np.arange(len(states)))
        assert np.allclose(seen.values, plain.values, atol=1e-5)
        for row, state in enumerate(states):
            for action in game.legal_actions(state):
                other = game.rules.symmetry_action(state, index, action)
                assert seen.logits[row, other] == pytest.approx(plain.logits[row, action], abs=1e-4)


@pytest.mark.parametrize("player", ["network", "best"])
def test_a_searching_agent_cannot_peek(player):
    """Other hidden cards and another deck: the same visits, values and choice, tree by tree."""
    game, state = in_play("catan")
    build(state, 0, settle=[12, 45], road="12-17 45-49")
    build(state, 1, settle=[30], road="30-35")
    give(state, 1, knight=2, point=1, monopoly=1, wheat=2)
    give(state, 0, knight=1, sheep=1, wheat=1, ore=1, wood=3, brick=1)
    other = state.copy()
    other["cards"][0, 1] = [0, 2, 1, 1, 0]
    other["deck"][0] = state["deck"][0] + state["cards"][0, 1] - other["cards"][0, 1]
    assert not np.array_equal(state["deck"], other["deck"])
    settings = SearchSettings(sims=64, determinizations=4)
    agent = make_agent("best", game)
    if player == "network":
        agent = MctsAgent(game, network(game), settings, "test")
    seeds = derive_seeds(6, "peek", count=1)
    reports = [agent.analyse(position, seeds) for position in (state, other)]
    assert np.array_equal(reports[0].policy, reports[1].policy)
    assert np.array_equal(reports[0].values, reports[1].values)
    assert np.array_equal(reports[0].priors, reports[1].priors)
    assert agent.act(state, seeds) == agent.act(other, seeds)
    # The test can fail: what the seat does see changes the search.
    shown = state.copy()
    shown["hand"][0, 1] = [0, 0, 0, 0, 6]
    assert not np.array_equal(agent.analyse(shown, seeds).values, reports[0].values)
