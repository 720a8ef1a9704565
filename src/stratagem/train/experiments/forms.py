"""Experiments of other forms than arms that share a budget, found by name.

An experiment file that says `form = "<name>"` belongs to the module `<name>` of this package, which
offers `check(name, values)` and `run(name, values, budget_seconds, out, seed, progress)`; there is
no list to keep. Knows none of them.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from stratagem.core.errors import UnknownName

DEFAULT = "arms"  # see definition.py and run.py

Say = Callable[[str], None]


@functools.cache
def form_names() -> tuple[str, ...]:
    """The default first."""
    files = Path(__file__).parent.glob("*.py")
    found = {file.stem for file in files if "\ndef check(" in file.read_text()}
    return (DEFAULT, *sorted(found))


def form_of(values: Mapping[str, Any]) -> str:
    """The form that an experiment file asks for."""
    return str(values.get("form", DEFAULT))


def load_form(name: str, experiment: str) -> ModuleType:
    """The module of a form other than the default."""
    if name not in form_names()[1:]:
        raise UnknownName(f"form of experiment {experiment}", name, form_names())
    return importlib.import_module(f"stratagem.train.experiments.{name}")
