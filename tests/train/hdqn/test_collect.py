"""Games side by side: legal, reproducible, and only real choices come out."""

import numpy as np
import pytest

from stratagem.core.errors import UnknownName
from stratagem.core.record import record_game
from stratagem.core.registry import load_game
from stratagem.evaluate.measures import measure_games
from stratagem.train.hdqn.collect import Episodes
from stratagem.train.hdqn.settings import EpisodeSection
from stratagem.train.population import Population
from stratagem.train.progress import RunProgress
from stratagem.train.sections import Opponents
from train.hdqn.small import GAME

SPECIALISTS = ("settlement", "road")


def make(slots=3, seed=5, opponent="random", **settings):
    game = load_game(GAME)
    opponents = Opponents(self_play=0.0, agents={opponent: 1.0}) if opponent else Opponents()
    section = EpisodeSection(slots=slots, **settings)
    episodes = Episodes(game, section, opponents, SPECIALISTS, seed)
    episodes.invite(Population(opponents, seed).draw(RunProgress()), {})
    return episodes


def play(episodes, games):
    """Play with a random legal action everywhere; the finished games, and every choice made."""
    finished, choices = [], []
    episodes.begin()
    while len(finished) < games:
        seeds = episodes.next_seeds()
        picked = (seeds % episodes.batch.counts.astype(np.uint64)).astype(int)
        actions = episodes.batch.ids[np.arange(len(picked)), picked]
        for slot in range(len(picked)):
            legal = episodes.game.legal_actions(episodes.states[slot])
            assert legal == list(episodes.batch.ids[slot, : episodes.batch.counts[slot]])
            choices.append((int(episodes.states["seat"][slot]), legal))
        over = episodes.play_on(actions)
        while len(over):
            finished += [episodes.report(int(slot)) for slot in over]
            over = episodes.restart(over)
    return finished, choices


@pytest.fixture(scope="module")
def played():
    episodes = make()
    return episodes.game, *play(episodes, 8)


def test_finished_games_replay_and_measure_as_records_do(played):
    game, finished, _ = played
    for one in finished:
        record = record_game(game, one.setup_seed, list(one.events), ("learner", "other"))
        assert record.returns == one.returns and one.lineup == (0, 1)
        measures = measure_games(game, [record]).by_agent["learner"]
        for name in ("points", "points_at_120_all", "points_at_120_each", "road"):
            assert measures[name].mean == one.measures[name]
        assert one.measures["score"] == one.measures["points"]


def test_the_learner_is_asked_only_where_networks_could_choose(played):
    game, _, choices = played
    groups = {
        action: group.name
        for group in game.rules.groups(game.scenario)
        for action in range(group.start, group.stop)
    }
    assert choices
    for seat, legal in choices:
        names = {groups[action] for action in legal}
        assert seat == 0
        assert len(legal) > 1
        assert len(names) > 1 or names <= set(SPECIALISTS)


def test_games_do_not_depend_on_their_neighbours():
    lone = {one.setup_seed: one for one in play(make(slots=1), 3)[0]}
    shared = {one.setup_seed: one for one in play(make(slots=4), 6)[0]}
    both = set(lone) & set(shared)
    assert both
    assert all(lone[seed] == shared[seed] for seed in both)


def test_seats_rotate_and_self_play_asks_everybody():
    finished, choices = play(make(seats="rotate"), 6)
    assert {one.home for one in finished} == {0, 1}
    assert {seat for seat, _ in choices} == {0, 1}
    finished, choices = play(make(opponent=""), 2)
    assert {seat for seat, _ in choices} == {0, 1}
    assert {one.home for one in finished} == {0}


def test_a_bot_can_be_the_opponent():
    finished, _ = play(make(opponent="scripted"), 6)
    assert np.mean([one.result for one in finished]) < 0
    with pytest.raises(UnknownName, match=r"scripte.*did you mean 'scripted'"):
        make(opponent="scripte")


def test_long_games_get_more_room(monkeypatch):
    monkeypatch.setattr("stratagem.core.driver.play_on._FIRST_LENGTH", 16)
    crowded = play(make(slots=1), 2)[0]
    monkeypatch.undo()
    assert crowded == play(make(slots=1), 2)[0]
