"""Processes: the same results as threads, nothing lost with a killed worker, nobody left over."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from backend.counting import (
    Counter,
    Holder,
    Refusing,
    always_die,
    fail_at_two,
    raise_odd,
    slow_square,
    square_once_killed,
)
from stratagem.backend.crew import WorkerLost
from stratagem.backend.packing import pack
from stratagem.backend.processes import ProcessBackend


@pytest.fixture(scope="module")
def backend():
    backend = ProcessBackend(2)
    yield backend
    backend.close()


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


@pytest.mark.parametrize("size", [0, 10, 200_000])
def test_packed_data_comes_back_equal_and_may_be_written(size):
    array = np.arange(size, dtype=np.float32)
    records = np.zeros(size, [("a", "i2"), ("b", "f8", (3,))])
    with pack({"one": array, "again": array, "records": records, "text": "x" * size}) as packed:
        found = packed.unpack()
    assert (packed.nbytes > 1 << 16) == (size == 200_000)
    assert found["text"] == "x" * size and found["again"] is found["one"]
    np.testing.assert_array_equal(found["one"], array)
    assert found["records"].dtype == records.dtype
    found["one"][:] = -1
    np.testing.assert_array_equal(array, np.arange(size, dtype=np.float32))


def test_map_keeps_the_order_and_tells_each_result(backend):
    heard = []
    assert backend.map(slow_square, [1, 2, 3, 4, 5], heard.append) == [1, 4, 9, 16, 25]
    assert heard == [1, 4, 9, 16, 25]
    assert backend.map(slow_square, []) == []


def test_errors_travel_with_the_worker_s_traceback(backend):
    with pytest.raises(ValueError, match="two") as caught:
        backend.map(fail_at_two, [1, 2, 3])
    assert "fail_at_two" in "".join(caught.value.__notes__)
    with pytest.raises(RuntimeError, match="1 and more"):
        backend.map(raise_odd, [1])


def test_a_killed_process_costs_map_nothing(backend, tmp_path):
    tasks = [(number, str(tmp_path)) for number in range(4)]
    assert backend.map(square_once_killed, tasks) == [0, 1, 4, 9]


def test_a_call_that_always_kills_its_worker_is_given_up(backend):
    with pytest.raises(WorkerLost):
        backend.map(always_die, [1])


def test_workers_keep_their_state_and_have_a_core_each(backend):
    crew = backend.start_workers(Counter, [1, 10])
    assert len(crew) == 2
    assert crew.call("add", [(1,), (2,)]) == [2, 12]
    assert crew.call("add", [(1,), (2,)]) == [3, 14]
    pids = crew.call("process", [(), ()])
    if len(os.sched_getaffinity(0)) == 2:
        assert [len(os.sched_getaffinity(pid)) for pid in pids] == [1, 1]
    crew.close()
    assert not any(map(is_alive, pids))


def test_a_worker_killed_in_a_call_is_replaced_and_the_call_repeated(backend, tmp_path):
    crew = backend.start_workers(Counter, [1, 10])
    assert crew.call("add", [(1,), (2,)]) == [2, 12]
    began = time.monotonic()
    calls = [(5, str(tmp_path)), (7, str(tmp_path))]
    assert crew.call("add_once_killed", calls) == [7, 19]  # each counted once
    assert time.monotonic() - began < 5
    assert crew.call("add", [(0,), (0,)]) == [7, 19]


def test_a_worker_killed_between_calls_is_replaced(backend):
    crew = backend.start_workers(Counter, [1])
    assert crew.call("add", [(1,)]) == [2]
    (pid,) = crew.call("process", [()])
    os.kill(pid, signal.SIGKILL)
    assert crew.call("add", [(1,)]) == [3]


def test_large_arrays_go_both_ways(backend):
    crew = backend.start_workers(Holder, [None, None])
    weights = np.ones(1_000_000, np.float32)
    first, second = crew.call("double", [(weights,)] * 2)
    assert first["sum"] == second["sum"] == 2e6
    assert weights.sum() == 1e6 and first["doubled"].sum() == 2e6


def test_an_error_leaves_the_crew_in_use(backend):
    crew = backend.start_workers(Counter, [1, 10])
    with pytest.raises(ValueError, match="no"):
        crew.call("fail", [("no",), ("nor this",)])
    assert crew.call("add", [(1,), (1,)]) == [2, 11]


def test_a_worker_that_cannot_be_built_says_why(backend):
    with pytest.raises(ValueError, match="refused 3"):
        backend.start_workers(Refusing, [3])


def test_a_crew_that_nobody_holds_ends_its_processes(backend):
    crew = backend.start_workers(Counter, [1])
    (pid,) = crew.call("process", [()])
    del crew
    assert not is_alive(pid)


_PARENT = """
import sys
from backend.counting import Counter
from stratagem.backend.processes import ProcessBackend

if __name__ == "__main__":
    crew = ProcessBackend().start_workers(Counter, [1, 2])
    print(*crew.call("process", [(), ()]), flush=True)
    sys.stdin.read()
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, None])
def test_nobody_outlives_the_parent(number, tmp_path):
    (tmp_path / "parent.py").write_text(_PARENT)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    parent = subprocess.Popen(
        [sys.executable, tmp_path / "parent.py"], env=environment, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    pids = [int(word) for word in parent.stdout.readline().split()]
    assert len(pids) == 2 and all(map(is_alive, pids))
    if number is not None:
        parent.send_signal(number)
    parent.communicate(timeout=10)
    deadline = time.monotonic() + 5
    while any(map(is_alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(is_alive, pids))
