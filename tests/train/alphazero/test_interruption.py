"""Interrupted at every write, and killed at random moments: the run ends like one left alone."""

import contextlib
import multiprocessing
import pathlib
import random
import shutil
import signal
import time
from pathlib import Path

import pytest

from stratagem.runs.folder import RunFolder
from train.alphazero.tiny import left_over, outcome, start_run, take_up

SHORT = {
    "iterations": 3,
    "selfplay": {"slots": 4, "workers": 1, "positions": 24},
    "search": {"sims": 4},
    "replay": {"minimum": 16, "growth": 0.5},
    "anchors": {"times": 0},
}


class Killed(BaseException):
    """Stands for a SIGKILL: nothing may catch it."""


class Reaper:
    """Counts the steps that reach the disk, and kills the run at one of them."""

    def __init__(self, monkeypatch, moment):
        self.moment = moment
        self.count = 0
        self.dead = False
        for owner, name in [
            (pathlib.Path, "replace"),
            (pathlib.Path, "rename"),
            (pathlib.Path, "unlink"),
            (shutil, "rmtree"),
            (RunFolder, "add_metrics"),
        ]:
            monkeypatch.setattr(owner, name, self.watch(getattr(owner, name)))

    def watch(self, function):
        def watched(*arguments, **options):
            if not self.dead and self.count == self.moment:
                self.dead = True
            if self.dead:  # the dead do not clean up after themselves either
                raise Killed
            self.count += 1
            return function(*arguments, **options)

        return watched


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """(outcome, number of steps that reach the disk) of a run that was left alone."""
    path = tmp_path_factory.mktemp("whole") / "run"
    trainer = start_run(path, **SHORT)
    with pytest.MonkeyPatch.context() as patch:
        reaper = Reaper(patch, moment=-1)
        trainer.run()
    return outcome(path), reaper.count


def killed_at(path, moment):
    """Run until the given step; the folder is left as a kill leaves it."""
    trainer = start_run(path, **SHORT)
    with pytest.MonkeyPatch.context() as patch, pytest.raises(Killed):
        Reaper(patch, moment)
        trainer.run()


def check_moments(moments, path, expected):
    for moment in moments:
        killed_at(path / str(moment), moment)
        take_up(path / str(moment)).run()
        assert outcome(path / str(moment)) == expected, f"killed at step {moment}"
        assert left_over(path / str(moment)) == []


def test_a_crash_at_a_write_loses_nothing(whole, tmp_path):
    expected, steps = whole
    assert steps > 25
    # Every step of the second iteration; the first and the third only begin.
    check_moments(range(7, 18), tmp_path, expected)


@pytest.mark.slow
def test_a_crash_at_another_write_loses_nothing_either(whole, tmp_path):
    expected, steps = whole
    check_moments([*range(0, 7, 2), *range(18, steps, 4)], tmp_path, expected)


@pytest.mark.slow
def test_a_crash_while_taking_up_the_run_loses_nothing(whole, tmp_path):
    expected, _ = whole
    for moment in range(0, 12, 3):
        path = tmp_path / str(moment)
        killed_at(path, 12)
        with pytest.MonkeyPatch.context() as patch:
            Reaper(patch, moment)
            with contextlib.suppress(Killed):
                take_up(path)
        take_up(path).run()
        assert outcome(path) == expected, f"killed at step {moment}"
        assert left_over(path) == []


def test_a_torn_line_of_metrics_is_written_again(whole, tmp_path, monkeypatch):
    expected, _ = whole
    path = tmp_path / "run"
    trainer = start_run(path, **SHORT)

    def torn(folder, line):
        with (folder.path / "metrics.jsonl").open("a") as stream:
            stream.write('{"iteration": 1, "seco')
        raise Killed

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(RunFolder, "add_metrics", torn)
        trainer.run()
    trainer = take_up(path)
    assert [line.iteration for line in RunFolder(path).metrics()] == [1]
    trainer.run()
    assert outcome(path) == expected


def test_best_is_right_after_a_kill_between_the_pointers(tmp_path, monkeypatch):
    path = tmp_path / "run"
    trainer = start_run(path, **SHORT)
    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(RunFolder, "point_best", lambda *_: (_ for _ in ()).throw(Killed))
        trainer.run()
    take_up(path)
    assert RunFolder(path).best() == 1


# -- kill -9 -------------------------------------------------------------------------------------

ITERATIONS = 8
# Its children begin with everything imported: importing torch takes longer than these runs.
SERVER = multiprocessing.get_context("forkserver")


def train(path, line):
    """One process: begin the run or take it up, and say how far it is."""
    if (path / "config.toml").exists():
        trainer = take_up(path)
    else:
        trainer = start_run(path, iterations=ITERATIONS, selfplay={"positions": 128})
    line.send("training")
    trainer.run()
    line.send("done")


def start_process(path: Path):
    """(the process, the line on which it says something)"""
    SERVER.set_forkserver_preload(["train.alphazero.tiny"])
    ours, theirs = SERVER.Pipe(duplex=False)
    process = SERVER.Process(target=train, args=(path, theirs))
    process.start()
    theirs.close()
    return process, ours


def wait_for(process, path, patterns):
    """Until one of these files appears below the run, or the process ends by itself."""
    known = {found for pattern in patterns for found in path.glob(pattern)}
    while process.is_alive():
        if any(found not in known for pattern in patterns for found in path.glob(pattern)):
            return
        time.sleep(0.0005)


def kill_in(process, line, path, phase, dice, iteration_seconds):
    """Kill at a random moment of a phase."""
    if phase == "start":
        time.sleep(dice.uniform(0.1, 1.0))
    else:
        assert line.recv() == "training"
        if dice.random() < 0.6:  # let it get one iteration further
            wait_for(process, path, ["ckpt/step_*"])
    if phase == "self-play":
        time.sleep(dice.uniform(0, 1.0) * iteration_seconds)
    elif phase == "training":  # the game's record is written, then the network is trained
        wait_for(process, path, ["games/*.jsonl"])
        time.sleep(dice.uniform(0, 0.2) * iteration_seconds)
    elif phase == "writing":  # the checkpoint's folder is being filled or has just been named
        wait_for(process, path, ["ckpt/.step_*"])
        time.sleep(dice.uniform(0, 0.02))
    process.kill()
    process.join()
    assert process.exitcode == -signal.SIGKILL, "it was faster than the kill: lengthen the run"


@pytest.mark.slow
def test_kill_9_in_every_phase(tmp_path):
    whole, path = tmp_path / "whole", tmp_path / "killed"
    process, line = start_process(whole)
    assert line.recv() == "training"
    started = time.perf_counter()
    assert line.recv() == "done"
    iteration_seconds = (time.perf_counter() - started) / ITERATIONS
    process.join()

    dice = random.Random(20)
    phases = ["start", "self-play", "training", "writing"]
    dice.shuffle(phases)
    for phase in phases:
        kill_in(*start_process(path), path, phase, dice, iteration_seconds)
    process, line = start_process(path)
    assert [line.recv(), line.recv()] == ["training", "done"]
    process.join()

    assert outcome(path) == outcome(whole)
    numbers = [line.iteration for line in RunFolder(path).metrics()]
    assert numbers == list(range(1, ITERATIONS + 1))
    assert left_over(path) == []
