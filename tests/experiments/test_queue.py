"""The queue runs what is missing in order, survives a kill and goes on."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from experiments.tiny import SETTINGS
from stratagem.core.errors import BadSetting
from stratagem.experiments import files
from stratagem.experiments import queue as queues
from stratagem.experiments.clock import running_clock, spent_seconds
from stratagem.experiments.kept import read_kept
from stratagem.experiments.queue import QueuedExperiment, duration, read_queue, run_queue

QUEUE = """
out = "{out}"
run = [{{ experiment = "{game}/one" }}, {{ experiment = "{game}/two", budget = "20s" }}]
"""


@pytest.fixture
def queue(tmp_path, monkeypatch):
    written = {}
    for number in ("one", "two"):
        file = tmp_path / f"{number}.toml"
        file.write_text(
            f'title = "{number}"\nbudget = "10s"\n'
            '[[behaviour]]\nothers = { random = "random" }\nopponents = ["random"]\n'
            'scenarios = ["default"]\ngames = 2\n'
        )
        written[f"connect_four/{number}"] = file
    monkeypatch.setattr(files, "experiment_files", lambda: written)
    monkeypatch.setattr(queues, "checkout_root", lambda: tmp_path)
    file = tmp_path / "queue.toml"
    file.write_text(QUEUE.format(out=tmp_path / "out", game="connect-four"))
    return file


def finish(one: QueuedExperiment) -> int:
    one.folder.mkdir(parents=True, exist_ok=True)
    result = {
        "budget_seconds": one.budget_seconds,
        "definition": files.experiment_values(one.name),
    }
    (one.folder / "result.json").write_text(json.dumps(result))
    return 0


def test_what_is_left_is_told_in_order(queue, tmp_path):
    first, second = read_queue(queue)
    assert (first.name, first.state, first.left_seconds) == ("connect_four/one", "waiting", 10.0)
    assert second.budget_seconds == 20.0
    with running_clock(second.folder):
        time.sleep(0.12)
    assert 0.1 <= spent_seconds(second.folder) < 5
    finish(first)
    first, second = read_queue(queue)
    assert (first.state, first.left_seconds, second.state) == ("done", 0.0, "started")
    assert 15 < second.left_seconds < 20


def test_a_failure_costs_no_other_and_a_changed_file_is_run_again(queue):
    ran, said = [], []

    def run_one(one):
        ran.append(one.name)
        return 1 if one.name.endswith("one") else finish(one)

    assert run_queue(queue, run_one, said.append) == {
        "connect_four/one": "failed", "connect_four/two": "done",
    }  # fmt: skip
    assert any("1 of 2" in line and "in all" in line for line in said)
    ran.clear()
    run_queue(queue, run_one, said.append)
    assert ran == ["connect_four/one"]
    file = files.experiment_files()["connect_four/two"]
    file.write_text(file.read_text().replace("two", "a better title"))
    assert read_queue(queue)[1].state == "done"
    file.write_text(file.read_text().replace("games = 2", "games = 4"))
    assert read_queue(queue)[1].state != "done"


def test_a_fresh_clone_knows_what_was_published(queue, tmp_path):
    """What was published as asked is done; what had less time comes after what is missing."""
    first, second = read_queue(queue)
    results = tmp_path / "results"
    results.mkdir()
    result = {"budget_seconds": 5.0, "definition": files.experiment_values(first.name)}
    (results / "connect_four-one.json").write_text(json.dumps(result))
    assert [one.state for one in read_queue(queue)] == ["smaller", "waiting"]

    ran = []
    run_queue(queue, lambda one: ran.append(one.name) or finish(one), lambda line: None)
    assert ran == [second.name, first.name]

    (first.folder / "result.json").unlink()
    result["budget_seconds"] = 10.0
    (results / "connect_four-one.json").write_text(json.dumps(result))
    assert read_queue(queue)[0].state == "done"


def test_mistakes_are_named(queue):
    queue.write_text('run = [{ experiment = "connect_four/one", seeds = 2 }]')
    with pytest.raises(BadSetting, match="unknown key"):
        read_queue(queue)
    queue.write_text(
        'run = [{ experiment = "connect_four/one" }, { experiment = "connect-four/one" }]'
    )
    with pytest.raises(BadSetting, match="twice"):
        read_queue(queue)


@pytest.mark.parametrize(
    "text", ["5", "[" * 100_000, '{"definition": 1}', '{"budget_seconds": "x"}']
)
def test_a_damaged_result_is_not_done(queue, text):
    first = read_queue(queue)[0]
    finish(first)
    assert read_queue(queue)[0].state == "done"
    (first.folder / "result.json").write_text(text)
    assert read_queue(queue)[0].state == "waiting"


@pytest.mark.parametrize("seconds", ["NaN", "Infinity", "-5", '"x"', "1" + "0" * 400])
def test_a_damaged_clock_starts_anew(tmp_path, seconds):
    (tmp_path / "spent.json").write_text(f'{{"seconds": {seconds}}}')
    assert spent_seconds(tmp_path) == 0.0


def test_what_was_played_and_is_damaged_is_named(tmp_path):
    file = tmp_path / "played.json"
    for text in ("{", "[" * 100_000, ""):
        file.write_text(text)
        with pytest.raises(BadSetting, match=r"played\.json is damaged: delete it"):
            read_kept(file)


def test_durations():
    assert [duration(x) for x in (12, 61, 3600, 5400)] == ["12 s", "1 min", "1 h 00 min",
                                                          "1 h 30 min"]  # fmt: skip


def test_the_shipped_queue_has_every_exhibit():
    root = Path(__file__).resolve().parents[2]
    entries = read_queue(root / "experiments" / "queue.toml")
    shown = {
        name for name in files.experiment_files() if "exhibit" in files.experiment_values(name)
    }
    assert {one.name for one in entries} == shown
    assert sum(one.budget_seconds for one in entries) < 40 * 3600


TINY = (
    """
