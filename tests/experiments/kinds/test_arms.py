"""Experiments: files are found and checked; arms train, resume, meet, and are reported."""

import json
from pathlib import Path

import pytest

from experiments.tiny import SETTINGS, offer
from runs.made_up import some_metrics
from stratagem.core.errors import BadSetting, UnknownName
from stratagem.evaluate.bradley_terry import Rating
from stratagem.evaluate.tournaments import PairResult, Standing, Tournament
from stratagem.experiments import list_experiments, load_experiment, run_experiment
from stratagem.experiments.arms import Arm, merge
from stratagem.experiments.call import Call
from stratagem.experiments.kinds.arms import arm_settings
from stratagem.experiments.measuring import Bench, weight
from stratagem.experiments.schedule import chains, length, longest_first, makespan
from stratagem.experiments.tables.rates import Pairing
from stratagem.experiments.tables.tournament import Settings, paper_elo
from stratagem.experiments.tournament_plan import make_plan
from stratagem.experiments.training import iteration_at
from stratagem.runs.folder import RunFolder

NAME = "connect_four/tiny"
TINY = (
    """
title = "Tiny"
smoothing = 0.5
seeds = 2

[settings]
iterations = 4
"""
    + SETTINGS
    + """
[[arms]]
name = "open"

[[arms]]
name = "gated"

[arms.settings.gate]
mode = "threshold"
threshold = 0.6
games = 2
sims = 2

[tournament]
checkpoints = [
    { label = "1", share = 0.5 },
    { label = "2", share = 1.0 },
]
games_per_pair = 2
most_games_per_pair = 2
sims = 2
measured_games = 2

[tournament.paper]
table = "Table 9"
models = [
    { rank = 1, model = "open2", elo = 1555.5 },
    { rank = 2, model = "random", elo = 1111.1 },
]
"""
)


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return offer(monkeypatch, tmp_path, {NAME: TINY})[NAME]


def test_every_shipped_experiment_is_complete() -> None:
    names = [info.name for info in list_experiments()]
    assert {f"battlefield/{table}" for table in ("shaping", "acceptance", "architecture")} <= {
        *names
    }
    for info in list_experiments():
        experiment = load_experiment(info.name)
        if info.kind != "arms":
            continue
        for table in experiment.tables.get("tournament", ()):
            ours = {
                arm.name + point.label for arm in experiment.arms for point in table.checkpoints
            }
            rows = table.paper.models
            assert {row.model for row in rows} <= ours | set(table.agents)
            assert [row.rank for row in rows] == sorted(row.rank for row in rows)


def test_arms_of_the_paper_differ_where_the_paper_says() -> None:
    shaping = load_experiment("battlefield/shaping")
    arms = {arm.name: arm_settings(shaping, arm, 10.0, 3) for arm in shaping.arms}
    shaped, plain = arms["shaping"], arms["noshaping"]
    assert (arms["search"].search.shaping, arms["search"].shaping.target_weight) == (1.0, 0.0)
    assert (arms["targets"].search.shaping, arms["targets"].shaping.target_weight) == (0.0, 1.0)
    assert (shaped.search.shaping, shaped.shaping.target_weight) == (1.0, 1.0)
    assert (plain.search.shaping, plain.shaping.target_weight) == (0.0, 0.0)
    assert shaped.network == plain.network
    assert shaped.network.settings == {"layers": 4, "heads": 4, "width": 64}
    assert (shaped.seed, shaped.budget_seconds) == (3, 10.0)

    assert shaped.network.encoding_options == {"extra": 0}
    assert (shaped.search.c_base, shaped.search.fpu_reduction) == (0.0, -1.0)
    learning = shaped.learning
    assert (learning.average_decay, learning.search_value_share) == (0.0, 0.0)
    assert (learning.symmetries, learning.learning_rate_end) == (False, learning.learning_rate)
    assert (shaped.replay.growth, shaped.selfplay.temperature_end) == (1.0, 1.0)

    acceptance = load_experiment("battlefield/acceptance")
    gates = {arm.name: arm_settings(acceptance, arm, 1.0, 0).gate for arm in acceptance.arms}
    assert (gates["standard"].mode, gates["standard"].threshold) == ("threshold", 0.6)
    assert (gates["hard"].mode, gates["hard"].threshold) == ("threshold", 0.9)
    assert (gates["sprt"].mode, gates["always"].mode) == ("sprt", "always")
    assert gates["sprt"].games >= 500  # fewer could not decide between 0.50 and 0.55

    architecture = load_experiment("battlefield/architecture")
    nets = {arm.name: arm_settings(architecture, arm, 1.0, 0).network for arm in architecture.arms}
    assert nets["cnn"].kind == "cnn"
    assert "width" not in nets["cnn"].settings  # nothing is left of the preset's Transformer
    assert nets["trans01"].settings["action_tokens"]
    assert nets["trans01"].encoding_options == {"extra": 0, "actions": 1}
    assert nets["trans02"].encoding_options == {"extra": 0}
    by_time, by_iterations = architecture.tables["tournament"]
    assert (by_time.by, by_iterations.by) == ("time", "iterations")
    assert by_time.sims == by_iterations.sims == 1000


