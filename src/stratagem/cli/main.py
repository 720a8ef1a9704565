"""`stratagem`: finds the commands, and turns errors into one line and an exit code.

Every module of `stratagem.cli.commands` is a command, so there is no list to maintain.

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
# Errors caused by a wrong path on the command line.
_PATH_ERRORS = (FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError,
                FileExistsError)  # fmt: skip
# Errors that a disk can cause; any other error is a bug of ours and shows its traceback.
_DISK_ERRORS = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EFBIG, errno.EMFILE,
                errno.EINVAL}  # fmt: skip
_LONGEST_NAME = 200  # characters of a path quoted in a message
_NAME_ERRORS = {errno.ENAMETOOLONG, errno.ELOOP}


def command_names() -> list[str]:
    """Return the names of the commands: module `new_game` is `new-game`."""
    found = (module.name for module in pkgutil.iter_modules(commands.__path__))
    return sorted(name.replace("_", "-") for name in found)


def build_app() -> typer.Typer:
    """Build the application with every command registered."""
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
    """Run one command line; return the exit code."""
    words = list(arguments) or ["--help"]
    try:
        code = build_app()(words, prog_name="stratagem", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except KeyboardInterrupt:
        return _INTERRUPTED
    except Exception as error:
        if text := _explained(error):  # printing --version or --help can hit a full disk, too
            return _fail(text)
        # Typer's own usage errors; their class changed between versions, their shape did not.
        if not hasattr(error, "format_message"):
            raise
        tried = f"stratagem {words[0]}" if words[0] in command_names() else "stratagem"
        text = str(error.format_message()).rstrip(".")
        return _fail(f"{text}{' See' if text.endswith('?') else '; see'} `{tried} --help`")


def main() -> None:
    """The program, which `start.py` loads."""
    _open_streams()
    with PATIENCE.watching():
        code = run(sys.argv[1:])
    try:
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough
        _discard_output()
    except OSError as error:
        _discard_output()
        code = code or _fail(_explained(error) or str(error))
    sys.exit(code)


def _open_streams() -> None:
    """Make all three streams usable: replace closed ones, and allow any text to be written.

    Otherwise the next file to be opened would take the place of a closed stream.
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
    """Drop what is left in the buffer, so that Python does not complain about it at exit."""
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
    """Wrap a command so that errors that a person can fix are shown in one line."""

    @functools.wraps(command)
    def guarded(*args: Any, **kwargs: Any) -> None:
        try:
            command(*args, **kwargs)
        except Exception as error:
            if text := _explained(error):
                raise typer.Exit(_fail(text)) from None
            raise
        except KeyboardInterrupt:
            PATIENCE.clear()
            sys.stderr.write("\nstopped by Ctrl-C\n")
            raise typer.Exit(_INTERRUPTED) from None

    return guarded


def _explained(error: Exception) -> str:
    """Return what a person can do about an error; empty for a bug, which shows its traceback."""
    if isinstance(error, StratagemError):
        return str(error)
    if isinstance(error, OSError):
        return _explained_by_system(error)
    if isinstance(error, MemoryError):
        return "not enough memory: choose smaller numbers"
    if str(error).startswith("cannot cache function"):
        return "compiled code cannot be stored: set STRATAGEM_CACHE to a writable folder"
    return explain(error) if is_compile_error(error) else ""


def _explained_by_system(error: OSError) -> str:
    name = str(error.filename or "")
    shown = name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"
    where = f" {shown!r}" if name else ""
    reason = (error.strerror or str(error)).lower()
    if isinstance(error, _PATH_ERRORS) or error.errno in _NAME_ERRORS:
        return f"cannot use{where}: {reason}; check the path"
    if isinstance(error, Unreadable):
        return f"cannot read{where}: {error.strerror}; use another file"
    if error.errno not in _DISK_ERRORS:
        return ""
    fix = getattr(error, "__notes__", ["free some space, or use another folder"])[-1]
    return f"cannot write{where}: {reason}; {fix}"


def _fail(text: str) -> int:
    PATIENCE.clear()
    sys.stderr.write(f"error: {harmless(' '.join(text.split()))}\n")
    return _WRONG_INPUT