title = "Tiny"
budget = "20m"

[settings]
iterations = 6
"""
    + SETTINGS
    + """
[[arms]]
name = "open"

[[rates]]
title = "Against random"
opponent = "random"
agents = { Policy = "policy:{model}" }
games = 4
"""
)


@pytest.mark.slow
def test_a_killed_queue_goes_on_where_it_was(tmp_path):
    """In processes of their own, as at night: kill -9, nothing stays behind, the rest is run."""
    own = tmp_path / "own" / "connect_four"
    own.mkdir(parents=True)
    (own / "one.toml").write_text(TINY)
    (tmp_path / "queue.toml").write_text(
        'out = "out"\nrun = [{ experiment = "connect_four/one" }]\n'
    )
    environment = os.environ | {"STRATAGEM_EXPERIMENTS": str(tmp_path / "own")}
    command = [sys.executable, "-c", "from stratagem.cli.main import main; main()", "queue",
               "queue.toml", "--cores", "1"]  # fmt: skip
    metrics = tmp_path / "out" / "connect_four-one" / "runs" / "open" / "s0" / "metrics.jsonl"
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL) as one:
        deadline = time.monotonic() + 200
        while not metrics.is_file() or metrics.read_text().count("\n") < 2:
            assert one.poll() is None and time.monotonic() < deadline
            time.sleep(0.1)
        one.send_signal(signal.SIGKILL)
    time.sleep(2.0)
    before = metrics.read_text().splitlines()
    time.sleep(1.0)
    assert metrics.read_text().splitlines() == before  # nobody trains any more
    assert not (tmp_path / "out" / "connect_four-one" / "result.json").exists()

    done = subprocess.run([*command, "--json"], cwd=tmp_path, env=environment, check=True,
                          capture_output=True, text=True)  # fmt: skip
    state = json.loads(done.stdout)
    assert [one["state"] for one in state["experiments"]] == ["done"]
    assert state["left_seconds"] == 0.0
    after = metrics.read_text().splitlines()
    assert after[: len(before) - 1] == before[: len(before) - 1] and len(after) > len(before)
    result = json.loads((tmp_path / "out" / "connect_four-one" / "result.json").read_text())
    assert result["rates"][0]["rows"][0]["games"] == 4
