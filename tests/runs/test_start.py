"""Starting and resuming: one way in, one process at a time."""

import subprocess
import sys

import pytest

from stratagem.core.errors import BadSetting
from stratagem.runs.folder import RunFolder
from stratagem.runs.lock import hold_run
from stratagem.runs.start import start_or_resume
from stratagem.train.settings import read_settings
from train.alphazero.tiny import tiny_settings


class Recorder:
    """A trainer that only remembers whether it was resumed."""

    def __init__(self, folder):
        self.folder = folder
        self.resumed = False

    def resume(self):
        self.resumed = True


def open_run(path, **changes):
    return start_or_resume(path, tiny_settings(**changes), Recorder)


def test_a_new_run_is_started_and_an_old_one_resumed(tmp_path):
    with open_run(tmp_path / "run") as trainer:
        assert not trainer.resumed and trainer.folder.exists()
    with open_run(tmp_path / "run", iterations=5) as trainer:
        assert trainer.resumed
    assert read_settings(RunFolder(tmp_path / "run")).iterations == 5


def test_a_resumed_run_keeps_its_settings(tmp_path):
    with open_run(tmp_path / "run"):
        pass
    with (
        pytest.raises(BadSetting, match="other settings \\(see seed\\)"),
        open_run(tmp_path / "run", seed=2),
    ):
        pass
    assert read_settings(RunFolder(tmp_path / "run")).seed == 0


def test_settings_that_make_no_trainer_leave_no_folder(tmp_path):
    def refuse(folder):
        raise BadSetting("no")

    with pytest.raises(BadSetting), start_or_resume(tmp_path / "run", tiny_settings(), refuse):
        pass
    assert not (tmp_path / "run").exists()


def test_a_run_belongs_to_one_trainer_at_a_time(tmp_path):
    path = tmp_path / "run"
    refused = pytest.raises(BadSetting, match=r"is being trained by process \d+ on")
    with open_run(path), refused, open_run(path):
        pass
    with open_run(path) as trainer:
        assert trainer.resumed


HOLD = """
import sys, time
from pathlib import Path
from stratagem.runs.lock import hold_run
with hold_run(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(600)
"""


def test_another_process_is_named_and_its_end_frees_the_run(tmp_path):
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(BadSetting, match=f"process {holder.pid} "), hold_run(tmp_path):
            pass
        holder.kill()
    with hold_run(tmp_path):
        pass
