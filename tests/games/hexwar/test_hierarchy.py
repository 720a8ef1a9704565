"""Hexwar as tiles and pieces says the same as its planes, and its tokens tell actions apart."""

import numpy as np
import pytest
import torch

from games.hexwar.positions import battle, move
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seeds
from stratagem.games.hexwar.encode import hierarchy
from stratagem.nets.build import build_network

SCENARIOS = ["hexwar/curriculum", "hexwar/randomized", "hexwar/breakthrough"]


def parts_of(observer, flat):
    """Slices of one observation by name."""
    found, at = {}, 0
    for part in observer.spec.slices:
        found[part.name] = flat[at : at + part.size].reshape(part.shape)
        at += part.size
    assert at == flat.size
    return found


def positions(spec, steps=60):
    """Positions of random games, some after each step."""
    game = load_game(spec)
    states = game.new_states(derive_seeds(7, count=4))
    rng = np.random.default_rng(3)
    for _ in range(steps):
        live = states[states["seat"] >= 0]
        if not len(live):
            return
        yield game, live
        ids, counts = game.legal(live)
        game.kernels.step(live, ids[np.arange(len(live)), rng.integers(counts)])
        states = live


@pytest.mark.parametrize("spec", SCENARIOS)
def test_it_says_what_the_planes_say(spec):
    """Terrain, goals, target and every unit with its owner, status, level and points left."""
    for game, states in positions(spec):
        stacking, area = int(states["stacking"][0]), game.scenario.height * game.scenario.width
        tokens = game.observer("hierarchy")
        planes = game.observer("planes", {"own_first": 1})
        for seen, board in zip(tokens(states), planes(states), strict=True):
            parts = parts_of(tokens, seen)
            board = board.reshape(-1, area)
            assert np.array_equal(parts["tiles"][:, :5], board[:5].T)
            units = 5 + 12 * 3
            assert np.array_equal(parts["tiles"][:, -1], board[units + 18 * stacking])
            shown = np.zeros((18 * stacking, area), np.float32)
            for piece, tile, slot in zip(
                parts["pieces"], parts["piece_tile"], parts["piece_slot"], strict=True
            ):
                if tile < 0:
                    assert not piece.any() and slot < 0
                    continue
                ready, moved, fought, chosen = piece[3:7]
                assert ready + moved + fought + chosen == 1
                group = 0 if ready else 2 if fought else 1
                row = (0 if piece[7] else 9 * stacking) + (group * stacking + int(slot)) * 3
                shown[row : row + 3, int(tile)] = piece[0] * 2, piece[1] * 2, piece[2] * 4
            assert np.allclose(shown, board[units : units + 18 * stacking])


def test_arrivals_stand_on_the_hexes_where_they_may_come():
    game = load_game("hexwar/curriculum")
    observer = game.observer("hierarchy")
    tiles = parts_of(observer, observer(game.new_states(np.array([1], np.uint64)))[0])["tiles"]
    west = np.arange(25) % 5 < 2
    for unit, timing in enumerate((1.0, 1.0, 0.7)):
        block = tiles[:, 5 + 4 * unit : 9 + 4 * unit]
        assert np.allclose(block[west], [0.5, 0.5, 0.5, timing]) and not block[~west].any()
    assert np.array_equal(tiles[:, 17] > 0, np.arange(25) % 5 > 2)  # the enemy's, in the east


def test_the_target_is_chosen_so_far():
    game, state = battle({"c3": "II"}, {"c4": "I"})
    move(game, state, "stay c3/1", "stay c3/2", "attack c4", "with c3/2")
    observer = game.observer("hierarchy")
    parts = parts_of(observer, observer(state)[0])
    assert np.flatnonzero(parts["decision"]).tolist() == [25 + 2 + 3 * 5 + 2]
    assert np.flatnonzero(parts["globals"][:4]).tolist() == [3]
    assert parts["decision"].size == hierarchy.decision_size(game.scenario)


@pytest.mark.parametrize("spec", SCENARIOS)
def test_tokens_tell_legal_actions_apart(spec):
    for game, states in positions(spec, steps=40):
        ids, counts = game.legal(states)
        for row, count in zip(ids, counts, strict=True):
            tokens = [game.actions.tokens[action] for action in row[:count]]
            assert len(set(tokens)) == count


def test_a_token_names_kind_hex_level_and_aim():
    game, state = battle({"b3": "II"}, {"c3": "I"})
    parse, area = game.rules.notation.parse_action, 25
    tile, units, target = 7, 7 + area, 7 + area + 2
    here = 2 * 5 + 1
    for text, token in (
        ("place b3", (0, tile + here)),
        ("move b3/2 N", (1, tile + here, units + 1, target + here - 5)),
        ("attack b3", (2, target + here)),
        ("with b3/1", (3, tile + here, units)),
        ("fight b3", (4, target + here)),
        ("stay b3/2", (5, tile + here, units + 1)),
        ("hold b3/1", (6, tile + here, units)),
    ):
        assert game.actions.tokens[parse(state[0], text)] == token


def test_the_region_network_plays_hexwar_as_it_is():
    """Nothing in the network knows hexwar: encoding and tokens are all it needs."""
    game = load_game("hexwar/symmetric")
    observer = game.observer("hierarchy")
    network = build_network("regions", {"width": 16}, observer.spec, game.actions, 1)
    states = game.new_states(derive_seeds(1, count=3))
    output = network(torch.from_numpy(observer(states)))
    assert output.logits.shape == (3, 525) and output.values.shape == (3, 1)
    assert torch.isfinite(output.logits).all()
