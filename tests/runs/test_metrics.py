"""Typed metrics: a line comes back as it was written, and nothing else passes for one."""

import json
import zlib

import pytest

from runs.made_up import some_metrics
from stratagem.runs.metrics import newest_anchors, parse_metrics

ANCHOR = {"score": 0.5, "low": 0.4, "high": 0.6}


def test_a_line_comes_back_as_it_was_written():
    gate = {"accepted": False, "games": 40, "score": 0.45, "reason": "threshold 0.55"}
    row = some_metrics(
        3, accepted=False, gate=gate, anchors={"random": ANCHOR}, details={"sims_per_s": 7.0},
        measures={"points": {"mean": 4.5, "count": 20}},
    )  # fmt: skip
    assert parse_metrics(f"{row.as_line()}\n".encode()) == ([row], [])


def test_what_is_no_whole_line_is_left_out_and_counted():
    whole = some_metrics(1).as_line()
    changed = whole.replace('"games": 10', '"games": 11')
    data = "\n".join([whole, "[2]", '"x"', '{"iteration": 2}', changed, whole, whole[:30]])
    rows, damaged = parse_metrics(data.encode())
    assert [row.iteration for row in rows] == [1]
    assert damaged == [2, 3, 4, 5, 6]  # the last one may still be being written


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


@pytest.mark.parametrize(
    "changes",
    [
        {"seconds": "Infinity"},
        {"learning_rate": "NaN"},
        {"seconds": "1e300"},
        {"losses": '{"total": NaN}'},
        {"measures": '{"points": {"mean": -Infinity, "count": 2}}'},
        {"iteration": "0"},
        {"games": "-1"},
        {"gate": '{"accepted": true, "games": 4, "score": 9, "reason": ""}'},
        {"anchors": '{"random": {"score": 0.5, "low": -7, "high": 1}}'},
    ],
    ids=str,
)
def test_numbers_that_mean_nothing_do_not_pass_with_a_right_checksum(changes):
    """Whoever makes a line up can compute its checksum; an endless number ended `runs`."""
    values = json.loads(some_metrics(1).as_line())
    del values["check"]
    body = json.dumps({**values, **{key: f"<{key}>" for key in changes}})
    for key, text in changes.items():
        body = body.replace(f'"<{key}>"', text)
    line = f'{body[:-1]}, "check": "{zlib.crc32(body.encode()):08x}"}}\n'
    assert parse_metrics(line.encode()) == ([], [1])
