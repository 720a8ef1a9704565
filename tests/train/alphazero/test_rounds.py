"""Rounds of self-play that go on by themselves: bounded, in order, each taken once."""

from concurrent.futures import Future

import pytest

from stratagem.runs.folder import RunFolder
from stratagem.train.alphazero.rounds import Round, RoundStream
from train.alphazero.tiny import count_rounds, start_run, take_up

CHANGES = {"mode": "asynchronous", "iterations": 4, "anchors": {"times": 0}}


class HandCrew:
    """Workers whose calls end when the test says so."""

    def __init__(self):
        self.calls = []  # (worker, version, number, future) in progress

    def prepare(self, *arguments):
        return arguments

    def submit(self, worker, method, prepared, number):
        _, version, *_ = prepared
        self.calls.append((worker, version, number, Future()))
        return self.calls[-1][-1]

    def end(self, worker, error=None):
        (call,) = [call for call in self.calls if call[0] == worker]
        self.calls.remove(call)
        if error is not None:
            call[3].set_exception(error)
        else:
            call[3].set_result(Round(call[2], call[1], [], 0.0, {}))

    @property
    def under_way(self):
        return [call[:3] for call in self.calls]


@pytest.fixture
def crew():
    return HandCrew()


@pytest.fixture
def stream(crew):
    return RoundStream(crew, rounds=[0, 5], most_waiting=2)


def test_nothing_is_played_before_there_is_a_network(crew, stream):
    assert crew.under_way == []
    stream.publish(3, "weights", 8)
    assert crew.under_way == [(0, 3, 1), (1, 3, 6)]


def test_a_worker_goes_on_by_itself_until_too_many_rounds_wait(crew, stream):
    stream.publish(0, "weights", 8)
    crew.end(0)
    assert crew.under_way == [(1, 0, 6), (0, 0, 2)]
    crew.end(0)
    assert crew.under_way == [(1, 0, 6)]  # two wait: back-pressure
    worker, taken = stream.take()
    assert (worker, taken.number) == (0, 1)
    assert crew.under_way == [(1, 0, 6), (0, 0, 3)]


def test_a_round_begins_with_the_newest_network(crew, stream):
    stream.publish(0, "weights", 8)
    stream.publish(1, "weights", 8)
    assert crew.under_way == [(0, 0, 1), (1, 0, 6)]  # a round is not disturbed
    crew.end(1)
    assert (1, 1, 7) in crew.under_way


def test_older_rounds_are_known_until_they_are_taken(crew, stream):
    stream.publish(0, "weights", 8)
    stream.publish(1, "weights", 8)
    crew.end(0)
    crew.end(1)  # both play on with 1
    assert stream.has_older(1) and not stream.has_older(0)
    stream.take()
    assert stream.has_older(1)
    stream.take()
    assert not stream.has_older(1)


def test_an_error_of_a_worker_is_raised_when_its_turn_comes(crew, stream):
    stream.publish(0, "weights", 8)
    crew.end(1)
    crew.end(0, ValueError("broken"))
    assert stream.take()[0] == 1
    with pytest.raises(ValueError, match="broken"):
        stream.take()


def test_a_closed_stream_begins_nothing(crew, stream):
    stream.publish(0, "weights", 8)
    stream.close()
    crew.end(0)
    assert crew.under_way == [(1, 0, 6)]


@pytest.mark.parametrize("stale", [1, 3])
def test_an_asynchronous_run_learns_from_networks_that_are_not_too_old(tmp_path, stale):
    changes = {"asynchronous": {"most_stale": stale}, "selfplay": {"workers": 3}}
    start_run(tmp_path / "run", **CHANGES, **changes).run()
    rows = RunFolder(tmp_path / "run").metrics()
    assert len(rows) == 4 and rows[0].steps == 0  # nothing was there yet
    assert all(row.steps > 0 for row in rows[1:])
    assert all(0 <= row.details["staleness"] <= stale for row in rows)


def test_an_asynchronous_run_that_is_taken_up_counts_every_round_once(tmp_path, monkeypatch):
    taken = count_rounds(monkeypatch)
    path = tmp_path / "run"
    first = start_run(path, **CHANGES, selfplay={"workers": 3})
    first._iterate()
    first._iterate()  # workers are in the middle of a round when the run is left
    before = RunFolder(path).metrics()[-1]
    assert before.decisions == sum(taken.values())
    first._stop()
    take_up(path).run()
    rows = RunFolder(path).metrics()
    assert [row.iteration for row in rows] == [1, 2, 3, 4] and rows[1] == before
    assert rows[-1].decisions == sum(taken.values())
    for worker in (0, 1):
        numbers = sorted(number for one, number in taken if one == worker)
        assert numbers == list(range(1, len(numbers) + 1))


def test_a_run_goes_on_after_it_was_stopped(tmp_path):
    trainer = start_run(tmp_path / "run", **CHANGES)
    trainer._iterate()
    trainer._stop()
    trainer._iterate()
    rounds = list(trainer._collector.rounds)
    assert trainer._stop() is None and min(rounds) >= 2


def test_an_asynchronous_run_with_a_population_goes_on_after_it_was_left(tmp_path):
    opponents = {"past": 1.0, "agents": {"random": 0.5}, "every": 1, "pool": 1}
    changes = {**CHANGES, "iterations": 6, "opponents": opponents, "keep_every": 100}
    first = start_run(tmp_path / "run", **changes)
    for _ in range(3):
        first._iterate()
    first._stop()
    take_up(tmp_path / "run").run()
    met = {name for row in RunFolder(tmp_path / "run").metrics() for name in row.opponents}
    assert "random" in met and any(name.startswith("iteration") for name in met)
