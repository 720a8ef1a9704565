"""Loads modules by name: the kinds and tables of experiments are found, never listed."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from types import ModuleType

from stratagem.core.errors import UnknownName


@functools.cache
def module_names(package: str) -> tuple[str, ...]:
    """Return the names of a package's modules, without importing them."""
    path = importlib.import_module(package).__path__
    return tuple(sorted(module.name for module in pkgutil.iter_modules(path)))


def load_module(package: str, name: str, what: str) -> ModuleType:
    """Import a module of a package; error messages call it `what`."""
    if name not in module_names(package):
        raise UnknownName(what, name, module_names(package))
    return importlib.import_module(f"{package}.{name}")
