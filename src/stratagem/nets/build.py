"""Builds networks by name: a kind is a module in kinds/, so there is no list to maintain.

Kinds in other packages are found by their entry point in `stratagem.networks`, or by the dotted
name of their module. Such a module has `Settings` and `build`, like those in kinds/.

`SIZE_FREE = True` in a kind's module means that its weights fit every board size (output.SizeFree),
`SEAT_FREE = True` that they fit every number of seats. `OPENVINO_CHUNK` is the number of positions
that OpenVINO processes together (engine.py); without it the kind runs on torch.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from pydantic import BaseModel
from torch import nn

from stratagem.core.errors import UnknownName
from stratagem.core.plugins import load_plugin, plugins
from stratagem.core.settings import check_values
from stratagem.core.specs import ActionSpec, ObservationSpec
from stratagem.nets import kinds
from stratagem.nets.bounded import too_large, within_memory


@functools.cache
def network_kinds() -> tuple[str, ...]:
    """Return the names that `network.kind` can have, sorted."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(kinds.__path__)))


def network_settings(kind: str, settings: Mapping[str, Any]) -> BaseModel:
    """Validate the settings of a kind, with every default filled in."""
    model: type[BaseModel] = _module(kind).Settings
    return check_values(model, dict(settings), f"network {kind}")


def build_network(
    kind: str,
    settings: Mapping[str, Any],
    observation: ObservationSpec,
    actions: ActionSpec,
    num_values: int,
) -> nn.Module:
    """Build a new network of a kind, sized for the observation and the actions."""
    checked = network_settings(kind, settings)
    try:
        with within_memory(kind):
            network: nn.Module = _module(kind).build(checked, observation, actions, num_values)
    except RuntimeError as error:
        if "allocate memory" not in str(error):
            raise
        raise too_large(kind) from None
    return network


def is_size_free(kind: str) -> bool:
    """Whether the weights of this kind fit every board size."""
    return bool(getattr(_module(kind), "SIZE_FREE", False))


def is_seat_free(kind: str) -> bool:
    """Whether the weights of this kind fit every number of seats."""
    return bool(getattr(_module(kind), "SEAT_FREE", False))


def _module(kind: str) -> ModuleType:
    if kind in network_kinds():
        return importlib.import_module(f"{kinds.__name__}.{kind}")
    module = load_plugin("networks", kind)
    if not isinstance(module, ModuleType) or not hasattr(module, "Settings"):
        raise UnknownName("network", kind, (*network_kinds(), *plugins("networks")))
    return module
