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
from stratagem.train.alphazero.imitation import teach
from train.alphazero.tiny import TINY, start_run, tiny_settings


@pytest.fixture(scope="module")
def game():
    return load_game(TINY)


def lessons(game, explore=0.3, positions=200, seed=1):
    teacher = make_agent("scripted", game)
    return teach(game, teacher, positions, explore, SearchSettings(), derive_generator(seed))


def test_every_sample_is_the_teachers_answer(game):
    harvest = lessons(game, explore=0.5)
    samples = harvest.samples
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


def test_results_and_records_belong_to_the_games(game):
    harvest = lessons(game, explore=0.0)
    start = 0
    for finished in harvest.games:
        plies = len(finished.events)
        values = harvest.samples.values[start : start + plies]
        record = record_game(game, finished.setup_seed, list(finished.events), ("a", "b"))
        final = replay(record, game)[-1]
        assert (values == game.returns(np.array([final]))).all()
        first = harvest.samples.states[start]
        assert state_hash(first) == state_hash(replay(record, game)[0])
        start += plies
    assert start == len(harvest.samples)


def test_the_same_generator_gives_the_same_lessons(game):
    one, two = lessons(game), lessons(game)
    assert (one.samples.states == two.samples.states).all()
    assert (one.samples.actions == two.samples.actions).all()


def test_a_pupil_learns_what_the_teacher_does(tmp_path):
    imitation = {"agent": "scripted", "iterations": 2, "positions": 2000}
    trainer = start_run(tmp_path / "run", iterations=2, imitation=imitation)
    trainer.run()
    rows = trainer.folder.metrics()
    assert rows[1]["policy_loss"] < rows[0]["policy_loss"]
    assert rows[1]["sims_per_s"] == 0


def test_a_teacher_needs_a_length():
    with pytest.raises(BadSetting, match=r"imitation\.iterations"):
        tiny_settings(imitation={"agent": "scripted"})
