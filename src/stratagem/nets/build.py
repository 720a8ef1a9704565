"""Networks by name: a kind is a module of this package, there is no list to keep.

A kind's module offers `Settings` (a frozen pydantic model with documented fields) and
`build(settings, observation, actions, num_values)`; see cnn.py. A module that says `SIZE_FREE =
True` makes networks whose weights fit every size of board (output.SizeFree).
"""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from torch import nn

from stratagem.core.errors import BadSetting, UnknownName
from stratagem.core.scenario import explain
from stratagem.core.specs import ActionSpec, ObservationSpec

_FOLDER = Path(__file__).resolve().parent
_OFFERS_KIND = re.compile(r"^class Settings\(.*^def build\(", re.MULTILINE | re.DOTALL)


@functools.cache
def network_kinds() -> tuple[str, ...]:
    """The names of the kinds, found as files."""
    return tuple(
        sorted(file.stem for file in _FOLDER.glob("*.py") if _OFFERS_KIND.search(file.read_text()))
    )


def network_settings(kind: str, settings: Mapping[str, Any]) -> BaseModel:
    """The checked settings of a kind, every default filled in."""
    if kind not in network_kinds():
        raise UnknownName("network", kind, network_kinds())
    model: type[BaseModel] = importlib.import_module(f"stratagem.nets.{kind}").Settings
    try:
        return model.model_validate(dict(settings))
    except ValidationError as error:
        raise BadSetting(f"network {kind}: {explain(error)}") from None


def build_network(
    kind: str,
    settings: Mapping[str, Any],
    observation: ObservationSpec,
    actions: ActionSpec,
    num_values: int,
) -> nn.Module:
    """A fresh network of a kind, sized for the observation and the actions."""
    checked = network_settings(kind, settings)
    module = importlib.import_module(f"stratagem.nets.{kind}")
    network: nn.Module = module.build(checked, observation, actions, num_values)
    return network


def is_size_free(kind: str) -> bool:
    """Whether the weights of this kind fit every size of board."""
    return _says(kind, "SIZE_FREE")


def is_seat_free(kind: str) -> bool:
    """Whether the weights of this kind fit every number of seats."""
    return _says(kind, "SEAT_FREE")


def _says(kind: str, name: str) -> bool:
    if kind not in network_kinds():
        raise UnknownName("network", kind, network_kinds())
    return bool(getattr(importlib.import_module(f"stratagem.nets.{kind}"), name, False))
