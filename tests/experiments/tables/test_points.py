"""Tables of points: the last games count, others' rows stand beside, names may have dashes."""

from types import SimpleNamespace

import pytest
from pydantic import ValidationError

from runs.made_up import some_metrics
from stratagem.evaluate.reports import Pictures, Report
from stratagem.experiments import experiment_name, load_experiment
from stratagem.experiments.call import Call
from stratagem.experiments.measuring import Bench
from stratagem.experiments.tables.points import Settings, last_means, measure_curve, report


def row(games, **means):
    measures = {name: {"mean": mean, "count": count} for name, (mean, count) in means.items()}
    return some_metrics(1, games=games, measures=measures)


ROWS = [
    row(50, red=(10.0, 50), blue=(1.0, 50)),
    row(110, red=(20.0, 60), blue=(2.0, 60)),
    row(120),  # an iteration in which no game ended
    row(160, red=(40.0, 40), blue=(4.0, 40)),
]


def test_the_last_games_count():
    means, games = last_means(ROWS, ("red", "blue", "green"), 100)
    assert games == 100
    assert means == {"red": 28.0, "blue": 2.8, "green": None}
    assert last_means(ROWS, ("red",), 1) == ({"red": 40.0}, 40)


def test_the_games_of_a_teacher_do_not_count():
    taught = [ROWS[0].model_copy(update={"imitation": True}), *ROWS[1:]]
    assert last_means(taught, ("red",), 1000)[1] == last_means(ROWS[1:], ("red",), 1000)[1]
    only = [row.model_copy(update={"imitation": True}) for row in ROWS]
    assert last_means(only, ("red",), 1000) == ({"red": None}, 0)


def test_curves_leave_out_iterations_without_games():
    run = SimpleNamespace(rows=tuple(ROWS))
    curve = measure_curve(SimpleNamespace(name="one"), [run, run], "red", 0.0)
    assert (curve.label, curve.x, curve.y) == ("one red", (50, 110, 160), (10, 20, 40))


def test_rows_need_a_number_for_each_measure():
    with pytest.raises(ValidationError, match="write 2 means"):
        Settings(title="t", measures=("red", "blue"), rows=({"who": "x", "means": (1.0,)},))


@pytest.mark.parametrize("name", ["table5", "learning"])
def test_terra_mystica_has_its_experiments(name):
    assert experiment_name(f"terra-mystica/{name}") == f"terra_mystica/{name}"
    experiment = load_experiment(f"terra-mystica/{name}")
    assert experiment.tables["points"][0].measures == ("halflings", "engineers")


def test_table_with_players_that_play_themselves(tmp_path):
    """The paper's rows are printed as they stand, and pass-only plays here."""
    experiment = load_experiment("terra-mystica/table5")
    table = experiment.tables["points"][0].model_copy(
        update={"agents": ("pass-only",), "agent_games": 4}
    )
    rows = (row(40, halflings=(100.0, 40), engineers=(90.0, 40)),)
    arm = SimpleNamespace(arm=experiment.arms[0], rows=rows)
    alone = experiment.model_copy(update={"tables": {"points": (table,)}})
    bench = Bench(alone, [arm], Call(1.0, 0.0, tmp_path, 0, lambda text: None))
    measured = bench.measure()["points"]
    found = {line["who"]: line for line in measured[0]["rows"]}
    assert found["compact"]["means"] == {"halflings": 100.0, "engineers": 90.0}
    assert found["the paper's own agent"]["means"] == {"halflings": 32.11, "engineers": 34.12}
    assert 60 < found["`pass-only`"]["means"]["halflings"] < 85
    page = Report("test", Pictures(tmp_path))
    report(page, [table], measured, experiment)
    assert "| compact " in page.text() and "133.3" in page.text()
    assert (tmp_path / "points_1.png").is_file()
