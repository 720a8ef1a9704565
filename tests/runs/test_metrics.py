"""Typed metrics: a line comes back as it was written, and nothing else passes for one."""

from runs.made_up import some_metrics
from stratagem.runs.metrics import newest_anchors, parse_metrics

ANCHOR = {"score": 0.5, "low": 0.4, "high": 0.6}


def test_a_line_comes_back_as_it_was_written():
    gate = {"accepted": False, "games": 40, "score": 0.45, "reason": "threshold 0.55"}
    row = some_metrics(
        3, accepted=False, gate=gate, anchors={"random": ANCHOR}, details={"sims_per_s": 7.0},
        measures={"points": {"mean": 4.5, "count": 20}},
    )  # fmt: skip
    assert parse_metrics(row.as_line().encode()) == [row]


def test_what_is_no_whole_line_is_left_out():
    whole = some_metrics(1).as_line()
    data = "\n".join([whole, "[2]", '"x"', '{"iteration": 2}', whole[:30]])
    assert [row.iteration for row in parse_metrics(data.encode())] == [1]


def test_nothing_trained_means_no_loss():
    assert some_metrics(1, losses={}, steps=0).loss is None
    assert some_metrics(1).loss == 0.5


def test_the_newest_score_against_each_opponent_counts():
    better = {**ANCHOR, "score": 0.9, "high": 1.0}
    rows = [
        some_metrics(1, anchors={"random": ANCHOR, "scripted": ANCHOR}),
        some_metrics(2, anchors={"random": better}),
        some_metrics(3),
    ]
    found = {spec: one.score for spec, one in newest_anchors(rows).items()}
    assert found == {"random": 0.9, "scripted": 0.5}
