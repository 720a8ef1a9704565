"""Networks as OpenVINO graphs: converted once, compiled again for new weights.

Weights are inputs of the converted graph. Binding inserts the current ones and compiles, so that
they are folded and packed as constants; no new conversion is needed while the architecture stays
the same (`graph_cache.py`). Every architecture is compared with torch before it is used.
"""

from __future__ import annotations

import hashlib
import io
import pickle
import threading
import warnings
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from stratagem.nets.inference.graph_cache import core, keep_graph, openvino, read_graph
from stratagem.nets.inference.graph_forms import graph_form
from stratagem.nets.inference.runner import Array, Precision, TorchRunner

_CHECKED = (1, 2, 16)  # batch sizes that are compared with torch
_TOLERANCE: dict[Precision, float] = {"float32": 1e-4, "bfloat16": 0.06}
_TIMES_TORCH = 3.0  # how much further from float32 a graph may be than torch in its precision
_OPTIONS = {
    "NUM_STREAMS": 1,
    "INFERENCE_NUM_THREADS": 1,  # several networks in several threads, as with torch
    "ENABLE_CPU_PINNING": False,
}
_INPUTS = ("observations", "features")  # of a graph, before its weights
_FULL = 0.9  # of a compiled batch size: from here on padding is faster
_NAMES: dict[Precision, str] = {"float32": "f32", "bfloat16": "bf16"}

_lock = threading.Lock()
_graphs: dict[str, Graph | None] = {}  # by architecture; None: it did not agree with torch


class GraphRunner:
    """A graph with its weights: (logits, values) of observations [B, D].

    It is compiled once for any number of positions and once for each of `sizes`, which is faster,
    each when it is first needed. Batches slightly smaller than one of those are padded to it.
    """

    def __init__(self, model: Any, precision: Precision, sizes: tuple[int, ...]) -> None:
        self._model, self._precision = model, precision
        self._sizes = sizes
        self._requests: dict[int, Any] = {}  # by the number of positions; 0: any

    def __call__(self, observations: Array, features: Array | None) -> tuple[Array, Array]:
        if features is not None:
            found = self._request(0).infer([observations, features], share_inputs=True)
            return found[0], found[1]
        count = len(observations)
        size = next((one for one in self._sizes if _FULL * one <= count <= one), 0)
        if count < size:
            filled = np.zeros((size, observations.shape[1]), np.float32)
            filled[:count] = observations
            observations = filled
        found = self._request(size).infer([observations], share_inputs=True)
        return found[0][:count], found[1][:count]

    def _request(self, size: int) -> Any:
        if size not in self._requests:
            model = self._model.clone()
            if size:
                width = model.get_parameters()[0].get_partial_shape()[1]
                model.reshape({0: openvino().PartialShape([size, width])})
            options = {**_OPTIONS, "INFERENCE_PRECISION_HINT": _NAMES[self._precision]}
            compiled = core().compile_model(model, "CPU", options)
            self._requests[size] = compiled.create_infer_request()
        return self._requests[size]


class Graph:
    """A converted architecture without weights."""

    def __init__(self, model: Any, names: list[str], inputs: int) -> None:
        self._model, self._names, self._inputs = model, names, inputs
        found = [parameter.get_friendly_name() for parameter in model.get_parameters()]
        if found != [*_INPUTS[:inputs], *names]:
            raise RuntimeError("a converted network lost some of its weights, or their order")

    def bind(self, module: nn.Module, precision: Precision, sizes: tuple[int, ...]) -> GraphRunner:
        """Bind the module's current weights; `sizes` as in GraphRunner."""
        model = self._model.clone()
        open_weights = model.get_parameters()[self._inputs :]
        weights = _weights(module, self._names)
        for parameter, weight in zip(open_weights, weights, strict=True):
            constant = openvino().op.Constant(weight.numpy())
            parameter.output(0).replace(constant.output(0))
            model.remove_parameter(parameter)
        return GraphRunner(model, precision, sizes)


