"""Event files hold every number of a run."""

import struct

import pytest
from pydantic import BaseModel

from runs.made_up import some_metrics
from stratagem.adapters.tensorboard import write_tensorboard
from stratagem.core.errors import BadSetting
from stratagem.runs.folder import RunFolder
from stratagem.runs.metrics_table import flat_metrics


class Settings(BaseModel):
    game: str = "connect_four"


@pytest.fixture
def run(tmp_path):
    return RunFolder.create(tmp_path / "run", Settings())


def scalars(folder):
    """{(name, step): (number, time)} of the only event file in a folder."""
    from tensorboardX.proto.event_pb2 import Event

    (file,) = folder.glob("events.out.tfevents.*")
    data, at, found = file.read_bytes(), 0, {}
    while at < len(data):
        (length,) = struct.unpack_from("<Q", data, at)
        event = Event.FromString(data[at + 12 : at + 12 + length])
        at += 12 + length + 4
        for value in event.summary.value:
            found[value.tag, event.step] = (value.simple_value, event.wall_time)
    return found


def test_every_number_of_every_iteration(run, tmp_path):
    rows = [some_metrics(1), some_metrics(2, losses={"total": 0.25})]
    for row in rows:
        run.add_metrics(row)
    names = write_tensorboard(run, tmp_path / "events")
    found = scalars(tmp_path / "events")
    assert found["losses/total", 1][0] == 0.5
    assert found["losses/total", 2][0] == 0.25
    assert len(found) == 2 * names == 2 * (len(flat_metrics(rows[0])) - 1)
    assert found["games", 2][1] - found["games", 1][1] == pytest.approx(2.0, abs=0.01)


def test_nothing_is_written_twice(run, tmp_path):
    with pytest.raises(BadSetting, match="no finished iteration"):
        write_tensorboard(run, tmp_path / "events")
    run.add_metrics(some_metrics(1))
    write_tensorboard(run, tmp_path / "events")
    with pytest.raises(BadSetting, match="already contains events"):
        write_tensorboard(run, tmp_path / "events")


def test_a_missing_package_is_named(run, tmp_path, monkeypatch):
    run.add_metrics(some_metrics(1))
    monkeypatch.setitem(__import__("sys").modules, "tensorboardX", None)
    with pytest.raises(BadSetting, match=r"pip install 'stratagem\[tensorboard\]'"):
        write_tensorboard(run, tmp_path / "events")
