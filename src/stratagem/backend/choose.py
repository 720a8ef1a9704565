"""Backends by name, as written on the command line."""

from __future__ import annotations

from stratagem.backend.processes import ProcessBackend
from stratagem.backend.protocol import Backend
from stratagem.backend.threads import ThreadBackend
from stratagem.core.errors import BadSetting, UnknownName

BACKENDS = ("threads", "processes", "ray")


def make_backend(name: str = "threads", address: str = "") -> Backend:
    """Return the backend with this name; `address` is the address of a Ray cluster."""
    if name not in BACKENDS:
        raise UnknownName("backend", name, BACKENDS)
    if address and name != "ray":
        raise BadSetting(f"--address {address}: only --backend ray has one")
    if name == "threads":
        return ThreadBackend()
    if name == "processes":
        return ProcessBackend()
    try:
        from stratagem.backend.ray import RayBackend  # an optional extra
    except ModuleNotFoundError:
        raise BadSetting(
            "--backend ray: install it with pip install 'stratagem[cluster]'"
        ) from None
    return RayBackend(address)