def bind_graph(
    module: nn.Module,
    size: int,
    features: tuple[int, int] | None,
    precision: Precision,
    sizes: tuple[int, ...],
) -> GraphRunner | None:
    """Return the module as a graph; None, with a warning, if its results differ from torch's.

    `size` is that of an observation, `features` [A, F] those of the actions, where they are given;
    `sizes` are batches to be compiled for, smallest first.
    """
    name = f"{precision} {size} {features} {_architecture(module)}"
    with _lock:
        if name not in _graphs:
            _graphs[name] = _make_graph(name, module, size, features, precision)
        graph = _graphs[name]
    return None if graph is None else graph.bind(module, precision, sizes)


def _make_graph(
    name: str,
    module: nn.Module,
    size: int,
    features: tuple[int, int] | None,
    precision: Precision,
) -> Graph | None:
    """The architecture's graph, from disk or converted; None: it does not agree with torch."""
    names, inputs = weight_names(module), 1 if features is None else 2
    found = read_graph(name)
    if found is not None:
        return Graph(found, names, inputs)
    model = _convert(module, size, features, precision)
    if _agrees(Graph(model, names, inputs), module, size, features, precision):
        return Graph(keep_graph(name, model), names, inputs)
    warnings.warn(
        f"OpenVINO computes {type(module).__name__} wrongly on this machine: "
        "torch computes it instead",
        stacklevel=2,
    )
    return None


def _convert(
    module: nn.Module, size: int, features: tuple[int, int] | None, precision: Precision
) -> Any:
    form = graph_form(module, precision)
    wrapper = _OpenWeights(form, with_features=features is not None)
    shown = [torch.rand(3, size)] + ([] if features is None else [torch.rand(3, *features)])
    shapes = [[-1, size]] + ([] if features is None else [[-1, -1, features[1]]])
    weights = _weights(module, wrapper.names)
    example = (*shown, *weights)
    shapes += [list(weight.shape) for weight in weights]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # tracing is deprecated, and warns of every shape
        traced = torch.jit.trace(wrapper, example, check_trace=False)  # type: ignore[no-untyped-call]
        model = openvino().convert_model(traced, example_input=example, input=shapes)
    names = [*_INPUTS[: len(shown)], *wrapper.names]
    for parameter, name in zip(model.get_parameters(), names, strict=True):
        parameter.set_friendly_name(name)
    return model


def _agrees(
    graph: Graph,
    module: nn.Module,
    size: int,
    features: tuple[int, int] | None,
    precision: Precision,
) -> bool:
    runner = graph.bind(module, precision, _CHECKED[:1])
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


class _OpenWeights(nn.Module):
    """A network as a function of its inputs and its weights."""

    def __init__(self, module: nn.Module, *, with_features: bool) -> None:
        super().__init__()
        self.names = weight_names(module)
        self._with_features = with_features
        object.__setattr__(self, "_hidden", module)  # its weights are not the wrapper's

    def forward(self, *inputs: Tensor) -> tuple[Tensor, Tensor]:
        module: Any = self.__dict__["_hidden"]
        given = 2 if self._with_features else 1
        for name, weight in zip(self.names, inputs[given:], strict=True):
            path, _, leaf = name.rpartition(".")
            owner = module.get_submodule(path)
            place = owner._parameters if leaf in owner._parameters else owner._buffers
            place[leaf] = weight
        output = module.decide(*inputs[:2]) if self._with_features else module(inputs[0])
        return output.logits, output.values


def weight_names(module: nn.Module) -> list[str]:
    """What a graph takes as inputs besides observations, in this order."""
    return [name for name, one in module.state_dict().items() if one.dtype == torch.float32]


def _weights(module: nn.Module, names: list[str]) -> list[Tensor]:
    state = module.state_dict()
    return [state[name].detach().float().contiguous() for name in names]


def _architecture(module: nn.Module) -> str:
    """Everything that a graph depends on, weights by their shape alone."""
    weights = {id(one) for one in module.state_dict(keep_vars=True).values()}

    class Pickler(pickle.Pickler):
        def persistent_id(self, item: Any) -> Any:
            if not isinstance(item, Tensor):
                return None
            held = "" if id(item) in weights else item.detach().numpy().tobytes()
            return str(item.dtype), tuple(item.shape), held

    written = io.BytesIO()
    Pickler(written).dump(module)
    return hashlib.blake2b(written.getvalue(), digest_size=16).hexdigest()
