"""A teacher's games: its answers are learned, the results belong to the right seats."""

import numpy as np
import pytest

from stratagem.agents import make_agent
from stratagem.core.errors import BadSetting
from stratagem.core.game import state_hash
from stratagem.core.record import record_game, replay
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_generator
from stratagem.search import SearchSettings
from stratagem.train.alphazero.imitation import demonstrate
from train.alphazero.tiny import TINY, contents, start_run, take_up, tiny_settings


@pytest.fixture(scope="module")
def game():
    return load_game(TINY)


def demonstrations(game, explore=0.3, positions=200, seed=1):
    teacher = make_agent("scripted", game)
    return demonstrate(game, teacher, positions, explore, SearchSettings(), derive_generator(seed))


def test_every_sample_is_the_teachers_answer(game):
    result = demonstrations(game, explore=0.5)
    samples = result.samples
    assert len(samples) >= 200
    assert (np.diff(samples.offsets) == 1).all()
    legal = [game.legal_actions(state) for state in samples.states]
    assert all(action in ids for action, ids in zip(samples.actions, legal, strict=True))
    winning = 0
    for state, action in zip(samples.states, samples.actions, strict=True):
        after = game.after(state, int(action))
        wins = [game.after(state, one) for one in game.legal_actions(state)]
        if any(one["winner"] == state["seat"] for one in wins):
            winning += 1
            assert after["winner"] == state["seat"]  # a scripted player takes a win it sees
    assert winning > 10


@pytest.mark.parametrize("positions", [100, 1000])
def test_hardly_more_is_played_than_was_asked_for(game, positions):
    result = demonstrations(game, positions=positions)
    longest = max(len(finished.events) for finished in result.games)
    assert positions <= result.decisions < 1.1 * positions + 8 * longest


def test_results_and_records_belong_to_the_games(game):
    result = demonstrations(game, explore=0.0)
    start = 0
    for finished in result.games:
        plies = len(finished.events)
        values = result.samples.values[start : start + plies]
        record = record_game(game, finished.setup_seed, list(finished.events), ("a", "b"))
        final = replay(record, game)[-1]
        assert (values == game.returns(np.array([final]))).all()
        first = result.samples.states[start]
        assert state_hash(first) == state_hash(replay(record, game)[0])
        start += plies
    assert start == len(result.samples)


def test_the_same_generator_gives_the_same_demonstrations(game):
    one, two = demonstrations(game), demonstrations(game)
    assert (one.samples.states == two.samples.states).all()
    assert (one.samples.actions == two.samples.actions).all()


def test_a_pupil_learns_what_the_teacher_does(tmp_path):
    imitation = {"teacher": "scripted", "iterations": 2, "positions": 2000}
    trainer = start_run(tmp_path / "run", iterations=2, imitation=imitation)
    trainer.run()
    rows = trainer.folder.metrics()
    assert rows[1].losses["policy"] < rows[0].losses["policy"]
    assert rows[1].imitation and rows[1].details["sims_per_s"] == 0


def test_a_run_taken_up_after_its_demonstrations_sets_up_its_games(tmp_path):
    options = {
        "imitation": {"teacher": "scripted", "iterations": 1, "positions": 300},
        "iterations": 3,
    }
    start_run(tmp_path / "whole", **options).run()
    start_run(tmp_path / "parts", **options)._iterate()
    take_up(tmp_path / "parts").run()
    whole, parts = contents(tmp_path / "whole" / "buffer"), contents(tmp_path / "parts" / "buffer")
    assert len(whole) == 3 and whole == parts


def test_a_teacher_needs_a_length():
    with pytest.raises(BadSetting, match=r"imitation\.iterations"):
        tiny_settings(imitation={"teacher": "scripted"})


def test_with_its_fixed_perspective_every_answer_is_also_seen_by_who_waits(game):
    teacher, search = make_agent("scripted", game), SearchSettings(fixed_perspective=True)
    both = demonstrate(game, teacher, 200, 0.3, search, derive_generator(1)).samples
    single = demonstrations(game).samples
    assert len(both) == 2 * len(single)
    seats = both.states["seat"]
    waiting = both.observer_seats != seats
    assert np.array_equal(both.observer_seats[waiting], 1 - seats[waiting])
    assert np.array_equal(both.states[~waiting], single.states)
    assert np.array_equal(both.states[waiting], single.states)
    assert np.array_equal(both.actions[waiting], single.actions)
    assert np.array_equal(both.search_values[waiting], -single.search_values)
