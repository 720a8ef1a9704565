"""Explains mistakes in a game's code in one line: the file, the line and the cause.

Numba's errors have dozens of lines, because a mistake in a small function is reported for every
function that calls it. The innermost place comes first in the text; that is the one to fix.
"""

from __future__ import annotations

import dis
import linecache
import re
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_PLACE = re.compile(r" at (?P<file>\S.*?\.py) \((?P<line>\d+)\)")
_UNDEFINED = re.compile(r"NameError: name '(\w+)' is not defined")
_LONGEST = 200  # characters of a cause
_ADVICE = "with NUMBA_DISABLE_JIT=1 it runs as plain Python"


def is_compile_error(error: BaseException) -> bool:
    """Whether this is Numba failing to compile a kernel."""
    return type(error).__module__.startswith("numba.")


def explain(error: BaseException) -> str:
    """Explain what is wrong in a game's code, in one line that begins with the place, if known."""
    if is_compile_error(error):
        return _explain_compile_error(error)
    place = _place_of(error)
    text = str(error).strip().partition("\n")[0]
    return f"{place}{type(error).__name__}: {text}"


def _explain_compile_error(error: BaseException) -> str:
    text = _COLOURS.sub("", str(error))
    lines = [line.strip() for line in text.splitlines()]
    messages = [line for line in lines if line and not line.startswith("Failed in nopython mode")]
    cause = messages[0].removesuffix("found for signature:") if messages else type(error).__name__
    if called := next((line for line in messages if line.startswith(">>>")), ""):
        cause = f"no such operation: {called.removeprefix('>>>').strip()}"
    cause = re.sub(r" for '\w+(\.\d+)*', defined at .*", "", _without_records(cause))
    cause = cause.removesuffix(" Raised from None").rstrip(".")
    file, number = _compiled_place(error, text, cause)
    if len(cause) > _LONGEST:
        cause = f"{cause[:_LONGEST]}…"
    if not file:
        return f"does not compile: {cause}; {_ADVICE}"
    source = linecache.getline(file, number).strip()
    return f"{_short(file, number)}: does not compile: {cause}, in `{source}`; {_ADVICE}"


def _compiled_place(error: BaseException, text: str, cause: str) -> tuple[str, int]:
    if found := _PLACE.search(text):
        return found["file"], int(found["line"])
    if undefined := _UNDEFINED.search(cause):
        return next(_uses_of(undefined[1]), ("", 0))
    where = getattr(error, "loc", None)
    return (where.filename, where.line) if where is not None else ("", 0)


def _uses_of(name: str) -> Iterator[tuple[str, int]]:
    """Find where kernels read a global that their module lacks, which Numba does not report."""
    for module in list(sys.modules.values()):
        for thing in list(getattr(module, "__dict__", {}).values()):
            if not str(type(thing).__module__).startswith("numba."):
                continue
            function = getattr(thing, "py_func", None)
            if not isinstance(function, FunctionType) or name in function.__globals__:
                continue
            for step in dis.get_instructions(function):
                if step.argval == name and "GLOBAL" in step.opname and step.positions:
                    yield function.__code__.co_filename, step.positions.lineno or 0


def _without_records(text: str) -> str:
    """Remove the fields of a state, which Numba spells out."""
    while (start := text.find("Record(")) >= 0:
        depth, end = 0, len(text)
        for place in range(start, len(text)):
            depth += {"(": 1, ")": -1}.get(text[place], 0)
            if depth == 0 and text[place] == ")":
                end = place + 1
                break
        text = f"{text[:start]}state{text[end:]}"
    return text


def _place_of(error: BaseException) -> str:
    """Return `file.py:12: ` of the last call inside a game's folder, or an empty string."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{_short(error.filename, error.lineno or 0)}: "
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if any((folder / "game.toml").is_file() for folder in Path(frame.filename).parents):
            return f"{_short(frame.filename, frame.lineno or 0)}: "
    return ""


def _short(file: str, line: int) -> str:
    """Return the file with the folder it is in: short, but enough to find it."""
    return f"{'/'.join(Path(file).parts[-2:])}:{line}"