def test_unknown_experiment_and_wrong_keys_are_one_line(tiny: Path) -> None:
    with pytest.raises(UnknownName, match="did you mean 'connect_four/tiny'"):
        load_experiment("connect_four/tinny")
    tiny.write_text(TINY.replace("smoothing", "smothing"))
    with pytest.raises(BadSetting, match="unknown key 'smothing'"):
        load_experiment(NAME)
    tiny.write_text(TINY.replace("threshold = 0.6", "treshold = 0.6"))
    with pytest.raises(BadSetting, match=r"arm gated: unknown key 'gate\.treshold'"):
        load_experiment(NAME)
    tiny.write_text(TINY.replace('"gated"', '"open"'))
    with pytest.raises(BadSetting, match="arms need different names"):
        load_experiment(NAME)


def test_merge_replaces_a_table_that_names_its_kind() -> None:
    old = {"network": {"kind": "cnn", "settings": {"filters": 8}}, "search": {"sims": 4, "c": 1}}
    assert merge(old, {"search": {"sims": 8}})["search"] == {"sims": 8, "c": 1}
    assert merge(old, {"network": {"kind": "mlp"}})["network"] == {"kind": "mlp"}
    assert old["search"] == {"sims": 4, "c": 1}


def test_iteration_at_a_share_of_the_time() -> None:
    rows = [some_metrics(number, accepted=number in (1, 6)) for number in range(1, 11)]
    assert iteration_at(rows, 1.0, accepted=False) == 10
    assert iteration_at(rows, 0.2, accepted=False) == 2
    assert iteration_at(rows, 0.5, accepted=True) == 1
    assert iteration_at(rows, 0.6, accepted=True) == 6


def test_plan_spends_time_on_simulations_first() -> None:
    settings = Settings(
        checkpoints=[{"share": 1.0}],
        games_per_pair=8,
        most_games_per_pair=64,
        sims=1000,
        least_sims=8,
        measured_games=8,
    )  # fmt: skip
    unit = 0.001  # seconds per game and simulation; 6 pairs and 3 models need 72 s for 1000 sims
    short = make_plan(settings, 7.2, 6, 3, unit)
    assert (short.sims, short.games_per_pair) == (100, 8)
    hurried = make_plan(settings, 0.01, 6, 3, unit)
    assert (hurried.sims, hurried.games_per_pair) == (8, 8)
    long = make_plan(settings, 24 + 6 * 20, 6, 3, unit)
    assert (long.sims, long.games_per_pair) == (1000, 20)
    assert make_plan(settings, 1e6, 6, 3, unit).games_per_pair == 64


def test_paper_elo_counts_only_the_papers_rounds() -> None:
    standings = tuple(
        Standing(spec, 4, 0.5, (0.0, 1.0), 1500.0, Rating(0.0, 0.0, 0.0)) for spec in "ab"
    )
    pairs = (PairResult(0, 1, (1.0, 0.0, 0.0, 0.0)),)
    tournament = Tournament("g", 0, 4, "b", standings, pairs)
    assert paper_elo(tournament, 1) == {"a": 1516.0, "b": 1484.0}
    assert paper_elo(tournament, 4)["a"] < 1500.0


