"""`stratagem`: finds the commands, and turns what goes wrong into one line and an exit code.

Every module of `stratagem.cli.commands` is a command; there is no list to keep.

Exit codes: 0 done, 1 ran but failed, 2 the user's input was wrong, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import errno
import functools
import importlib
import io
import os
import pkgutil
import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer

import stratagem
from stratagem.cli import commands
from stratagem.cli.help_text import PlainCommand, PlainGroup
from stratagem.cli.output import harmless
from stratagem.core.errors import StratagemError
from stratagem.core.game_faults import explain, is_compile_error
from stratagem.core.patience import PATIENCE
from stratagem.core.reading import Unreadable

_WRONG_INPUT = 2
_INTERRUPTED = 130
# What a wrong path on the command line leads to.
_PATH_ERRORS = (FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError,
                FileExistsError)  # fmt: skip
# What a disk can say; anything else is a mistake of ours and shows where it happened.
_DISK_ERRORS = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EFBIG, errno.EMFILE,
                errno.EINVAL}  # fmt: skip
_LONGEST_NAME = 200  # letters of a path that a message repeats
_NAME_ERRORS = {errno.ENAMETOOLONG, errno.ELOOP}


def command_names() -> list[str]:
    """The modules of the package of commands; `new_game` is called `new-game`."""
    found = (module.name for module in pkgutil.iter_modules(commands.__path__))
    return sorted(name.replace("_", "-") for name in found)


def build_app() -> typer.Typer:
    """The application with every command registered."""
    app = typer.Typer(
        name="stratagem",
        cls=PlainGroup,
        help="Train, measure, watch and play learned agents for strategy board games.",
        epilog="Begin with `stratagem demo`, `stratagem serve` or `stratagem games`. "
        "`stratagem COMMAND --help` explains a command.",
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback(invoke_without_command=True)(_options)
    for name in command_names():
        module = importlib.import_module(f"{commands.__name__}.{name.replace('-', '_')}")
        app.command(name, cls=PlainCommand)(_guarded(module.command))
    return app


def run(arguments: Sequence[str]) -> int:
    """Run one command line; returns the exit code."""
    words = list(arguments) or ["--help"]
    try:
        code = build_app()(words, prog_name="stratagem", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except KeyboardInterrupt:
        return _INTERRUPTED
    except Exception as error:
        if said := _explained(error):  # what --version and --help write can meet a full disk, too
            return _fail(said)
        # Typer's own usage errors; their class moved between versions, their shape did not.
        if not hasattr(error, "format_message"):
            raise
        tried = f"stratagem {words[0]}" if words[0] in command_names() else "stratagem"
        text = str(error.format_message()).rstrip(".")
        return _fail(f"{text}{' See' if text.endswith('?') else '; see'} `{tried} --help`")


def main() -> None:
    """Entry point of the `stratagem` script."""
    _open_streams()
    with PATIENCE.watching():
        code = run(sys.argv[1:])
    try:
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read it has seen enough
        _discard_output()
    except OSError as error:
        _discard_output()
        code = code or _fail(_explained(error) or str(error))
    sys.exit(code)


def _open_streams() -> None:
    """Make all three usable: one that was closed leads nowhere, and any text can be written.

    A closed one would otherwise become the next file that is opened, and be written into it.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
            setattr(sys, name, os.fdopen(number, "w" if number else "r", closefd=False))
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _discard_output() -> None:
    """What is left in the buffer has nowhere to go, and Python would complain about it at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _options(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        typer.echo(stratagem.__version__)
        raise typer.Exit()


def _guarded(command: Callable[..., Any]) -> Callable[..., None]:
    """The same command, with the errors that a person can fix shown in one line."""

    @functools.wraps(command)
    def guarded(*args: Any, **kwargs: Any) -> None:
        try:
            command(*args, **kwargs)
        except Exception as error:
            if said := _explained(error):
                raise typer.Exit(_fail(said)) from None
            raise
        except KeyboardInterrupt:
            PATIENCE.said()
            sys.stderr.write("\nstopped by Ctrl-C\n")
            raise typer.Exit(_INTERRUPTED) from None

    return guarded


def _explained(error: Exception) -> str:
    """What a person can do about an error; empty for a mistake of ours, which shows its place."""
    if isinstance(error, StratagemError):
        return str(error)
    if isinstance(error, OSError):
        return _explained_by_system(error)
    if isinstance(error, MemoryError):
        return "there is not enough memory for this: ask for less at once"
    if str(error).startswith("cannot cache function"):
        return "compiled code cannot be kept: let STRATAGEM_CACHE name a folder to write to"
    return explain(error) if is_compile_error(error) else ""


def _explained_by_system(error: OSError) -> str:
    name = str(error.filename or "")
    shown = name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"
    where = f" {shown!r}" if name else ""
    reason = (error.strerror or str(error)).lower()
    if isinstance(error, _PATH_ERRORS) or error.errno in _NAME_ERRORS:
        return f"cannot use{where}: {reason}; check the path"
    if isinstance(error, Unreadable):
        return f"cannot read{where}: {error.strerror}; name another file"
    if error.errno not in _DISK_ERRORS:
        return ""
    fix = getattr(error, "__notes__", ["make room, or name another folder"])[-1]
    return f"cannot write{where}: {reason}; {fix}"


def _fail(text: str) -> int:
    PATIENCE.said()
    sys.stderr.write(f"error: {harmless(' '.join(text.split()))}\n")
    return _WRONG_INPUT
