"""Tables of how networks play: rows, measures by seat, curves by side, and going on."""

import json

import pytest

from stratagem.core.errors import BadSetting
from stratagem.core.record import parse_record
from stratagem.evaluate.measures import by_round
from stratagem.experiments import files, run_experiment
from stratagem.experiments.tables.behaviour import Pairing, Settings, play_pairing

TABLE = Settings(
    title="How",
    agents={"Policy": "policy:{model}"},
    opponents=("scripted",),
    games=4,
    measures=("vp_share", "territorial_alignment"),
    by_side=("vp",),
    series=("regions",),
)


def test_a_row_has_results_measures_and_curves():
    pairing = Pairing("hispania/duel8", "random", "scripted", 4, 1)
    row = play_pairing(pairing, TABLE.named)
    assert row["games"] == 4 and row["score"] < 0.6
    assert [one["seat"] for one in row["by_seat"]] == [0, 1]
    assert 0 < row["measures"]["vp_share"] < 0.5  # the agent's own, not the opponent's
    assert 0 < row["measures"]["territorial_alignment"] <= 1
    assert 0 < row["reach"]["vp_share"] < 0.5
    assert set(row["sides"]["vp"]) == {"vp/CAR", "vp/TUR"}
    curves = by_round(row["sides"]["regions"])["regions"]
    assert set(curves) == {"CAR", "TUR"}
    assert all(set(curve) == set(range(1, 7)) for curve in curves.values())
    assert parse_record(row["sample"], "sample").game.startswith("hispania/duel8")


def test_an_agent_must_name_the_network():
    with pytest.raises(ValueError, match=r"write \{model\}"):
        Settings(title="", agents={"Policy": "random"}, opponents=("random",))


@pytest.fixture
def small(tmp_path, monkeypatch):
    """An experiment file of the smallest map with a narrow network."""
    file = tmp_path / "small.toml"
    file.write_text(
        """
title = "Small"
scenario = "duel8"
[settings.network]
kind = "regions"
encoding = "wide"
settings = { width = 8 }
[settings.play]
games = 4
decisions = 0
[settings.anchors]
times = 0
[[arms]]
name = "one"
[[behaviour]]
title = "How it plays"
agents = { Policy = "policy:{model}" }
others = { scripted = "scripted" }
opponents = ["random"]
games = 2
measures = ["vp_share", "action_lift"]
by_side = ["vp"]
series = ["regions"]
"""
    )
    monkeypatch.setattr(files, "experiment_files", lambda: {"hispania/small": file})
    # A second process would import torch again.
    monkeypatch.setattr("os.sched_getaffinity", lambda process: {0})
    return file


def test_an_experiment_reports_how_networks_play(small, tmp_path):
    out = tmp_path / "out"
    result = run_experiment("hispania/small", 2.0, out)
    rows = result["behaviour"][0]["rows"]
    assert [(row["arm"], row["agent"]) for row in rows] == [("one", "Policy"), ("", "scripted")]
    page = (out / "report.md").read_text()
    assert "How it plays" in page and "vp of each side on duel8" in page
    assert (out / "behaviour_1.png").is_file() and (out / "behaviour_1_regions_1.png").is_file()
    before = json.loads((out / "result.json").read_text())["behaviour"]
    said = []
    again = run_experiment("hispania/small", 2.0, out, progress=said.append)
    assert again["behaviour"] == before and any("trained already" in line for line in said)


def test_players_that_need_no_training_are_measured_without_arms(small, tmp_path):
    small.write_text(
        """
title = "Nobody learns"
[[behaviour]]
title = "How they play"
others = { scripted = "scripted", random = "random" }
opponents = ["random"]
scenarios = ["duel8"]
games = 2
measures = ["vp_share"]
by_side = ["vp"]
"""
    )
    result = run_experiment("hispania/small", 2.0, tmp_path / "out")
    rows = result["behaviour"][0]["rows"]
    assert [row["agent"] for row in rows] == ["scripted", "random"] and result["arms"] == []
    page = (tmp_path / "out" / "report.md").read_text()
    assert "How they play" in page and "behaviour_1.png" in page and "Losses" not in page
    small.write_text(
        small.read_text().replace("others", 'agents = { P = "policy:{model}" }\nothers')
    )
    with pytest.raises(BadSetting, match="agents play with the networks of arms"):
        run_experiment("hispania/small", 2.0, tmp_path / "out")
    small.write_text(small.read_text().replace('scenarios = ["duel8"]', ""))
    with pytest.raises(BadSetting, match=r"without \[\[arms\]\]"):
        run_experiment("hispania/small", 2.0, tmp_path / "out")


def test_an_unknown_arm_is_refused(small):
    small.write_text(small.read_text().replace("[[behaviour]]", '[[behaviour]]\narms = ["two"]'))
    with pytest.raises(BadSetting, match="no arm 'two'"):
        run_experiment("hispania/small", 2.0, small.parent / "out")
