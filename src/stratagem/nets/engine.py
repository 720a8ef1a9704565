"""Chooses the engine that runs a network: torch's fused layers, or OpenVINO.

OpenVINO runs the same network in fewer and better loops; torch is the plain reference, and runs
whatever was measured to be no faster elsewhere (docs/results/networks-notes.md). The choice depends
only on the kind of network, so that the same weights and the same batch give the same bits in every
process.
"""

from __future__ import annotations

import functools
import importlib.util
import platform
import sys
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import AfterValidator

from stratagem.core.errors import BadSetting

Engine = Literal["torch", "openvino"]
AnyEngine = Literal["auto", "torch", "openvino"]
AnyPrecision = Literal["auto", "float32", "bfloat16"]

ENGINES: tuple[Engine, ...] = ("torch", "openvino")
_MEASURED_ON = ("x86_64", "AMD64")  # on other processors OpenVINO was never compared with torch


@dataclass(frozen=True)
class Plan:
    """How a kind of network runs on OpenVINO."""

    chunk: int  # maximum positions per call, so that their activations stay in the cache

    @property
    def sizes(self) -> tuple[int, ...]:
        """Batch sizes with a graph of their own; others use one graph for any size."""
        return (1, self.chunk)


def choose_engine(wanted: AnyEngine) -> Engine:
    """Replace `auto` by openvino if it is installed on a processor it was measured on."""
    if wanted == "auto":
        measured = platform.machine() in _MEASURED_ON
        return "openvino" if measured and _is_installed() else "torch"
    if wanted not in ENGINES:
        raise BadSetting(f"engine {wanted!r}: choose one of auto, {', '.join(ENGINES)}")
    if wanted == "openvino" and not _is_installed():
        raise BadSetting("engine openvino is not installed: choose torch, or install openvino")
    return wanted


# `auto` is replaced by an engine's name when settings are built, so that a resumed run keeps the
# engine it was started with.
EngineSetting = Annotated[AnyEngine, AfterValidator(choose_engine)]


# Torch is better for `gcn` and `rgcn`, which have their own compiled loops, and for `regions`,
# where shapes depend on what is on the map.
def plan_for(module: object) -> Plan | None:
    """Return how OpenVINO runs this network, as its kind's module says; None: torch runs it."""
    if getattr(module, "halting", None) is not None:
        # It stops when its positions are done. A graph would keep the number of steps and of
        # positions of the batch that it was traced with, and overrun memory with any other.
        return None
    chunk = getattr(sys.modules.get(type(module).__module__), "OPENVINO_CHUNK", None)
    return None if chunk is None else Plan(chunk)


@functools.cache
def _is_installed() -> bool:
    return importlib.util.find_spec("openvino") is not None
