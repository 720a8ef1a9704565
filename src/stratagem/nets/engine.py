"""Which engine computes a network: torch's fused layers, or a graph compiled by OpenVINO.

The one place that decides. OpenVINO computes the same network in fewer and better loops; torch is
the plain reference, and computes what was measured to be no faster elsewhere. The measurements are
in docs/results/networks-notes.md. A choice depends on the kind of network and nothing else, so that
the same weights and the same batch give the same bits in every process.
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

    chunk: int  # most positions computed together: their activations stay in the cache

    @property
    def sizes(self) -> tuple[int, ...]:
        """Batches that are compiled for; others are computed by one graph for any size."""
        return (1, self.chunk)


def choose_engine(wanted: AnyEngine) -> Engine:
    """`auto` becomes openvino where it is installed on a processor it was measured on."""
    if wanted == "auto":
        measured = platform.machine() in _MEASURED_ON
        return "openvino" if measured and _is_installed() else "torch"
    if wanted not in ENGINES:
        raise BadSetting(f"engine {wanted!r}: choose one of auto, {', '.join(ENGINES)}")
    if wanted == "openvino" and not _is_installed():
        raise BadSetting("engine openvino is not installed: choose torch, or install openvino")
    return wanted


# `auto` becomes the engine's name when settings are built, so that a run that is resumed keeps the
# one it was started with.
EngineSetting = Annotated[AnyEngine, AfterValidator(choose_engine)]


# Torch is the better one for `gcn` and `rgcn`, which gather in compiled loops of their own, and for
# `regions`, where shapes depend on what stands on the map.
def plan_for(module: object) -> Plan | None:
    """How OpenVINO runs this network, as its kind's module says; None: torch runs it."""
    if getattr(module, "halting", None) is not None:
        # It stops when its positions are done. A graph would keep the number of steps and of
        # positions of the batch that it was traced with, and overrun memory with any other.
        return None
    chunk = getattr(sys.modules.get(type(module).__module__), "OPENVINO_CHUNK", None)
    return None if chunk is None else Plan(chunk)


def needs_float32(module: object) -> bool:
    """Whether a graph in bfloat16 would be too coarse.

    Distances are sums of many costs, and three digits would not tell neighbours apart. Torch keeps
    those sums in float32; in a graph everything is, and it is still the faster one.
    """
    return getattr(module, "fields", None) is not None


@functools.cache
def _is_installed() -> bool:
    return importlib.util.find_spec("openvino") is not None
