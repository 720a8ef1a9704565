"""Formats `--help`; docs/reference/cli.md takes its names and defaults from here too.

Typer prints types and ranges (`<int range>`, `0<=x<=9223372036854775807`) and cuts off
descriptions. A person wants a short name for the value, the default, and the whole sentence.
"""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from typer.core import TyperCommand, TyperGroup

_VALUES: dict[Any, str] = {int: "N", float: "X", Path: "PATH"}


def is_argument(parameter: Any) -> bool:
    """Whether a parameter of a command is positional."""
    return bool(parameter.param_type_name == "argument")


def argument_name(argument: Any) -> str:
    """Return `GAME`, or `AGENT...` if it can be repeated."""
    return str(argument.metavar or argument.name.upper())


def usage_words(parameters: list[Any]) -> str:
    """Return the arguments of a command in order: `GAME AGENT... [OPTIONS]`."""
    names = [(argument_name(one), one.required) for one in parameters if is_argument(one)]
    words = [name if required else f"[{name}]" for name, required in names]
    return " ".join([*words, "[OPTIONS]"])


def option_names(option: Any, kind: Any) -> list[str]:
    """Return every spelling of an option, with the name of its value: `--games N`."""
    value = "" if option.is_flag else f" {option.metavar or value_name(kind)}"
    return [f"{name}{value}" for name in (*option.opts, *option.secondary_opts)]


def value_name(kind: Any) -> str:
    """Return a name for the value of an option: `N` for a number, the choices of an enumeration."""
    inner = [one for one in get_args(kind) if one is not type(None)]
    if inner and get_origin(kind) is not Literal:
        return value_name(inner[0])
    choices = inner or (list(kind) if isinstance(kind, type) and issubclass(kind, Enum) else [])
    if choices:
        return "|".join(str(getattr(choice, "value", choice)) for choice in choices)
    return _VALUES.get(kind, "TEXT")


def default_text(parameter: Any) -> str:
    """Return the default as one would type it; empty if there is none or it says nothing."""
    value = parameter.default
    if value is True and parameter.secondary_opts:
        return str(parameter.opts[0])
    if value is None or isinstance(value, bool) or value == "" or callable(value):
        return ""
    if isinstance(value, list | tuple):
        return " ".join(str(one) for one in value)
    return str(getattr(value, "value", value))


def value_kinds(command: Any) -> dict[str, Any]:
    """Return every parameter's type by name, from the signature of the command's function."""
    return get_type_hints(command.callback) if command.callback else {}


class PlainCommand(TyperCommand):
    """A command whose help shows names of values and defaults and nothing else."""

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        formatter.write_usage(ctx.command_path, usage_words(self.params))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        _write_parameters(self, ctx, formatter)


class PlainGroup(TyperGroup):
    """The list of all commands, with their complete descriptions."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        rows = [(name, (command.help or "").strip()) for name, command in self.commands.items()]
        with formatter.section("Commands"):
            formatter.write_dl(sorted(rows))
        _write_parameters(self, ctx, formatter)


def _write_parameters(command: Any, ctx: Any, formatter: Any) -> None:
    kinds = value_kinds(command)
    parameters = command.get_params(ctx)
    arguments = [(argument_name(one), _meaning(one)) for one in parameters if is_argument(one)]
    options = [
        (", ".join(option_names(one, kinds.get(one.name, str))), _meaning(one))
        for one in parameters
        if not is_argument(one)
    ]
    for title, rows in (("Arguments", arguments), ("Options", options)):
        if rows:
            with formatter.section(title):
                formatter.write_dl(rows)


def _meaning(parameter: Any) -> str:
    text = parameter.help or ""
    default = default_text(parameter)
    if parameter.required and not is_argument(parameter):
        text += " [required]"
    elif default:
        text += f" [default: {default}]"
    if parameter.envvar:
        text += f" [environment: {parameter.envvar}]"
    return str(text)
