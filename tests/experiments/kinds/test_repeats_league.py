"""Experiments of other kinds: repeats over seeds, and the league of what they trained."""

import json

import pytest

from experiments.tiny import offer
from stratagem.core.errors import BadSetting, UnknownName
from stratagem.evaluate.intervals import mean_interval
from stratagem.experiments import load_experiment, run_experiment
from stratagem.experiments.kinds.league import matrix, ranking
from stratagem.experiments.kinds.repeats import band_curve, windowed
from stratagem.experiments.plugins import load_module, module_names
from stratagem.experiments.run import KINDS
from train.hdqn.small import GAME

TRAINING = f"""
kind = "repeats"
title = "Small"
scenario = "{GAME.partition("/")[2]}"
preset = "hdqn"
seeds = 2
window = 2
baseline = "ran"
measures = [{{ name = "points_at_120_all", title = "points", figure = "figure 9" }}]
paper = [{{ arm = "ff", value = 9.5 }}]

[settings]
iterations = 2
network = {{ kind = "feedforward", encoding = "thesis", settings = {{ hidden = [4] }} }}
episodes = {{ slots = 2, per_iteration = 2 }}
learning = {{ batch_size = 4, replay = 64 }}
anchors = {{ times = 0 }}

[[arms]]
name = "ff"
title = "FF/FF*"

[[arms]]
name = "ran"
title = "RAN/RAN"
settings = {{ hierarchy = {{ orchestrator = false, specialists = [], subgoals = [] }} }}
"""
LEAGUE = """
kind = "league"
title = "Small league"
training = "catan/small"
arms = ["ff", "ran"]
others = { bot = "scripted" }
choosing_games = 2
games_per_pair = 4
paper_games_per_pair = 2
figures = "figure 20"
paper = [{ arm = "ff", first = 1, second = 0, row = "x 1-0" }]
"""


@pytest.fixture
def files(tmp_path, monkeypatch):
    return offer(monkeypatch, tmp_path, {"catan/small": TRAINING, "catan/league": LEAGUE})


def test_kinds_are_modules():
    assert {"arms", "league", "repeats"} <= set(module_names(KINDS))
    with pytest.raises(UnknownName, match="did you mean 'league'"):
        load_module(KINDS, "leage", "kind")


def test_the_thesis_experiments_have_all_ten_agents():
    training = load_experiment("catan/training")
    table = load_experiment("catan/tournament")
    assert len(table.paper_arms) == len(table.paper) == 10
    assert set(table.arms) - set(table.paper_arms) == {
        "rgcn-ran", "gcn-repaired", "rgcn-repaired", "ff-ran-repaired",
    }  # fmt: skip
    assert training.seeds == 5
    by_name = {arm.name: training.settings_of(arm, 3) for arm in training.arms}
    assert by_name["ff-ff"].hierarchy.subgoals == ()
    assert by_name["gcn-gcn-star"].network.kind == "gcn"
    assert "edge_sums" not in by_name["gcn-gcn-star"].network.settings
    for kind, option in (("gcn", "edge_sums"), ("rgcn", "quiet_nodes")):
        repaired = by_name[f"{kind}-repaired"]
        assert (repaired.network.kind, repaired.network.settings[option]) == (kind, True)
        assert repaired.hierarchy == by_name["ff-ff-star"].hierarchy
    for kind in ("ff", "gcn", "rgcn"):
        assert by_name[f"{kind}-ran"].hierarchy.specialists == ()
    assert by_name["ff-ran-repaired"].hierarchy == by_name["ff-ran"].hierarchy
    assert by_name["ff-ran-repaired"].learning.double and not by_name["ff-ran"].learning.double
    assert not by_name["ran-ran"].hierarchy.orchestrator
    assert by_name["self-ff-ff-star"].opponents.alone
    assert by_name["self-ff-ff-star"].iterations * 20 == 3000
    for name, settings in by_name.items():
        learn = settings.learning
        replay = 20_000 if name == "ff-ran-repaired" else 1000
        assert (learn.batch_size, learn.replay, learn.discount) == (64, replay, 0.99)
        assert (learn.tau, learn.learning_rate, learn.steps_per_decision) == (0.005, 1e-3, 1.0)
        assert (settings.explore.decay, settings.explore.specialist_decay) == (0.996, 0.997)
        assert settings.seed == 3
    # The thesis's rows add up to what it counts as won.
    for number, row in enumerate(table.paper):
        cells = row.row.split()
        assert cells[number] == "x"
        assert sum(int(cell[0]) for cell in cells if cell != "x") == row.first
        column = [other.row.split()[number] for other in table.paper]
        assert sum(int(cell[-1]) for cell in column if cell != "x") == row.second


def test_repaired_orchestrators_differ_from_the_thesis_in_learning_and_network_only():
    name = "catan/orchestrators"
    repaired = load_experiment(name)
    training = load_experiment("catan/training")
    theirs = {arm.name: training.settings_of(arm, 3) for arm in training.arms}
    assert repaired.game_spec == training.game_spec
    for arm in repaired.arms:
        settings = repaired.settings_of(arm, 3)
        original = theirs[arm.name.removesuffix("-repaired")]
        assert settings.network.kind == original.network.kind
        assert (settings.learning.replay, settings.learning.double) == (20_000, True)
        same = {"network": original.network, "learning": original.learning}
        assert settings.model_copy(update=same) == original
    table = load_experiment(f"{name}-league")
    assert set(table.arms) == {arm.name for arm in repaired.arms}


