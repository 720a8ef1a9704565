"""Measures how fast a network runs on one core, compared with what the core can do.

The reference is this machine's product of two matrices in the same precision, measured at the same
time. Operations are counted on the plain network, so that an engine that computes less (only the
tokens of legal actions) does not get credit twice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from stratagem.nets.inference.network import InferenceNetwork
from stratagem.nets.inference.runner import TYPES, Array, Precision

_SIDE = 1024  # of the matrices that are multiplied
_SLICE = 0.02  # minimum seconds of work between two readings of the clock


@dataclass(frozen=True)
class NetworkSpeed:
    """Speed on one core."""

    positions_per_s: float
    gflops: float
    peak_share: float  # relative to a matrix product


def measure_network(
    module: nn.Module, network: InferenceNetwork, observations: Array, seconds: float
) -> NetworkSpeed:
    """Measure the network on a batch of observations; `module` is the original of it."""
    left, right = (torch.rand(_SIDE, _SIDE).to(TYPES[network.precision]) for _ in range(2))
    took, product = alternate(
        [lambda: network(observations), lambda: torch.mm(left, right)], seconds
    )
    operations = count_operations(module, observations)
    gflops = operations * len(observations) / took / 1e9
    return NetworkSpeed(len(observations) / took, gflops, gflops / (2 * _SIDE**3 / product / 1e9))


def alternate(works: Sequence[Callable[[], object]], seconds: float) -> list[float]:
    """Return the shortest processor time of each, alternating for about `seconds` in all."""
    repeats = [_repeats(work) for work in works]
    best, until = [float("inf")] * len(works), time.process_time() + seconds
    while True:
        for number, (work, times) in enumerate(zip(works, repeats, strict=True)):
            work()  # the previous work has filled the caches
            started = time.process_time()
            for _ in range(times):
                work()
            best[number] = min(best[number], (time.process_time() - started) / times)
        if time.process_time() >= until:
            return best


def count_operations(module: nn.Module, observations: Array) -> float:
    """Count multiplications and additions for one position, as torch counts them."""
    counter = FlopCounterMode(display=False)
    # Fused attention is not counted, separate products are.
    with torch.inference_mode(), sdpa_kernel(SDPBackend.MATH), counter:
        module.eval()(torch.from_numpy(observations))
    return float(counter.get_total_flops()) / len(observations)


def matrix_gflops(precision: Precision, seconds: float) -> float:
    """Measure what one core of this machine reaches in a product of two matrices."""
    left, right = (torch.rand(_SIDE, _SIDE).to(TYPES[precision]) for _ in range(2))
    return 2 * _SIDE**3 / alternate([lambda: torch.mm(left, right)], seconds)[0] / 1e9


def _repeats(work: Callable[[], object]) -> int:
    """Return how many repeats fill a slice."""
    work()
    started = time.process_time()
    work()
    return max(1, int(_SLICE / max(time.process_time() - started, 1e-6)))
