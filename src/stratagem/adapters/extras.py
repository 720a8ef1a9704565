"""Packages that only some adapters need: a missing one is named with its cure."""

from __future__ import annotations

import importlib
from types import ModuleType

from stratagem.core.errors import BadSetting


def need(module: str, extra: str) -> ModuleType:
    """The module, or an error that says how to install it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError:
        raise BadSetting(
            f"{module} is not installed: run `pip install 'stratagem[{extra}]'`"
        ) from None