def test_wrong_files_are_one_line(files):
    files["catan/small"].write_text(TRAINING.replace("window", "windw"))
    with pytest.raises(BadSetting, match="unknown key 'windw'"):
        run_experiment("catan/small", 1.0, files["catan/small"].parent)
    files["catan/small"].write_text(TRAINING.replace('baseline = "ran"', 'baseline = "rand"'))
    with pytest.raises(BadSetting, match="no arm 'rand'"):
        run_experiment("catan/small", 1.0, files["catan/small"].parent)
    files["catan/small"].write_text(TRAINING)
    files["catan/league"].write_text(LEAGUE.replace('["ff", "ran"]', '["ff", "gcn"]'))
    with pytest.raises(BadSetting, match="catan/small has no arm 'gcn'"):
        run_experiment("catan/league", 1.0, files["catan/small"].parent)


def test_windows_and_bands():
    assert windowed([1.0, 2.0, 3.0, 4.0], 2) == ([2, 3, 4], [1.5, 2.5, 3.5])
    curve = band_curve("x", [[1.0, 1.0, 5.0], [3.0, 3.0], [2.0, 4.0]], 2)
    assert curve.x == (2.0,)
    assert (curve.low[0], curve.y[0], curve.high[0]) == (2.0, pytest.approx(7 / 3), 3.0)


def test_training_is_not_done_twice_and_the_league_builds_on_it(files, tmp_path):
    said = []
    out = tmp_path / "catan-small"
    result = run_experiment("catan/small", 600.0, out, 1, said.append)
    assert json.loads((out / "result.json").read_text()) == result
    rows = {row["arm"]: row for row in result["arms"]}
    assert rows["ff"]["runs"] == 2
    assert rows["ff"]["paper"] == 9.5
    found = rows["ff"]["measures"]["points_at_120_all"]
    ours = [
        sum(games[-2:]) / 2
        for games in (
            [
                value
                for line in (out / "runs" / "ff" / f"s{k}" / "metrics.jsonl")
                .read_text()
                .splitlines()
                for value in json.loads(line)["details"]["episodes"]["points_at_120_all"]
            ]
            for k in range(2)
        )
    ]
    assert found["by_run"] == [pytest.approx(value) for value in ours]
    assert found["mean"] == pytest.approx(sum(ours) / 2)
    over_runs = mean_interval(ours)  # not over games, which share a run's luck
    assert found["low"] == pytest.approx(over_runs.low, abs=1e-3)
    assert found["high"] == pytest.approx(over_runs.high, abs=1e-3)
    base = rows["ran"]["measures"]["points_at_120_all"]
    assert base["above_baseline"] is None
    assert found["above_baseline"]["mean"] == pytest.approx(found["mean"] - base["mean"], abs=2e-3)
    page = (out / "report.md").read_text()
    assert "figure 9" in page and "FF/FF*" in page and "9.5" in page
    assert (out / "points_at_120_all.png").stat().st_size > 1000

    said.clear()
    table = run_experiment("catan/league", 600.0, tmp_path / "league", 1, said.append)
    assert not any("trained" in text for text in said)
    assert [row["games"] for row in table["ranking"]] == [8, 8, 8]
    assert table["ranking"][0]["arm"] == "bot" and table["players"]["bot"]["title"] == "bot"
    assert table["ranking"][0]["win_rate"] >= table["ranking"][1]["win_rate"]
    assert table["matrix"][0][0] == "x"
    for found in (table["players"][arm] for arm in ("ff", "ran")):
        assert set(found["scores"]) == {"s0", "s1"}
        assert found["score"] == pytest.approx(max(found["scores"].values()), abs=1e-3)
        assert found["scores"][found["run"]] == pytest.approx(found["score"], abs=1e-3)
    page = (tmp_path / "league" / "report.md").read_text()
    assert "Ranking, 4 games per pair" in page and "Ranking, 2 games per pair" in page
    assert "figure 20" in page and "1-0" in page
    assert run_experiment("catan/league", 600.0, tmp_path / "league", 1) | {
        "seconds": 0
    } == table | {"seconds": 0}


def test_an_arm_without_acceptance_or_policy_loss_is_reported(files, tmp_path):
    """Hierarchical DQN has neither; the default kind leaves both out."""
    trained = TRAINING[TRAINING.index("[settings]") : TRAINING.index('[[arms]]\nname = "ran"')]
    files["catan/small"].write_text(
        f"""
title = "Small"
scenario = "{GAME.partition("/")[2]}"
preset = "hdqn"
{trained}
[[rates]]
title = "Against random play"
opponent = "random"
agents = {{ Network = "hdqn:{{model}}" }}
games = 2
"""
    )
    result = run_experiment("catan/small", 20.0, tmp_path / "out")
    assert result["arms"][0]["candidates_tested"] == 0
    assert "policy_loss" not in result["learning"] and "loss" in result["learning"]
    assert result["learning"]["loss"][0]["label"] == "ff"
    assert len(result["rates"][0]["rows"]) == 2


def test_ranking_counts_both_seats(files):
    table = load_experiment("catan/league").model_copy(update={"others": {}})
    pairs = {("ff", "ran"): [1.0, 0.5], ("ran", "ff"): [0.0, 1.0]}
    first, second = ranking(table, pairs)
    assert (first["arm"], first["won"], first["drawn"]) == ("ff", 2, 1)
    assert (first["first"], first["second"]) == (0.5, 0.5)
    assert (second["won"], second["first"], second["second"]) == (1, 0.5, 0.0)
    assert (first["paper"], first["paper_first"], first["paper_second"]) == (0.5, 1.0, 0.0)
    assert second["rating"] == 0.0
    assert matrix(table, pairs) == [["x", "1-0"], ["1-1", "x"]]


def test_time_that_is_up_stops_between_iterations(files, tmp_path):
    with pytest.raises(BadSetting, match="no run finished an iteration in time"):
        run_experiment("catan/small", 1e-9, tmp_path / "out")
