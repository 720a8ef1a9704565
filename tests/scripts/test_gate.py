"""The gate runs every stage, names what failed, and ends with pytest's closing line."""

import importlib.util
import sys
from pathlib import Path

import pytest

FILE = Path(__file__).parents[2] / "scripts" / "gate.py"


@pytest.fixture(scope="module")
def gate():
    found = importlib.util.spec_from_file_location("gate", FILE)
    module = importlib.util.module_from_spec(found)
    sys.modules["gate"] = module  # dataclasses look their module up
    found.loader.exec_module(module)
    yield module
    del sys.modules["gate"]


def stage(gate, name, code, text=""):
    program = f"import sys; print({text!r}); sys.exit({code})"
    return gate.Stage(name, (sys.executable, "-c", program))


def test_every_stage_runs_and_the_failed_ones_are_named(gate, capfd):
    first = [
        stage(gate, "types", 1, "x.py:1: error"),
        stage(gate, "lint", 0, "quiet"),
        gate.Stage("vitest", ("none",), skipped="no node"),
    ]
    tests = stage(gate, "tests", 0, "..\n2 passed in 0.1s")
    assert gate.run_gate(first, tests) == 1
    lines = capfd.readouterr().out.splitlines()
    assert "x.py:1: error" in lines and "quiet" not in lines
    assert [line.split()[0] for line in lines[-6:-2]] == ["types", "lint", "vitest", "tests"]
    assert lines[-6].endswith("failed") and lines[-5].endswith("ok")
    assert "skipped: no node" in lines[-4]
    assert lines[-2:] == ["failed: types", "2 passed in 0.1s"]


def test_failing_tests_fail_the_gate(gate, capfd):
    assert gate.run_gate([], stage(gate, "tests", 1, "1 failed in 0.1s")) == 1
    passed = stage(gate, "tests", 0, "1 passed")
    assert gate.run_gate([stage(gate, "lint", 0)], passed) == 0
    assert capfd.readouterr().out.splitlines()[-2] == "all stages passed"


def test_stages_cover_all_python_and_the_page(gate):
    quick = {stage.name for stage in gate.first_stages(fast=True)}
    assert quick == {"types", "format", "lint", "docs", "contracts", "licences"}
    whole = {stage.name for stage in gate.first_stages(fast=False)}
    assert whole - quick == {"kernels", "typescript", "vitest"}
    (lint,) = (stage for stage in gate.first_stages(fast=True) if stage.name == "lint")
    assert {"src", "tests", "scripts", "benchmarks", "experiments"} <= set(lint.command)
    assert "--quick" in gate.test_stage(fast=True).command
