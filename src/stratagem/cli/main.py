"""`stratagem`: finds the commands, and turns what goes wrong into one line and an exit code.

Every module of `stratagem.cli.commands` is a command; there is no list to keep.

Exit codes: 0 done, 1 ran but failed, 2 the user's input was wrong, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import errno
import functools
import importlib
import pkgutil
import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer

import stratagem
from stratagem.cli import commands
from stratagem.cli.help_text import PlainCommand, PlainGroup
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
                errno.ENAMETOOLONG, errno.ELOOP, errno.EINVAL}  # fmt: skip


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
    except Exception as error:
        # Typer's own usage errors; their class moved between versions, their shape did not.
        if not hasattr(error, "format_message"):
            raise
        tried = f"stratagem {words[0]}" if words[0] in command_names() else "stratagem"
        text = str(error.format_message()).rstrip(".")
        return _fail(f"{text}{' See' if text.endswith('?') else '; see'} `{tried} --help`")


def main() -> None:
    """Entry point of the `stratagem` script."""
    with PATIENCE.watching():
        code = run(sys.argv[1:])
    sys.exit(code)


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
        except StratagemError as error:
            raise typer.Exit(_fail(str(error))) from None
        except _PATH_ERRORS as error:
            where = f" {error.filename!r}" if error.filename else ""
            reason = (error.strerror or str(error)).lower()
            raise typer.Exit(_fail(f"cannot use{where}: {reason}; check the path")) from None
        except Unreadable as error:
            raise typer.Exit(
                _fail(f"cannot read {error.filename!r}: {error.strerror}; name another file")
            ) from None
        except OSError as error:
            if error.errno not in _DISK_ERRORS:
                raise
            where = f" {error.filename!r}" if error.filename else ""
            reason = (error.strerror or str(error)).lower()
            fix = getattr(error, "__notes__", ["make room, or name another folder"])[-1]
            raise typer.Exit(_fail(f"cannot write{where}: {reason}; {fix}")) from None
        except Exception as error:
            if not is_compile_error(error):
                raise
            raise typer.Exit(_fail(explain(error))) from None
        except KeyboardInterrupt:
            PATIENCE.said()
            sys.stderr.write("\nstopped by Ctrl-C\n")
            raise typer.Exit(_INTERRUPTED) from None

    return guarded


def _fail(text: str) -> int:
    PATIENCE.said()
    sys.stderr.write(f"error: {' '.join(text.split())}\n")
    return _WRONG_INPUT
