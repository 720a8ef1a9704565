"""Inference gives what the network gives, faster."""

import numpy as np
import pytest
import torch

from nets.specs import ACTIONS, BOARD, BOARD_AND_FACTS, FULL, hex_specs
from stratagem.core.errors import BadSetting
from stratagem.nets.build import build_network
from stratagem.nets.inference import InferenceNetwork

HEX, HEX_ACTIONS = hex_specs(5, 6)
KINDS = [
    ("cnn", {"filters": 16}, BOARD),
    ("cnn", {"filters": 16, "global_pooling": True}, BOARD_AND_FACTS),
    ("transformer", {"layers": 2, "width": 16}, BOARD_AND_FACTS),
    ("transformer", {"layers": 2, "width": 64}, BOARD_AND_FACTS),  # heads of 16 numbers
    ("transformer", {"layers": 2, "width": 16, "action_tokens": True}, FULL),
    ("recall", {"filters": 16, "fields": 2}, HEX),
    ("recall", {"filters": 16, "separable": True}, HEX),
    ("recall", {"filters": 16, "style": "paper", "iterations": 2}, HEX),
    ("residual", {"filters": 16, "style": "compact", "blocks": 2}, HEX),
]


def _trained(kind, settings, observation, seed=0):
    """A network whose batch normalization has seen data and whose heads have opinions."""
    torch.manual_seed(seed)
    actions = HEX_ACTIONS if observation is HEX else ACTIONS
    network = build_network(kind, settings, observation, actions, 1)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
        for _ in range(30):
            network(torch.rand(64, observation.size))
    return network


def _observations(observation, count):
    return np.random.default_rng(count).random((count, observation.size), np.float32)


def _reference(network, observations):
    network.eval()
    with torch.no_grad():
        output = network(torch.from_numpy(observations))
    return output.logits.numpy(), output.values.numpy()


@pytest.mark.parametrize(("kind", "settings", "observation"), KINDS)
@pytest.mark.parametrize("count", [1, 7, 33, 600])
def test_folded_equals_unfolded(kind, settings, observation, count):
    network = _trained(kind, settings, observation)
    observations = _observations(observation, count)
    logits, values = InferenceNetwork(network, observation)(observations)
    expected_logits, expected_values = _reference(network, observations)
    assert logits.dtype == values.dtype == np.float32
    spread = max(1.0, float(np.abs(expected_logits).max()))
    np.testing.assert_allclose(logits, expected_logits, atol=1e-5 * spread)
    np.testing.assert_allclose(values, expected_values, atol=1e-5)
    assert expected_logits.std() > 0.01


@pytest.mark.parametrize(("kind", "settings", "observation"), KINDS)
def test_bfloat16_is_close(kind, settings, observation):
    network = _trained(kind, settings, observation)
    observations = _observations(observation, 40)
    logits, values = InferenceNetwork(network, observation, precision="bfloat16")(observations)
    expected_logits, expected_values = _reference(network, observations)
    assert logits.dtype == values.dtype == np.float32
    spread = np.abs(expected_logits).max()
    assert np.abs(logits - expected_logits).max() < 0.05 * max(spread, 1)
    assert np.abs(values - expected_values).max() < 0.05


def test_same_batch_same_bits():
    network = _trained(*KINDS[0])
    observations = _observations(BOARD, 130)
    inference = InferenceNetwork(network, BOARD)
    logits, values = inference(observations)
    for _ in range(3):
        again = InferenceNetwork(network, BOARD)(observations.copy())
        assert np.array_equal(logits, again[0])
        assert np.array_equal(values, again[1])


def test_training_reaches_it_only_by_refresh():
    network, other = _trained(*KINDS[0]), _trained(*KINDS[0], seed=1)
    observations = _observations(BOARD, 12)
    inference = InferenceNetwork(network, BOARD)
    before = inference(observations)[0]
    network.load_state_dict(other.state_dict())
    assert np.array_equal(before, inference(observations)[0])
    inference.refresh(network)
    np.testing.assert_allclose(
        inference(observations)[0], _reference(other, observations)[0], atol=1e-5
    )


def test_leaves_the_network_as_it_was():
    network = _trained(*KINDS[0]).train()
    before = {name: tensor.clone() for name, tensor in network.state_dict().items()}
    InferenceNetwork(network, BOARD)(_observations(BOARD, 20))
    assert network.training
    assert all(parameter.requires_grad for parameter in network.parameters())
    assert all(torch.equal(before[name], now) for name, now in network.state_dict().items())


def test_any_memory_is_welcome():
    """Empty batches, read-only arrays, and every second row of a larger array."""
    inference = InferenceNetwork(_trained(*KINDS[0]), BOARD)
    logits, values = inference(np.zeros((0, BOARD.size), np.float32))
    assert logits.shape == (0, 9)
    assert values.shape == (0, 1)
    observations = _observations(BOARD, 20)
    expected = inference(observations[::2].copy())[0]
    observations.flags.writeable = False
    assert np.array_equal(inference(observations[::2])[0], expected)


def test_refusals():
    network = _trained(*KINDS[0])
    with pytest.raises(BadSetting, match="float32, bfloat16"):
        InferenceNetwork(network, BOARD, precision="float8")
    with pytest.raises(ValueError, match="3 numbers"):
        InferenceNetwork(network, BOARD)(np.zeros((1, 3), np.float32))


def test_iterations_are_chosen_when_called():
    """More of them change what a recurrent network says; others refuse them."""
    network = _trained(*KINDS[5])
    observations = _observations(HEX, 9)
    six = InferenceNetwork(network, HEX)(observations)[0]
    twelve = InferenceNetwork(network, HEX, iterations=12)(observations)[0]
    with torch.no_grad():
        expected = network.eval()(torch.from_numpy(observations), iterations=12).logits.numpy()
    np.testing.assert_allclose(twelve, expected, atol=1e-5)
    assert np.abs(six - twelve).max() > 1e-3
    assert network.iterations == 6
    with pytest.raises(BadSetting, match="1 or more"):
        InferenceNetwork(network, HEX, iterations=0)
    with pytest.raises(BadSetting, match="is not iterative"):
        InferenceNetwork(_trained(*KINDS[0]), BOARD, iterations=3)
