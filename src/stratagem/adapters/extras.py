"""Packages that only some adapters need; errors for missing ones say what to install."""

from __future__ import annotations

import importlib
from types import ModuleType

from stratagem.core.errors import BadSetting


def need(module: str, extra: str) -> ModuleType:
    """Import a module, or raise an error that says how to install it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError:
        raise BadSetting(
            f"{module} is not installed: run `pip install 'stratagem[{extra}]'`"
        ) from None
