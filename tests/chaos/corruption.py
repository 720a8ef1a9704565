"""The corruption matrix: every kind of file of a run damaged in turn, then used.

    python tests/chaos/corruption.py [--seeds N]

For each file x damage x command: was it noticed (exit 2, or a note on stderr that names the file),
harmless (the same result as without the damage), or silent; and was there a traceback?
"""

from __future__ import annotations

import argparse
import contextlib
import io
import random
import shutil
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from stratagem.cli.main import run
from stratagem.core.errors import StratagemError
from stratagem.core.record import parse_record
from stratagem.web.runs import Runs

TINY = [
    "selfplay.slots=4", "selfplay.workers=1", "selfplay.positions=48", "search.sims=4",
    "replay.minimum=16", "learning.batch_size=16", "learning.threads=1",
    "network.settings.filters=4", "network.settings.blocks=1", "anchors.times=0",
]  # fmt: skip
FILES = (
    "config.toml", "meta.json", "metrics.jsonl", "ckpt/latest", "ckpt/best",
    "ckpt/step_000002/manifest.json", "ckpt/step_000002/model.json",
    "ckpt/step_000002/model.safetensors", "ckpt/step_000002/train_state.json",
    "ckpt/step_000002/train_state.safetensors", "ckpt/step_000002/slots.safetensors",
    "buffer/000001.safetensors", "buffer/000002.safetensors", "games/000002.jsonl",
)  # fmt: skip
# What a command never reads cannot be noticed by it.
READ_BY = {
    "resume": lambda name: name not in ("meta.json", "ckpt/best") and "games/" not in name,
    "match": lambda name: name == "ckpt/best" or name.endswith(("model.json", "model.safetensors",
                                                                "000002/manifest.json")),
    "report": lambda name: name in ("config.toml", "metrics.jsonl", "games/000002.jsonl"),
    "serve": lambda name: name in ("config.toml", "metrics.jsonl", "ckpt/best",
                                   "ckpt/step_000002/manifest.json"),
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    file: str
    damage: str
    command: str


@dataclass(frozen=True)
class Result:
    case: Case
    verdict: str  # noticed, harmless, unread, silent or traceback
    message: str = ""


def damages(dice: random.Random) -> dict[str, Callable[[bytes], bytes]]:
    def flip(data: bytes) -> bytes:
        changed = bytearray(data)
        changed[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
        return bytes(changed)

    return {
        "truncate": lambda data: data[: dice.randrange(len(data))],
        "flip": flip,
        "garbage": lambda data: dice.randbytes(len(data)),
    }


def make_run(path: Path) -> None:
    words = ["train", "connect_four?columns=4&rows=4&connect=3", "--iterations", "2",
             "--run", str(path), "--json"]  # fmt: skip
    for change in TINY:
        words += ["--set", change]
    with contextlib.redirect_stdout(io.StringIO()):
        assert run(words) == 0


def use(command: str, path: Path) -> tuple[int, str]:
    """(exit code, what was said) of one use of a run."""
    if command == "serve":
        listed = {one.name: one for one in Runs(path.parent).all()}
        found = listed.get(path.name)
        said = "not listed" if found is None else found.damage
        if found is not None:
            found.summary(found.metrics())
            found.checkpoints()
        return (2 if said else 0), said
    words = {
        "resume": ["train", "--resume", "--run", str(path), "--iterations", "3", "--json"],
        "match": ["match", "connect_four?columns=4&rows=4&connect=3", f"policy:{path}", "random",
                  "--games", "2", "--json"],
        "report": ["report", str(path)],
    }[command]  # fmt: skip
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(words)
    return code, err.getvalue()


def cases(
    files: tuple[str, ...] = FILES, commands: tuple[str, ...] = tuple(READ_BY)
) -> Iterator[Case]:
    for file in files:
        for damage in ("truncate", "flip", "garbage"):
            for command in commands:
                yield Case(file, damage, command)


def examine(case: Case, whole: Path, room: Path, dice: random.Random) -> Result:
    path = room / "run"
    shutil.copytree(whole, path)
    file = path / case.file
    before = file.read_bytes()
    after = damages(dice)[case.damage](before)
    file.write_bytes(after)
    try:
        code, said = use(case.command, path)
    except (Exception, SystemExit) as error:
        if isinstance(error, StratagemError):
            return Result(case, "noticed", str(error))
        return Result(case, "traceback", "".join(traceback.format_exception(error))[-300:])
    finally:
        shutil.rmtree(room)
        room.mkdir()
    named = Path(case.file).name in said
    if code == 2:
        return Result(case, "noticed" if named else "noticed, not named", said.strip())
    if after == before or _same_moves(case.file, before, after):
        return Result(case, "harmless")
    if "note:" in said and named:
        return Result(case, "noticed", said.strip())
    return Result(case, "silent" if READ_BY[case.command](case.file) else "unread")


def _same_moves(name: str, before: bytes, after: bytes) -> bool:
    """Whether only texts of a record differ, which nothing is computed from."""
    if not name.startswith("games/"):
        return False
    try:
        one, other = parse_record(before), parse_record(after)
    except StratagemError:
        return False
    return [e.action for e in one.events] == [e.action for e in other.events]


def matrix(seeds: int, chosen: Iterable[Case] | None = None) -> list[Result]:
    results = []
    with tempfile.TemporaryDirectory() as folder:
        whole, room = Path(folder) / "whole" / "run", Path(folder) / "room"
        make_run(whole)
        room.mkdir()
        for case in list(chosen or cases()):
            for seed in range(seeds):
                results.append(examine(case, whole, room, random.Random(f"{case}{seed}")))
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=1)
    given = parser.parse_args()
    results = matrix(given.seeds)
    for one in results:
        if one.verdict not in ("noticed", "unread", "harmless"):
            sys.stdout.write(f"{one.verdict}: {one.case}: {one.message}\n")
    counts = Counter(one.verdict for one in results)
    sys.stdout.write(f"{len(results)} cases: {dict(counts)}\n")
    sys.exit(1 if counts["silent"] or counts["traceback"] else 0)


if __name__ == "__main__":
    main()
