"""Metrics as a table of numbers."""

import csv
import io

from runs.made_up import some_metrics
from stratagem.runs.metrics_table import flat_metrics, metrics_csv

SCORE = {"score": 0.75, "low": 0.6, "high": 0.9}


def test_every_number_has_a_path():
    row = some_metrics(
        3,
        losses={"total": 0.5, "policy": 0.25},
        anchors={"mcts:none?sims=10": SCORE},
        measures={"shots": {"mean": 2.5, "count": 4}},
        gate={"accepted": False, "games": 8, "score": 0.4, "reason": "too weak"},
        details={"values": [1, 2], "entropy": 1.5, "name": "x"},
    )
    flat = flat_metrics(row)
    assert flat["iteration"] == 3
    assert flat["losses/policy"] == 0.25
    assert flat["anchors/mcts:none?sims=10/low"] == 0.6
    assert flat["measures/shots/mean"] == 2.5
    assert (flat["gate/accepted"], flat["accepted"]) == (0, 1)
    assert flat["details/entropy"] == 1.5
    left_out = {"gate/reason", "details/values", "details/name", "mean_plies"}
    assert not left_out & set(flat)


def test_what_was_not_measured_is_an_empty_cell():
    rows = [some_metrics(1), some_metrics(2, anchors={"random": SCORE})]
    lines = list(csv.DictReader(io.StringIO(metrics_csv(rows))))
    assert [line["iteration"] for line in lines] == ["1", "2"]
    assert [line["anchors/random/score"] for line in lines] == ["", "0.75"]
