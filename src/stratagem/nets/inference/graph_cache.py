"""OpenVINO, and a disk cache of the graphs converted for it, shared by later processes.

A graph on disk has no weights, and was compared with torch on this machine before it was stored.
Its key covers these sources, the version of OpenVINO and the processor. Graphs are always used as
they are read back, so a process that converts one computes the same bits as one that finds it.
"""

from __future__ import annotations

import functools
import hashlib
import sys
from pathlib import Path
from typing import Any

from stratagem.core.compile import cache_root, forget_old_versions, room_of, source_key
from stratagem.core.files import new_folder

_GRAPH, _CONSTANTS = "graph.xml", "graph.bin"


def read_graph(name: str) -> Any | None:
    """Read the graph with this name; None if it is missing or unreadable."""
    file = _folder(name) / _GRAPH
    try:
        return core().read_model(file) if file.exists() else None
    except RuntimeError:  # damaged: it is converted again
        return None


def keep_graph(name: str, model: Any) -> Any:
    """Store a graph and return it as it will be read; if it cannot be stored, return it as is."""
    folder = _folder(name)
    try:
        if not folder.parent.exists():
            forget_old_versions(folder.parent.parent)
        with new_folder(folder) as temporary:
            openvino().serialize(model, temporary / _GRAPH, temporary / _CONSTANTS)
    except OSError:
        return model
    return read_graph(name) or model


def _folder(name: str) -> Path:
    key = f"{name} {openvino().get_version()} {core().get_property('CPU', 'FULL_DEVICE_NAME')}"
    digest = hashlib.blake2b(key.encode(), digest_size=16).hexdigest()
    return cache_root() / "graphs" / source_key(room_of(__name__)) / digest


@functools.cache
def core() -> Any:
    """Return OpenVINO's entry point, one per process."""
    return openvino().Core()


@functools.cache
def openvino() -> Any:
    """Return OpenVINO, loaded when it is first needed and without its telemetry."""
    before = sys.modules.get("openvino_telemetry")
    sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]
    try:
        import openvino as loaded
    finally:
        del sys.modules["openvino_telemetry"]
        if before is not None:
            sys.modules["openvino_telemetry"] = before
    return loaded
