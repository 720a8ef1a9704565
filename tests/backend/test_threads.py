"""Threads: results in order, work side by side, workers that keep their state, errors handed on."""

import threading

import pytest

from backend.counting import Counter
from stratagem.backend import ThreadBackend


def test_results_come_in_the_order_of_the_items(monkeypatch):
    monkeypatch.setattr("stratagem.backend.threads.available_cores", lambda: 2)
    last_started = threading.Event()

    def work(name):
        if name == "slow":
            assert last_started.wait(10)
        else:
            last_started.set()
        return name

    heard = []
    # The first can only end once the second has begun: they run side by side.
    assert ThreadBackend().map(work, ["slow", "quick"], heard.append) == ["slow", "quick"]
    assert heard == ["slow", "quick"]


def test_a_single_item_stays_in_this_thread(monkeypatch):
    monkeypatch.setattr("stratagem.backend.threads.available_cores", lambda: 2)

    def thread_of(item):
        return threading.current_thread()

    assert ThreadBackend().map(thread_of, [1]) == [threading.current_thread()]
    assert threading.current_thread() not in ThreadBackend().map(thread_of, [1, 2])


def test_no_items_no_results():
    assert ThreadBackend().map(abs, []) == []


def test_the_first_error_is_raised_after_all_have_ended(monkeypatch):
    monkeypatch.setattr("stratagem.backend.threads.available_cores", lambda: 2)
    ended = []

    def work(item):
        if item == 1:
            raise ValueError("first")
        ended.append(item)

    with pytest.raises(ValueError, match="first"):
        ThreadBackend().map(work, [1, 2])
    assert ended == [2]


def test_workers_keep_their_state():
    crew = ThreadBackend().start_workers(Counter, [1, 10, 100])
    assert len(crew) == 3
    assert crew.call("add", [(1,), (2,), (3,)]) == [2, 12, 103]
    assert crew.call("add", [(1,), (2,), (3,)]) == [3, 14, 106]
