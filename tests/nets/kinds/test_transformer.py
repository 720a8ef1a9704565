"""The Transformer: with and without action tokens, and what its positions mean."""

import pytest
import torch

from nets.specs import ACTIONS, BOARD, FULL, MOVES, PLANES
from stratagem.core.errors import BadSetting
from stratagem.core.specs import ActionSpec
from stratagem.nets.kinds.transformer import Settings, build

SMALL = {"layers": 2, "heads": 2, "width": 16}


def _network(action_tokens=False, observation=FULL, num_values=1, **settings):
    torch.manual_seed(0)
    chosen = Settings(**SMALL, action_tokens=action_tokens, **settings)
    return build(chosen, observation, ACTIONS, num_values).eval()


def _observation(count=3):
    """All actions legal."""
    torch.manual_seed(1)
    observation = torch.rand(count, FULL.size)
    _moves(observation)[:, :, -1] = 1
    return observation


def _moves(observation):
    start, stop = FULL.bounds(MOVES)
    return observation[:, start:stop].view(-1, *MOVES.shape)


def _board(observation):
    start, stop = FULL.bounds(PLANES)
    return observation[:, start:stop].view(-1, *PLANES.shape)


@pytest.mark.parametrize("action_tokens", [False, True])
@pytest.mark.parametrize("num_values", [1, 3])
def test_shapes_and_bounds(action_tokens, num_values):
    output = _network(action_tokens, num_values=num_values)(100 * _observation())
    assert output.logits.shape == (3, 9)
    assert output.values.shape == (3, num_values)
    assert output.values.abs().max() <= 1


def test_reads_a_board_alone():
    assert _network(observation=BOARD)(torch.rand(2, BOARD.size)).logits.shape == (2, 9)


@pytest.mark.parametrize("axis", [2, 3])  # rows, columns
def test_position_matters(axis):
    observation = _observation()
    moved = observation.clone()
    _board(moved)[:] = _board(observation).roll(1, axis)
    network = _network()
    assert not torch.allclose(network(observation).values, network(moved).values, atol=1e-7)


@pytest.mark.parametrize(("axis", "embedding"), [(2, "row"), (3, "column")])
def test_only_embeddings_know_positions(axis, embedding):
    """Without its embedding an axis is a bag: the value of a rolled board stays the same."""
    network = _network()
    with torch.no_grad():
        getattr(network.board, embedding).zero_()
    observation = _observation()
    moved = observation.clone()
    _board(moved)[:] = _board(observation).roll(1, axis)
    assert torch.allclose(network(observation).values, network(moved).values, atol=1e-6)


def test_policy_follows_its_action_tokens():
    """Renumbering the actions renumbers the logits and leaves the value alone."""
    network = _network(action_tokens=True)
    observation = _observation()
    order = torch.randperm(9)
    renumbered = observation.clone()
    _moves(renumbered)[:] = _moves(observation)[:, order]
    before, after = network(observation), network(renumbered)
    assert before.logits.std(1).min() > 1e-4
    assert torch.allclose(before.logits[:, order], after.logits, atol=1e-6)
    assert torch.allclose(before.values, after.values, atol=1e-6)


def test_illegal_actions_tell_nothing():
    network = _network(action_tokens=True)
    observation = _observation()
    _moves(observation)[:, 4, -1] = 0
    changed = observation.clone()
    _moves(changed)[:, 4, :-1] += 5
    others = torch.arange(9) != 4
    before, after = network(observation), network(changed)
    assert torch.allclose(before.values, after.values, atol=1e-6)
    assert torch.allclose(before.logits[:, others], after.logits[:, others], atol=1e-6)


def test_legal_actions_and_board_hear_each_other():
    network = _network(action_tokens=True)
    observation = _observation()
    other_move, other_board = observation.clone(), observation.clone()
    _moves(other_move)[:, 4, :-1] += 5
    _board(other_board)[:] += 1
    before = network(observation)
    assert not torch.allclose(before.values, network(other_move).values, atol=1e-6)
    assert not torch.allclose(before.logits, network(other_board).logits, atol=1e-6)


def test_refusals():
    with pytest.raises(BadSetting, match="'actions' slice"):
        _network(action_tokens=True, observation=BOARD)
    with pytest.raises(BadSetting, match="describes 9 actions, but the game has 4"):
        build(Settings(**SMALL, action_tokens=True), FULL, ActionSpec(4), 1)
