"""The short form of the chaos suite; `make chaos` runs the long one."""

import subprocess
import sys
from pathlib import Path

import pytest

from chaos import positions
from chaos.corruption import FILES, READ_BY, cases, matrix
from chaos.disk_full import SHORT, disk, survives
from train.alphazero.tiny import outcome, start_run


def faults(results):
    return [one for one in results if one.verdict not in ("noticed", "unread", "harmless")]


def test_damage_is_noticed_by_whoever_reads_the_file():
    results = matrix(1, cases(commands=("match", "serve")))
    assert faults(results) == []
    assert sum(one.verdict == "noticed" for one in results) > 20


@pytest.mark.slow
def test_damage_is_noticed_by_a_resumed_run_and_a_report():
    used = [case for case in cases(FILES, ("resume", "report")) if READ_BY[case.command](case.file)]
    reports = [case for case in used if case.command == "report"]
    resumed = [case for case in used if case.command == "resume"]
    # One damage to each file, each kind in its turn; `make chaos` does them all.
    turns = [case for k, case in enumerate(resumed) if k % 3 == k // 3 % 3]
    assert len({case.file for case in turns}) == len(turns) == len({c.file for c in resumed})
    assert len({case.damage for case in turns}) == 3
    results = matrix(1, [*turns, *reports])
    assert faults(results) == []
    assert sum(one.verdict == "noticed" for one in results) > len(turns) / 2


def test_a_full_disk_loses_nothing(tmp_path):
    with disk() as whole:
        start_run(tmp_path / "whole", **SHORT).run()
    expected = outcome(tmp_path / "whole")
    for number, share in enumerate((0.02, 0.5, 0.97)):
        survives(tmp_path / str(number), int(share * whole.used), expected)


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["battlefield", "hexwar/symmetric", "catan/trading"])
def test_positions_of_others_keep_kernels_within_their_arrays(spec):
    words = [sys.executable, str(Path(positions.__file__)), "--tries", "150", spec]
    done = subprocess.run(words, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed, 0 faults" in done.stdout
