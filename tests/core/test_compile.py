"""The disk cache of compiled kernels survives processes and notices every edit."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from stratagem.core import compile

DICE = Path(__file__).parent.parent / "games" / "dice"

# Loads the game, plays it a little, and says what it saw and where each kernel came from.
PROBE = """
import json, sys
import numpy as np
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seeds

game = load_game("probe")
states = game.new_states(derive_seeds(0, count=4))
game.kernels.step(states, game.draw(states, derive_seeds(1, count=4)))
ids, counts = game.legal(states)
game.kernels.step(states, ids[:, 0].copy())
batched = {name: k for name, k in vars(game.kernels).items() if not name.startswith("_")}
used = {name: k for name, k in batched.items() if getattr(k, "signatures", None)}
print(json.dumps({
    "kept": states["kept"].tolist(),
    "hits": sum(sum(k.stats.cache_hits.values()) for k in used.values()),
    "misses": sum(sum(k.stats.cache_misses.values()) for k in used.values()),
    "used": sorted(used),
}))
"""


def make_probe(folder):
    """A copy of the dice game, whose sources may be edited."""
    shutil.copytree(DICE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in folder.glob("*.py"):
        file.write_text(file.read_text().replace("from dice", "from probe"))
    # Move one kernel to a file of its own: Numba alone would not notice an edit over there.
    text = (folder / "rules.py").read_text()
    (folder / "rules.py").unlink()
    (folder / "rules").mkdir()
    start = text.index("@kernel\ndef keep(s):")
    stop = text.index("@kernel\ndef returns(")
    header = text[text.index("from ") : text.index("@kernel")]
    (folder / "rules" / "keeping.py").write_text(header + text[start:stop])
    (folder / "rules" / "__init__.py").write_text(
        header
        + "from probe.rules.keeping import keep\n\n\n"
        + text[text.index("@kernel") : start]
        + text[stop:]
    )


class Probe(NamedTuple):
    """A game that was compiled once, beside caches of seven older versions."""

    folder: Path
    first: dict  # what the process that compiled it saw
    second: dict  # and the one after it
    compiled: list  # files in the cache after the first
    compiled_later: list  # and after the second
    versions: int  # folders in the cache after the first


@pytest.fixture(scope="module")
def probe(tmp_path_factory):
    """Whoever edits its sources undoes it: compiling takes long, so tests share it."""
    folder = tmp_path_factory.mktemp("probe") / "games" / "probe"
    make_probe(folder)
    versions = folder.parent.parent / "cache" / "kernels" / "probe"
    for number in range(7):
        (versions / f"old{number}").mkdir(parents=True)
    first = run_probe(folder)
    compiled, kept = cache_files(folder), len(list(versions.iterdir()))
    second = run_probe(folder)
    return Probe(folder, first, second, compiled, cache_files(folder), kept)


def run_probe(folder, **environment):
    shown = subprocess.run(
        [sys.executable, "-c", PROBE],
        env={
            **os.environ,
            "STRATAGEM_GAMES": str(folder.parent),
            "STRATAGEM_CACHE": str(folder.parent.parent / "cache"),
            "PYTHONDONTWRITEBYTECODE": "1",
            **environment,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert shown.returncode == 0, shown.stderr
    return json.loads(shown.stdout)


def cache_files(folder):
    return sorted(path.name for path in (folder.parent.parent / "cache").rglob("*.nb[ci]"))


def test_closure_kernels_come_from_the_disk_in_a_new_process(probe):
    assert probe.first["hits"] == 0
    assert probe.first["misses"] == len(probe.first["used"]) > 2
    assert probe.second["misses"] == 0
    assert probe.second["hits"] == probe.first["misses"]
    assert probe.second["kept"] == probe.first["kept"]
    assert probe.compiled_later == probe.compiled != []


def test_an_edit_in_an_imported_file_is_noticed(probe):
    keeping = probe.folder / "rules" / "keeping.py"
    text = keeping.read_text()
    edited = text.replace('= s["roll"]', '= s["roll"] + 100')
    assert edited != text
    keeping.write_text(edited)
    try:
        after = run_probe(probe.folder)
    finally:
        keeping.write_text(text)
    assert [row[0] - 100 for row in after["kept"]] == [row[0] for row in probe.first["kept"]]
    assert after["misses"] == probe.first["misses"]


def test_a_new_table_is_noticed(probe):
    table = probe.folder / "costs.csv"
    table.write_text("unit,cost\nknight,3\n")
    try:
        assert run_probe(probe.folder)["misses"] == probe.first["misses"]
    finally:
        table.unlink()


def test_core_kernels_count_wherever_they_are():
    core = Path(compile.__file__).parent
    makers = {
        f.relative_to(core).as_posix()
        for f in core.rglob("*.py")
        if re.search(r"^@kernel|kernel_in\(", f.read_text(), re.M)
    }
    assert makers <= set(compile._CORE)


def test_nothing_for_people_is_compiled():
    games = Path(compile.__file__).parent.parent / "games"
    for game in (folder for folder in games.iterdir() if (folder / "game.toml").is_file()):
        hashed = compile.compiled_files(game)
        for file in game.rglob("*.py"):
            assert file in hashed or "@kernel" not in file.read_text(), file


def test_every_kernel_counts_and_drawings_do_not(tmp_path):
    for name in (
        "rules.py",
        "rules/view.py",
        "view.py",
        "view/map.py",
        "notation.py",
        "data/a.csv",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    names = [file.relative_to(tmp_path).as_posix() for file in compile.compiled_files(tmp_path)]
    assert names == ["data/a.csv", "rules/view.py", "rules.py"]


def test_old_caches_are_forgotten(probe):
    assert probe.versions == 5


def test_the_same_without_the_jit(probe):
    interpreted = run_probe(probe.folder, NUMBA_DISABLE_JIT="1")
    assert interpreted["kept"] == probe.first["kept"]
    assert interpreted["used"] == []