@pytest.mark.slow
def test_an_experiment_runs_reports_and_is_not_trained_twice(tiny: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    said: list[str] = []
    result = run_experiment(NAME, 600.0, out, seed=5, progress=said.append)
    assert json.loads((out / "result.json").read_text()) == result
    found = result["tournament"][0]
    models = {row["model"]: row for row in found["ranking"]}
    assert set(models) == {"open1", "open2", "gated1", "gated2", "random"}
    assert models["open2"]["paper_elo"] == 1555.5
    assert models["gated2"]["paper_elo"] is None
    assert models["random"]["rating"] == 0.0
    assert models["open1"]["iteration"] <= models["open2"]["iteration"]
    assert sum(row["elo"] for row in found["ranking"]) == pytest.approx(5 * 1500, abs=1)
    assert len(found["seeds"]) == 2 and len(models["open1"]["above_mean"]) == 2
    assert [(arm["name"], arm["seed"]) for arm in result["arms"]] == [
        ("open", 5), ("open", 6), ("gated", 5), ("gated", 6),
    ]  # fmt: skip
    assert result["arms"][0]["acceptance_rate"] is None  # never tested
    assert 0 <= result["arms"][2]["acceptance_rate"] <= 1
    loss = result["learning"]["loss"][0]
    assert loss["label"] == "open" and len(loss["x"]) == len(loss["y"]) == len(loss["low"]) > 0
    assert any("95 % level" in sentence for sentence in result["findings"])
    page = (out / "report.md").read_text()
    assert "paper's Elo" in page and "1555.5" in page and "seeds 5 to 6" in page
    for picture in ("policy_loss", "value_loss", "loss", "win_rate", "acceptance_rate",
                    "gameplay_1", "tournament_1"):  # fmt: skip
        assert (out / f"{picture}.png").stat().st_size > 1000
        assert f"({picture}.png)" in page

    run = out / "runs" / "open" / "s1"
    trained = (run / "metrics.jsonl").read_text()
    assert RunFolder(run).settings()["budget_clock"] == "processor"  # they trained side by side
    said.clear()
    again = run_experiment(NAME, 600.0, out, seed=5, progress=said.append)
    assert sum("trained already" in line for line in said) == 4
    assert (run / "metrics.jsonl").read_text() == trained
    assert again["tournament"] == result["tournament"]

    with pytest.raises(BadSetting, match="trained with other settings"):
        run_experiment(NAME, 600.0, out, seed=6)


def test_arms_that_follow_each_other_share_a_place() -> None:
    def arm(name: str, after: str = "") -> Arm:
        return Arm(name=name, after=after)

    arms = [arm("a"), arm("b"), arm("c", "a"), arm("d", "c")]
    assert [[one.name for one in chain] for chain in chains(arms)] == [["a", "c", "d"], ["b"]]
    assert makespan([1.0, 1.0, 1.0], 2) == 2.0
    assert makespan([3.0, 1.0, 1.0], 2) == 3.0
    assert makespan([2.0], 4) == 2.0


def test_long_chains_are_trained_first() -> None:
    """Else one core trains the long one alone at the end, and everybody gets less time."""
    groups = longest_first(load_experiment("hexwar/symmetric").arms, 2)
    assert [(chain[0].name, number) for chain, number in groups] == [
        ("pool", 0), ("pool", 1), ("recall", 0), ("recall", 1),
    ]  # fmt: skip
    assert makespan([length(chain) for chain, _ in groups], 2) == 3.0


def test_no_arm_meets_fixed_opponents_while_it_trains() -> None:
    for info in list_experiments():
        if info.kind == "arms":
            experiment = load_experiment(info.name)
            for arm in experiment.arms:
                assert arm_settings(experiment, arm, 60.0, 0).anchors.times == 0


def test_games_with_many_simulations_are_played_first() -> None:
    def job(agent: str, games: int) -> tuple[object, ...]:
        return (Pairing("hexwar/symmetric", agent, "goal-rush", 1, games, 0),)

    jobs = [job("policy:x", 250), job("mcts:x?sims=32", 60), job("mcts:x?sims=300", 250),
            job("best", 100)]  # fmt: skip
    assert sorted(jobs, key=weight, reverse=True) == [jobs[2], jobs[3], jobs[1], jobs[0]]


def test_a_larger_budget_is_planned_for_again(tmp_path: Path) -> None:
    experiment = load_experiment("battlefield/shaping")

    def plan(budget: float, found: int) -> int:
        bench = Bench(experiment, [], Call(budget, 0.0, tmp_path, 0, lambda text: None))
        return int(bench.once("plan", (budget,), lambda: {"sims": found})["sims"])

    assert [plan(60.0, 8), plan(60.0, 99), plan(3600.0, 64)] == [8, 8, 64]


def test_iterations_can_be_what_arms_have_in_common() -> None:
    rows = [some_metrics(number) for number in range(1, 11)]
    assert iteration_at(rows, 1.0, accepted=False, last=4) == 4
    assert iteration_at(rows, 0.5, accepted=False, last=8) == 4
