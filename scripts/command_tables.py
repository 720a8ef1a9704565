"""The command line as Markdown, from the application itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import typer

from stratagem.cli.main import build_app


def commands_section() -> str:
    """Every command: what it does, how it is called, its arguments and options."""
    app = build_app()
    group: Any = typer.main.get_command(app)
    kinds = {one.name: get_type_hints(one.callback) for one in app.registered_commands}
    names = sorted(group.commands)
    return "\n\n".join(_section(name, group.commands[name], kinds[name]) for name in names)


def _section(name: str, command: Any, kinds: dict[str, Any]) -> str:
    words = [f"stratagem {name}", *(_usage(one) for one in command.params if _positional(one))]
    rows = [(_names(one, kinds[one.name]), _meaning(one), _default(one)) for one in command.params]
    text = command.help.strip().replace("\n", " ")
    usage = " ".join([*words, "[OPTIONS]"])
    table = _table(("", "meaning", "default"), rows)
    return f"## {name}\n\n{text}\n\n```text\n{usage}\n```\n\n{table}"


def _positional(parameter: Any) -> bool:
    return bool(parameter.param_type_name == "argument")


def _usage(argument: Any) -> str:
    name = argument.metavar or argument.name.upper()
    return name if argument.required else f"[{name}]"


def _names(parameter: Any, kind: Any) -> str:
    if _positional(parameter):
        return f"`{parameter.metavar or parameter.name.upper()}`".replace("|", "\\|")
    value = "" if parameter.is_flag else f" {parameter.metavar or _value_name(kind)}"
    return ", ".join(f"`{name}{value}`" for name in (*parameter.opts, *parameter.secondary_opts))


def _value_name(kind: Any) -> str:
    """What stands for the value of an option: `N` of a number, the choices of an enumeration."""
    inner = [one for one in get_args(kind) if one is not type(None)]
    if inner and get_origin(kind) is not Literal:
        return _value_name(inner[0])
    choices = inner or (list(kind) if issubclass(kind, Enum) else [])
    if choices:
        return "\\|".join(str(getattr(choice, "value", choice)) for choice in choices)
    return {int: "N", float: "X", Path: "PATH"}.get(kind, "TEXT")


def _meaning(parameter: Any) -> str:
    return (parameter.help or "").replace("|", "\\|")


def _default(parameter: Any) -> str:
    if parameter.required:
        return "required"
    value = parameter.default
    if value is True:
        return f"`{parameter.opts[0]}`"
    if value is None or value is False or value == "" or callable(value):
        return ""
    return f"`{getattr(value, 'value', value)}`"


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])
