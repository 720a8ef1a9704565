"""The local backend: results in order, tasks side by side, errors handed on."""

import threading

import pytest

from stratagem.backend import LocalBackend


def test_results_come_in_the_order_of_the_tasks():
    last_started = threading.Event()

    def slow():
        assert last_started.wait(10)
        return "slow"

    def quick():
        last_started.set()
        return "quick"

    # The first can only end once the second has begun: they run side by side.
    assert LocalBackend().run([slow, quick]) == ["slow", "quick"]


def test_a_single_task_stays_in_this_thread():
    assert LocalBackend().run([threading.current_thread]) == [threading.current_thread()]
    first, second = LocalBackend().run([threading.current_thread] * 2)
    assert threading.current_thread() not in (first, second)


def test_no_tasks_no_results():
    assert LocalBackend().run([]) == []


def test_the_first_error_is_raised_after_all_have_ended():
    ended = []

    def fail():
        raise ValueError("first")

    def work():
        ended.append(True)

    with pytest.raises(ValueError, match="first"):
        LocalBackend().run([fail, work])
    assert ended == [True]
