"""The command line as Markdown, from the application itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import typer

from stratagem.cli.help_text import (
    argument_name,
    default_text,
    is_argument,
    option_names,
    usage_words,
    value_kinds,
)
from stratagem.cli.main import build_app


def commands_section() -> str:
    """Every command: what it does, how it is called, its arguments and options."""
    group: Any = typer.main.get_command(build_app())
    return "\n\n".join(_section(name, group.commands[name]) for name in sorted(group.commands))


def _section(name: str, command: Any) -> str:
    kinds = value_kinds(command)
    rows = [(_names(one, kinds[one.name]), _meaning(one), _default(one)) for one in command.params]
    text = command.help.strip().replace("\n", " ")
    table = _table(("", "meaning", "default"), rows)
    usage = f"stratagem {name} {usage_words(command.params)}"
    return f"## {name}\n\n{text}\n\n```text\n{usage}\n```\n\n{table}"


def _names(parameter: Any, kind: Any) -> str:
    found = [argument_name(parameter)] if is_argument(parameter) else option_names(parameter, kind)
    return ", ".join(f"`{name}`" for name in found).replace("|", "\\|")


def _meaning(parameter: Any) -> str:
    return (parameter.help or "").replace("|", "\\|")


def _default(parameter: Any) -> str:
    if parameter.required:
        return "required"
    value = default_text(parameter)
    return f"`{value}`" if value else ""


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])
