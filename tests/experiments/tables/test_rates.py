"""Win-rate tables of experiments: checked, played seat by seat, kept, reported."""

import json
from pathlib import Path

import pytest

from experiments.tiny import SETTINGS, offer
from stratagem.core.errors import BadSetting
from stratagem.experiments import (
    kept,
    list_experiments,
    load_experiment,
    run_experiment,
)
from stratagem.experiments.tables.rates import Pairing, interval_of, play_pairing, size_of

NAME = "connect_four/rates"
RATES = (
    """
title = "Rates"
seeds = 2

[settings]
iterations = 3
"""
    + SETTINGS
    + """
[[arms]]
name = "first"

[[arms]]
name = "second"
after = "first"
scenario = "default?connect=3"
share = 0.5

[[rates]]
title = "Table 7"
opponent = "random"
agents = { MCTS = "mcts:{model}?sims=2", Policy = "policy:{model}" }
others = { nobody = "random" }
games = 6
paper = [
    { agent = "MCTS", player = 1, arm = "first", win = 76.8, draw = 23.2 },
    { agent = "Policy", player = 2, win = 75.6, draw = 24.4 },
]

[[rates]]
title = "By size"
opponent = "random"
agents = { Policy = "policy:{model}" }
arms = ["second"]
players = [2]
scenarios = ["default", "default?connect=3"]
games = 4
axis = "board"

[[curves]]
title = "Figure 8"
opponent = "random"
agents = { Policy = "policy:{model}" }
games = 4
points = 2
"""
)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return offer(monkeypatch, tmp_path, {NAME: RATES})[NAME]


def test_an_experiment_of_rates_runs_and_reports(file: Path, tmp_path: Path, monkeypatch) -> None:
    out = tmp_path / "out"
    result = run_experiment(NAME, 600.0, out, seed=5)
    table, by_size = result["rates"]
    assert [(r["arm"], r["agent"], r["player"]) for r in table["rows"]] == [
        (arm, agent, player)
        for arm in ("first", "second")
        for agent in ("MCTS", "Policy")
        for player in (1, 2)
    ] + [
        ("", "nobody", player)
        for _scenario in ("default", "default?connect=3")
        for player in (1, 2)
    ]
    for row in table["rows"]:
        runs = 2 if row["arm"] else 1
        assert row["wins"] + row["draws"] + row["losses"] == row["games"] == 6 * runs
        assert len(row["by_seed"]) == runs
        assert row["low"] <= row["win"] <= row["high"]
    paper = {(r["arm"], r["agent"], r["player"]): r["paper"] for r in table["rows"]}
    assert paper["first", "MCTS", 1] == {"win": 76.8, "draw": 23.2, "loss": 0.0}
    assert paper["second", "MCTS", 1] is None
    assert paper["second", "Policy", 2]["win"] == 75.6
    assert [r["scenario"] for r in by_size["rows"]] == ["default", "default?connect=3"]
    assert {r["share"] for r in result["curves"][0]["rows"]} == {0.5, 1.0}
    assert "tournament" not in result

    page = (out / "report.md").read_text()
    assert "76.8" in page
    for picture in ("rates_2", "curves_1_player1", "curves_1_player2", "policy_loss"):
        assert (out / f"{picture}.png").stat().st_size > 1000
        assert f"({picture}.png)" in page

    first = json.loads((out / "result.json").read_text())["arms"][0]
    second = (out / "runs" / "second" / "s0" / "config.toml").read_text()
    # It started from the first arm's network of the same seed.
    assert f"first/s0/ckpt/step_{first['iterations']:06d}" in second
    assert "connect=3" in second

    def no_games(job: object, file: Path) -> None:
        raise AssertionError("played again")

    monkeypatch.setattr(kept, "_do", no_games)
    again = run_experiment(NAME, 600.0, out, seed=5)
    assert again["rates"] == result["rates"]


def test_the_agent_sits_where_the_cell_says() -> None:
    """Search beats random from either seat; the counts are the agent's."""
    for player in (1, 2):
        pairing = Pairing("connect_four", "mcts:none?sims=60", "random", player, 6, 1)
        assert play_pairing(pairing)["wins"] >= 5
        assert (
            play_pairing(Pairing("connect_four", "random", "mcts:none?sims=60", player, 6, 1))[
                "wins"
            ]
            <= 1
        )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('after = "first"', 'after = "third"', "arm second: no arm 'third' before it"),
        ('arms = ["second"]', 'arms = ["fourth"]', "By size: there is no arm 'fourth'"),
        ('{ Policy = "policy:{model}" }\narms', '{ Policy = "random" }\narms', "write {model}"),
        ("players = [2]", "player = [2]", "rates 2: unknown key 'player'"),
    ],
)
def test_mistakes_are_named(file: Path, old: str, new: str, message: str) -> None:
    assert old in RATES
    file.write_text(RATES.replace(old, new))
    with pytest.raises(BadSetting, match=message):
        load_experiment(NAME)


def test_an_experiment_measures_something(file: Path) -> None:
    file.write_text(RATES[: RATES.index("[[rates]]")])
    with pytest.raises(BadSetting, match="nothing to measure"):
        load_experiment(NAME)


def test_size_of_a_scenario() -> None:
    assert size_of("randomized-12") == 12
    assert size_of("solo-16?turns=4") == 16
    assert size_of("symmetric") == 0


def test_the_papers_tables_are_complete() -> None:
    """Every cell of tables 1 to 3, 250 games each as in the paper."""
    wanted = {"asymmetric": 4, "symmetric": 4, "curriculum": 4, "randomized": 4}
    assert {f"hexwar/{name}" for name in (*wanted, "extrapolation")} <= {
        info.name for info in list_experiments()
    }
    for name, count in wanted.items():
        experiment = load_experiment(f"hexwar/{name}")
        cells = [cell for table in experiment.tables["rates"] for cell in table.paper]
        assert len(cells) == count
        assert all(abs(c.win + c.draw + c.loss - 100) < 0.5 for c in cells)
        assert all(t.games == 250 for t in experiment.tables["rates"] if t.paper)


def test_runs_that_agree_prove_no_more_than_their_games():
    agree = {"wins": 500, "games": 500, "win": 1.0, "low": 1.0, "high": 1.0}
    low, high = interval_of(agree)
    assert 0.98 < low < 1.0 and high == 1.0
    apart = {"wins": 400, "games": 500, "win": 0.8, "low": 0.1, "high": 1.0}
    assert interval_of(apart) == (0.1, 1.0)
