"""`train` and `--resume`: one run folder, a summary, the commands to go on with."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys

import pytest

from stratagem.cli.durations import format_seconds
from stratagem.cli.train_display import TrainDisplay
from stratagem.runs.lock import hold_run
from stratagem.train.settings import RunSettings

SMALL = [
    word
    for change in (
        "selfplay.slots=8", "selfplay.positions=256", "search.sims=4", "replay.minimum=16",
        "learning.batch_size=16", "network.settings.filters=4", "network.settings.blocks=1",
        "anchors.times=0",
    )
    for word in ("--set", change)
]  # fmt: skip


def metrics(run):
    return [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]


def test_summary_and_default_folder(cli, tmp_path):
    answer = cli("train", "connect_four", "--iterations", "1", "--seed", "7", "--json", *SMALL)
    assert answer.code == 0, answer.err
    result = json.loads(answer.out)
    assert result["iterations"] == 1 and result["finished"] is True
    assert result["game"] == "connect_four/default" and result["seed"] == 7
    run = tmp_path / result["run"]
    assert run.parent.name == "runs" and run.name.endswith("-connect_four-default-s7")
    assert (tmp_path / result["checkpoint"] / "model.json").is_file()
    assert (tmp_path / "runs" / "latest").resolve() == run.resolve()
    assert "iteration 1" in answer.err and "iteration 1" in (run / "log.txt").read_text()


def test_suggested_commands_work(cli, trained):
    answer = cli("train", "--resume", "--run", trained, "--iterations", "3")
    assert answer.code == 0, answer.err
    lines = [line.split(None, 1)[1] for line in answer.out.splitlines() if " stratagem " in line]
    assert [shlex.split(line)[1] for line in lines] == ["play", "replay", "match"]
    for line in lines[1:]:
        words = shlex.split(line)[1:]
        words = ["4" if word == "100" else word for word in words]  # fewer games
        assert cli(*words).code == 0, line


def test_a_run_that_is_being_trained_is_refused(cli, trained):
    with hold_run(trained):
        answer = cli("train", "--resume", "--run", trained, "--iterations", "3")
    assert answer.code == 2 and f"process {os.getpid()} on" in answer.err
    assert metrics(trained)[-1]["iteration"] == 2


def test_resume_goes_on_and_remembers_its_new_limit(cli, trained):
    assert metrics(trained)[-1]["iteration"] == 2
    answer = cli("train", "--resume", "--run", trained, "--iterations", "4", "--json")
    assert json.loads(answer.out)["iterations"] == 4
    assert [row["iteration"] for row in metrics(trained)] == [1, 2, 3, 4]
    assert "iterations = 4" in (trained / "config.toml").read_text()
    again = cli("train", "--resume", "--run", trained, "--json")  # nothing left to do
    assert json.loads(again.out)["iterations"] == 4


def test_a_resumed_run_says_how_far_it_is_from_the_start(cli, trained, monkeypatch):
    said, phase = [], TrainDisplay.phase

    def note(display, text):
        phase(display, text)
        said.append(display._state(1.0))

    monkeypatch.setattr(TrainDisplay, "phase", note)
    assert cli("train", "--resume", "--run", trained, "--iterations", "4").code == 0
    assert "50 % done" in said[0] and "iteration 3:" in said[0]


def test_time_left_is_counted_like_the_budget(cli, trained, monkeypatch):
    said, phase = [], TrainDisplay.phase
    processor = iter(range(0, 1000, 10))
    monkeypatch.setattr(RunSettings, "clock", lambda settings: lambda: float(next(processor)))

    def note(display, text):
        phase(display, text)
        said.append(display._state(300.0))  # a busy machine: long by the wall clock

    monkeypatch.setattr(TrainDisplay, "phase", note)
    assert cli("train", "--resume", "--run", trained, "--budget", "400s").code == 0
    share = int(re.search(r"(\d+) % done", said[0])[1])
    assert share <= 15 and "for 300 s" in said[0]


def test_an_iteration_in_which_no_game_ended_is_not_called_filling(cli):
    """Few decisions a round: at first there is nothing to learn from, later only now and then."""
    words = ("train", "connect_four", "--iterations", "9", "--run", "run", *SMALL)
    answer = cli(*words, "--set", "selfplay.positions=32")
    assert answer.code == 0
    said = ("filling replay", "no game ended", "policy loss")
    lines = [line for line in answer.out.splitlines() if line.startswith("iteration")]
    kinds = [next(text for text in said if text in line) for line in lines]
    first = kinds.index("policy loss")
    assert set(kinds[:first]) == {"filling replay"}
    assert set(kinds[first:]) == {"policy loss", "no game ended"}


@pytest.mark.slow
def test_interrupted_and_resumed_equals_uninterrupted(cli, tmp_path, monkeypatch):
    words = ("train", "connect_four", "--seed", "3", "--iterations", "3", *SMALL)
    assert cli(*words, "--run", "whole").code == 0
    add = TrainDisplay.add

    def stop_after_two(display, row):
        add(display, row)
        if row.iteration == 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(TrainDisplay, "add", stop_after_two)
        stopped = cli(*words, "--run", "parts")
    assert stopped.code == 130
    assert "stratagem train --resume --run parts\n" in stopped.out
    assert [row["iteration"] for row in metrics(tmp_path / "parts")] == [1, 2]
    assert cli("train", "--resume", "--run", "parts").code == 0
    weights = [
        (tmp_path / name / "ckpt" / "step_000003" / "model.safetensors").read_bytes()
        for name in ("whole", "parts")
    ]
    assert weights[0] == weights[1]


@pytest.mark.parametrize(
    "words, reason",
    [
        (("connect_four", "--algo", "magic"), "alphazero"),
        (("connect_four", "--algo", "sarsa"), "alphazero"),
        (("connect_four", "--backend", "local"), "threads"),
        (("connect_four", "--address", "auto"), "--backend ray"),
        (("catan", "--preset", "hdqn", "--workers", "2"), "--workers"),
        (("connect_four", "--budget", "soon"), "10m"),
        (("connect_four", "--preset", "nonsense"), "preset"),
        (("connect_four", "--set", "search.simz=3"), "sims"),
        (("connect_four", "--set", "search.sims=many"), "search.sims"),
        (("connect_four", "--set", "search"), "key=value"),
        (("connect_four", "--set", "network.kind=nonsense"), "cnn"),
        (("connect_four", "--set", "network.settings.filterz=3"), "filterz"),
        (("connect_four", "--set", "anchors.agents=['nonsense']"), "nonsense"),
        (("nonsense",), "connect_four"),
        (("connect_four/nonsense",), "default"),
        ((), "GAME"),
        (("--resume",), "--run"),
        (("--resume", "--run", "nowhere"), "does not contain a run"),
    ],
)
def test_wrong_input_starts_nothing(cli, snapshot, words, reason):
    answer = cli("train", *words, *(["--iterations", "1"] if "--budget" not in words else []))
    assert answer.code == 2
    assert answer.err.startswith("error: ") and answer.err.count("\n") == 1
    assert reason in answer.err
    assert snapshot() == {}


@pytest.mark.parametrize(
    "words",
    [("--set", "search.sims=8"), ("--seed", "9"), ("--preset", "default"), ("battlefield",)],
)
def test_a_resumed_run_keeps_its_settings(cli, trained, snapshot, words):
    before = snapshot()
    answer = cli("train", "--resume", "--run", trained, *words)
    assert answer.code == 2 and snapshot() == before


def test_a_folder_with_a_run_is_not_overwritten(cli, trained, snapshot):
    before = snapshot()
    answer = cli("train", "connect_four", "--run", trained, "--iterations", "1", *SMALL)
    assert answer.code == 2 and "--resume" in answer.err and snapshot() == before


@pytest.mark.slow
def test_ctrl_c_saves_and_prints_the_resume_line(cli, tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", "from stratagem.cli.main import main; main()", "train",
         "connect_four", "--iterations", "100000", "--run", "run", *SMALL],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("iteration 2"):
            break
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "stratagem train --resume --run run" in out and "next steps:" in out
    assert "Traceback" not in err
    done = len(metrics(tmp_path / "run"))
    assert done >= 2
    words = ("train", "--resume", "--run", "run", "--iterations", str(done + 1), "--json")
    assert json.loads(cli(*words).out)["iterations"] == done + 1


def test_format_seconds():
    assert format_seconds(45.4) == "45s"
    assert format_seconds(725) == "12m 05s"
    assert format_seconds(2 * 3600 + 180) == "2h 03m"
