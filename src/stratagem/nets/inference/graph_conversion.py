"""A network's parts as OpenVINO graphs whose weights are inputs.

Most networks are one graph. A network that needs more digits than bfloat16 has to read its
observation is two: one in float32 that reads, and one for the rest.
"""

from __future__ import annotations

import hashlib
import io
import pickle
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from stratagem.nets.inference.graph_cache import openvino
from stratagem.nets.inference.graph_forms import graph_form
from stratagem.nets.inference.runner import Precision
from stratagem.nets.output import ReadsExactly

_EXACT = "fields."  # prefix of the weights that are used for reading in float32
_SHOWN = 3  # size of open dimensions while tracing
_OPEN = -1

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Stage:
    """A part of a network that is one graph."""

    method: str  # the network's method that computes this part
    inputs: tuple[Shape, ...]  # shapes for one position, without weights
    weights: tuple[str, ...]
    precision: Precision


def stages_of(
    module: Any, size: int, features: tuple[int, int] | None, precision: Precision
) -> Iterator[Stage]:
    """Yield the parts; the first reads observations, and each other one the previous output.

    `size` is that of an observation, `features` [A, F] those of the actions, where they are given.
    """
    names = tuple(weight_names(module))
    if features is not None:
        yield Stage("decide", ((size,), (_OPEN, features[1])), names, precision)
    elif precision == "float32" or not isinstance(module, ReadsExactly) or module.fields is None:
        yield Stage("forward", ((size,),), names, precision)
    else:
        exact = tuple(name for name in names if name.startswith(_EXACT))
        rest = tuple(name for name in names if name not in exact)
        with torch.no_grad():
            read = tuple(module.read(torch.zeros(1, size)).shape[1:])
        yield Stage("read", ((size,),), exact, "float32")
        yield Stage("decide_from", (read,), rest, precision)


def convert(module: nn.Module, stage: Stage) -> Any:
    """Convert a stage to a graph, whose inputs are those of the stage and then its weights."""
    wrapper = _OpenWeights(graph_form(module), stage)
    weights = weights_of(module, stage.weights)
    sizes = [[_SHOWN if n == _OPEN else n for n in shape] for shape in stage.inputs]
    shown = [torch.rand(_SHOWN, *size) for size in sizes]
    example = (*shown, *weights)
    shapes = [[_OPEN, *shape] for shape in stage.inputs]
    shapes += [list(weight.shape) for weight in weights]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # tracing is deprecated, and warns of every shape
        traced = torch.jit.trace(wrapper, example, check_trace=False)  # type: ignore[no-untyped-call]
        model = openvino().convert_model(traced, example_input=example, input=shapes)
    for parameter, name in zip(model.get_parameters(), parameter_names(stage), strict=True):
        parameter.set_friendly_name(name)
    return model


def parameter_names(stage: Stage) -> list[str]:
    return [*(f"input {number}" for number in range(len(stage.inputs))), *stage.weights]


class _OpenWeights(nn.Module):
    """A stage as a function of its inputs and its weights."""

    def __init__(self, module: nn.Module, stage: Stage) -> None:
        super().__init__()
        self._stage = stage
        object.__setattr__(self, "_hidden", module)  # its weights are not the wrapper's

    def forward(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        module: Any = self.__dict__["_hidden"]
        given = len(self._stage.inputs)
        for name, weight in zip(self._stage.weights, inputs[given:], strict=True):
            path, _, leaf = name.rpartition(".")
            owner = module.get_submodule(path)
            place = owner._parameters if leaf in owner._parameters else owner._buffers
            place[leaf] = weight
        output = getattr(module, self._stage.method)(*inputs[:given])
        return (output,) if isinstance(output, Tensor) else (output.logits, output.values)


def weight_names(module: nn.Module) -> list[str]:
    """Return the names of the weights that a network's graphs take as inputs, in order."""
    return [name for name, one in module.state_dict().items() if one.dtype == torch.float32]


def weights_of(module: nn.Module, names: tuple[str, ...]) -> list[Tensor]:
    state = module.state_dict()
    return [state[name].detach().float().contiguous() for name in names]


def architecture(module: nn.Module) -> str:
    """Return a digest of all that a graph depends on, weights by their shape alone."""
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
