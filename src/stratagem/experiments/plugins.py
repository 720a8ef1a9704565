"""Modules of a package by name: the kinds and tables of experiments are found, never listed."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from types import ModuleType

from stratagem.core.errors import UnknownName


@functools.cache
def module_names(package: str) -> tuple[str, ...]:
    """The modules of a package, without importing them."""
    path = importlib.import_module(package).__path__
    return tuple(sorted(module.name for module in pkgutil.iter_modules(path)))


def load_module(package: str, name: str, what: str) -> ModuleType:
    """One of them; `what` says in an error message what was looked for."""
    if name not in module_names(package):
        raise UnknownName(what, name, module_names(package))
    return importlib.import_module(f"{package}.{name}")
