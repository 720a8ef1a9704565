"""Networks as OpenVINO graphs: converted once, compiled again for new weights.

Weights are inputs of the converted graphs (`graph_conversion.py`). Binding inserts the current
ones and compiles, so that they are folded and packed as constants; no new conversion is needed
while the architecture stays the same (`graph_cache.py`). Every architecture is compared with torch
before it is used.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from torch import nn

from stratagem.nets.inference.graph_cache import core, keep_graph, openvino, read_graph
from stratagem.nets.inference.graph_conversion import (
    Stage,
    architecture,
    convert,
    parameter_names,
    stages_of,
    weights_of,
)
from stratagem.nets.inference.graph_forms import has_small_scores
from stratagem.nets.inference.runner import Array, Precision, TorchRunner

_CHECKED = (1, 2, 16)  # batch sizes that are compared with torch
_TOLERANCE: dict[Precision, float] = {"float32": 1e-4, "bfloat16": 0.06}
_TIMES_TORCH = 3.0  # how much further from float32 a graph may be than torch in its precision
_OPTIONS = {
    "NUM_STREAMS": 1,
    "INFERENCE_NUM_THREADS": 1,  # several networks in several threads, as with torch
    "ENABLE_CPU_PINNING": False,
}
_FULL = 0.9  # of a compiled batch size: from here on padding is faster
_NAMES: dict[Precision, str] = {"float32": "f32", "bfloat16": "bf16"}

_lock = threading.Lock()
_graphs: dict[str, list[Graph] | None] = {}  # by architecture; None: it did not agree with torch


class GraphRunner:
    """A network's graphs with its weights, run in sequence."""

    def __init__(self, parts: Sequence[_BoundGraph]) -> None:
        self._parts = parts

    def __call__(self, observations: Array, features: Array | None) -> tuple[Array, Array]:
        """Return (logits, values) of observations [B, D] and, if given, features [B, L, F]."""
        given = [observations] if features is None else [observations, features]
        for part in self._parts:
            given = part(given)
        logits, values = given
        return logits, values


class _BoundGraph:
    """A graph with its weights.

    It is compiled once for any number of positions and once for each of `sizes`, which is faster
    (with action tokens, for each number of them), each when it is first needed. Batches slightly
    smaller than one of those are padded to it.
    """

    def __init__(self, model: Any, precision: Precision, sizes: tuple[int, ...]) -> None:
        self._model, self._precision = model, precision
        self._sizes = sizes
        self._requests: dict[tuple[tuple[int, ...], ...], Any] = {}  # by shapes; (): any

    def __call__(self, given: list[Array]) -> list[Array]:
        count = len(given[0])
        size = next((one for one in self._sizes if _FULL * one <= count <= one), 0)
        if count < size:
            given = [_fill_up(one, size) for one in given]
        shapes = tuple(one.shape for one in given) if size else ()
        found = self._request(shapes).infer(given, share_inputs=True)
        return [found[number][:count] for number in range(len(found))]

    def _request(self, shapes: tuple[tuple[int, ...], ...]) -> Any:
        if shapes not in self._requests:
            model = self._model.clone()
            if shapes:
                model.reshape(
                    {at: openvino().PartialShape(list(shape)) for at, shape in enumerate(shapes)}
                )
            options = {**_OPTIONS, "INFERENCE_PRECISION_HINT": _NAMES[self._precision]}
            compiled = core().compile_model(model, "CPU", options)
            self._requests[shapes] = compiled.create_infer_request()
        return self._requests[shapes]


def _fill_up(rows: Array, size: int) -> Array:
    """Return the rows, followed by zeros."""
    filled = np.zeros((size, *rows.shape[1:]), np.float32)
    filled[: len(rows)] = rows
    return filled


class Graph:
    """A converted part of an architecture, without weights."""

    def __init__(self, model: Any, stage: Stage) -> None:
        self._model, self._stage = model, stage
        found = [parameter.get_friendly_name() for parameter in model.get_parameters()]
        if found != parameter_names(stage):
            raise RuntimeError("a converted network lost some of its weights, or their order")

    def bind(self, module: nn.Module, sizes: tuple[int, ...]) -> _BoundGraph:
        """Bind the module's current weights; `sizes` as in _BoundGraph."""
        model = self._model.clone()
        open_weights = model.get_parameters()[len(self._stage.inputs) :]
        weights = weights_of(module, self._stage.weights)
        for parameter, weight in zip(open_weights, weights, strict=True):
            constant = openvino().op.Constant(weight.numpy())
            parameter.output(0).replace(constant.output(0))
            model.remove_parameter(parameter)
        return _BoundGraph(model, self._stage.precision, sizes)


def bind_graph(
    module: nn.Module,
    size: int,
    features: tuple[int, int] | None,
    precision: Precision,
    sizes: tuple[int, ...],
) -> GraphRunner | None:
    """Return the module as graphs; None, with a warning, if its results differ from torch's.

    `size` is that of an observation, `features` [A, F] those of the actions, where they are given;
    `sizes` are batches to be compiled for, smallest first.
    """
    scores = "small scores" if has_small_scores(module) else "any scores"
    name = f"{precision} {size} {features} {scores} {architecture(module)}"
    with _lock:
        if name not in _graphs:
            _graphs[name] = _make_graphs(name, module, size, features, precision)
        graphs = _graphs[name]
    return None if graphs is None else GraphRunner([one.bind(module, sizes) for one in graphs])


def _make_graphs(
    name: str,
    module: nn.Module,
    size: int,
    features: tuple[int, int] | None,
    precision: Precision,
) -> list[Graph] | None:
    """Return the architecture's graphs, read or converted; None: torch's results differ."""
    stages = {f"{name} {one.method}": one for one in stages_of(module, size, features, precision)}
    found = {key: read_graph(key) for key in stages}
    if None not in found.values():
        return [Graph(found[key], stage) for key, stage in stages.items()]
    models = {key: convert(module, stage) for key, stage in stages.items()}
    graphs = [Graph(models[key], stage) for key, stage in stages.items()]
    runner = GraphRunner([graph.bind(module, _CHECKED[:1]) for graph in graphs])
    if _agrees(runner, module, size, features, precision):
        return [Graph(keep_graph(key, models[key]), stage) for key, stage in stages.items()]
    warnings.warn(
        f"OpenVINO computes {type(module).__name__} wrongly on this machine: "
        "torch computes it instead",
        stacklevel=2,
    )
    return None


def _agrees(
    runner: GraphRunner,
    module: nn.Module,
    size: int,
    features: tuple[int, int] | None,
    precision: Precision,
) -> bool:
    exact, torch_runner = TorchRunner(module, "float32"), TorchRunner(module, precision)
    generator = np.random.default_rng(0)
    for count in _CHECKED:
        observations = generator.random((count, size), np.float32)
        shown = None if features is None else generator.random((count, *features), np.float32)
        given = (observations, shown)
        # Some trained weights are sensitive to rounding, whoever rounds.
        for found, wanted, rounded in zip(
            runner(*given), exact(*given), torch_runner(*given), strict=True
        ):
            spread = max(1.0, float(np.abs(wanted).max(initial=0.0)))
            by_torch = float(np.abs(rounded - wanted).max(initial=0.0))
            allowed = max(_TOLERANCE[precision] * spread, _TIMES_TORCH * by_torch)
            if not np.allclose(found, wanted, rtol=0.0, atol=allowed):
                return False
    return True
