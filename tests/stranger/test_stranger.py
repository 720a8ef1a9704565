"""What others add from outside, one file each, without an edit in the package; used for real."""

from __future__ import annotations

import shutil
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest

import stratagem
from stratagem.cli.main import run
from stratagem.core import plugins
from stratagem.core.conformance import check_game
from stratagem.core.errors import BadSetting, UnknownName

HERE = Path(__file__).parent
SMALL = {
    "anchors.times": 0,
    "search.sims": 4,
    "selfplay.slots": 8,
    "selfplay.workers": 1,
    "selfplay.positions": 64,
    "replay.minimum": 32,
    "learning.batch_size": 32,
    "learning.threads": 1,
}


@pytest.fixture(autouse=True)
def _on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(HERE))


@pytest.fixture
def counters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The game as its author would lay it out: one Python file, its card and a scenario."""
    folder = tmp_path / "games" / "counters"
    (folder / "scenarios").mkdir(parents=True)
    shutil.copy(HERE / "counters.py", folder / "__init__.py")
    (folder / "game.toml").write_text(
        'title = "Counters"\nsummary = "Take one to three; the last one wins."\n'
        'seats = "2"\nversion = 1\n'
    )
    (folder / "scenarios" / "default.toml").write_text('title = "Ten"\ncounters = 10\n')
    monkeypatch.setenv("STRATAGEM_GAMES", str(tmp_path / "games"))
    return "counters"


def test_a_new_game_conforms_and_is_played(counters: str) -> None:
    game = stratagem.load_game(counters)
    check_game(game)
    agents = [stratagem.make_agent(f"mcts:none?sims={sims}", game) for sims in (200, 1)]
    assert stratagem.play_match(game, agents, games=40, seed=1).agents[0].tally.score > 0.6


def test_a_new_network_learns_and_plays(counters: str, tmp_path: Path) -> None:
    settings = {**SMALL, "network.kind": "stranger_kinds.linear_network", "search.root": "gumbel"}
    kinds = tmp_path / "stranger_kinds"
    kinds.mkdir()
    shutil.copy(HERE / "linear_network.py", kinds)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(tmp_path))
        trained = stratagem.train_agent(
            counters, iterations=2, run=tmp_path / "run", settings=settings, seed=3
        )
        game = stratagem.load_game(counters)
        agent = stratagem.make_agent(f"mcts:{trained.path}?sims=8", game)
        match = stratagem.play_match(
            game, [agent, stratagem.make_agent("random", game)], games=4, seed=1
        )
    assert match.games == 4 and [row.iteration for row in trained.metrics()] == [1, 2]


def test_a_new_algorithm_trains_with_the_network_that_fits(
    counters: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    point = EntryPoint("patient", "patient", "stratagem.algorithms")
    lost = EntryPoint("lost", "no_such_package", "stratagem.algorithms")
    monkeypatch.setattr(
        plugins, "entry_points", lambda group: [point, lost] if "algorithms" in group else []
    )
    plugins.plugins.cache_clear()
    changes = [f"{key}={value}" for key, value in {**SMALL, "patience": 3}.items()]
    words = [word for change in changes for word in ("--set", change)]
    train = ["train", counters, "--iterations", "1", *words, "--run", str(tmp_path / "run")]
    try:
        assert run([*train, "--algo", "patient"]) == 0
        trained = stratagem.load_run(tmp_path / "run").settings()
        assert run([*train, "--algo", "lost"]) == 2
        import patient.trainer

        assert patient.trainer.WORKED == [3]
    finally:
        plugins.plugins.cache_clear()
    assert (trained["algorithm"], trained["network"]["kind"]) == ("patient", "feedforward")


def test_a_new_agent_plays_by_entry_point_and_as_an_object(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    point = EntryPoint("lazy", "lazy_agent", "stratagem.agents")
    monkeypatch.setattr(plugins, "entry_points", lambda group: [point] if "agents" in group else [])
    plugins.plugins.cache_clear()
    try:
        game = stratagem.load_game("connect_four")
        named = stratagem.make_agent("lazy", game)
        import lazy_agent

        given = stratagem.make_agent(lazy_agent.LazyAgent(game, "given"), game)
        match = stratagem.play_match(game, [named, given], games=2, seed=1, keep=True)
        assert {row.spec for row in match.agents} == {"lazy", "given"}
        first = match.records[0]
        assert [event.action for event in first.events][:2] == [0, 0]
    finally:
        plugins.plugins.cache_clear()


def test_a_new_measure_is_counted_in_every_game(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    point = EntryPoint("center", "center_measure:count", "stratagem.measures")
    monkeypatch.setattr(
        plugins, "entry_points", lambda group: [point] if "measures" in group else []
    )
    plugins.plugins.cache_clear()
    try:
        game = stratagem.load_game("connect_four")
        agents = [
            stratagem.make_agent("random", game),
            stratagem.make_agent("mcts:none?sims=50", game),
        ]
        match = stratagem.play_match(game, agents, games=4, seed=1, keep=True)
        measured = stratagem.measure_games(game, match.records)
        assert measured.by_agent["mcts:none?sims=50"]["center"].mean > 0
        arguments = ["match", "connect_four", "random", "random", "--games", "2", "--measures"]
        assert run([*arguments, "--out", str(tmp_path)]) == 0
        assert run(["report", str(tmp_path)]) == 0
        assert "center" in (tmp_path / "report.md").read_text()
    finally:
        plugins.plugins.cache_clear()


def test_a_new_evaluator_guides_a_search() -> None:
    from evaluator import EvenEvaluator

    game = stratagem.load_game("connect_four")
    states = game.new_states(np.array([1], np.uint64))
    settings = stratagem.SearchSettings(sims=70)
    report = stratagem.search_positions(game, states, EvenEvaluator(game), settings)
    assert report.visits.max() - report.visits.min() <= 1


@pytest.mark.parametrize("name", ["no_such_kind", "no.such.module"])
def test_what_is_not_there_is_named(name: str) -> None:
    with pytest.raises((UnknownName, BadSetting), match=name.replace(".", r"\.")):
        stratagem.make_agent(name, stratagem.load_game("connect_four"))
