"""What networks are measured by: operations counted, time shared out fairly."""

import numpy as np
import pytest
import torch

from nets.specs import ACTIONS, BOARD
from stratagem.nets.build import build_network
from stratagem.nets.inference import InferenceNetwork
from stratagem.nets.inference.speed import alternate, count_operations, measure_network


def test_operations_are_counted_per_position():
    module = build_network("feedforward", {"hidden": (10,)}, BOARD, ACTIONS, 1)
    by_hand = 2 * (BOARD.size * 10 + 10 * ACTIONS.size + 10)
    for count in (1, 7):
        seen = np.zeros((count, BOARD.size), np.float32)
        assert count_operations(module, seen) == pytest.approx(by_hand)


def test_work_is_timed_in_turns():
    order = []
    short, long = alternate(
        [lambda: order.append("short"), lambda: (order.append("long"), sum(range(200_000)))], 0.05
    )
    assert 0 <= short < long
    assert order[-1] == "long" and order.index("long") < len(order) - order[::-1].index("short")


def test_a_network_is_measured():
    torch.manual_seed(0)
    module = build_network("cnn", {"filters": 8, "blocks": 1}, BOARD, ACTIONS, 1).eval()
    seen = np.zeros((16, BOARD.size), np.float32)
    speed = measure_network(module, InferenceNetwork(module, BOARD, engine="torch"), seen, 0.05)
    assert speed.gflops == pytest.approx(
        count_operations(module, seen) * speed.positions_per_s / 1e9
    )
    assert 0 < speed.peak_share < 1
