"""Ladders of players whose true strength is known."""

import json
import time

import numpy as np
import pytest

from stratagem.backend import ThreadBackend
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_generator
from stratagem.evaluate import ladder as ladders
from stratagem.evaluate.bradley_terry import fit_strengths
from stratagem.evaluate.ladder import Block, Ladder, StopRule, climb
from stratagem.evaluate.pairs import PairGames, PairTask, play_pair

GAME = load_game("connect_four?rows=3&columns=3&connect=3")
TRUE = {"random": 0.0, "weak": 80.0, "middle": 200.0, "strong": 330.0}


def made_up(task):
    """Games between players of known strength, drawn from the task's seed."""
    first, second = (TRUE[spec] for spec in task.specs)
    chance = 1 / (1 + 10 ** ((second - first) / 400))
    draw = derive_generator(task.seed, "made up")
    scores = tuple(float(draw.random() < chance) for _ in range(task.games))
    return PairGames(scores, (), (10, 10), (0.1, 0.2))


@pytest.fixture
def known(monkeypatch):
    monkeypatch.setattr(ladders, "play_pair", made_up)


def new(players=tuple(TRUE), **precision):
    return Ladder(GAME, list(players), 5, StopRule(**{"most": 400, **precision}))


def test_ratings_come_near_the_truth_and_intervals_are_kept(known):
    ladder = new(width=45.0)
    assert climb(ladder, ThreadBackend(), 60.0)
    rungs = ladder.rungs()
    assert [rung.agent for rung in rungs] == ["strong", "middle", "weak", "random"]
    for rung in rungs:
        assert rung.rating.low - 30 <= TRUE[rung.agent] <= rung.rating.high + 30
        assert rung.rating.high - rung.rating.low <= 2 * 45.0 + 1
    assert rungs[-1].rating.rating == 0
    assert rungs[0].decision_ms in (10.0, 20.0) or 10 < rungs[0].decision_ms < 20


def test_narrower_intervals_take_more_games_and_every_pair_meets(known):
    counts = []
    for width in (120.0, 40.0):
        ladder = new(width=width)
        climb(ladder, ThreadBackend(), 60.0)
        points = ladder.points()
        assert ((points + points.T)[~np.eye(4, dtype=bool)] >= 8).all()
        counts.append(len(ladder.blocks))
    assert counts[0] < counts[1]


def test_at_first_whoever_played_least_comes_first(known):
    ladder = new()
    for _ in range(2):
        (pair,) = ladder.next_tasks(1)
        ladder.add(pair, made_up(ladder.task(pair)))
    assert {name for block in ladder.blocks for name in (block.first, block.second)} == set(TRUE)


def test_games_go_where_the_result_is_open(known, monkeypatch):
    monkeypatch.setitem(TRUE, "giant", 1500.0)
    ladder = new(["random", "weak", "giant"], width=40.0, most=400)
    climb(ladder, ThreadBackend(), 60.0)
    points = ladder.points()
    games = points + points.T
    assert games[0, 1] > 3 * games[0, 2]


def test_the_order_of_players_and_newcomers_change_no_game(known):
    one, other = new(), new(["strong", "weak", "random"])
    for ladder in (one, other):
        climb(ladder, ThreadBackend(), 60.0)
    firsts = {(b.first, b.second): b.games for b in one.blocks if b.number == 0}
    for block in other.blocks:
        if block.number == 0:
            assert firsts[block.first, block.second] == block.games


def test_the_time_ends_a_ladder(known, monkeypatch):
    def slow(task):
        time.sleep(0.05)
        return made_up(task)

    monkeypatch.setattr(ladders, "play_pair", slow)
    ladder = new(width=1.0, most=10_000)
    assert not climb(ladder, ThreadBackend(), 0.2)
    assert 1 <= len(ladder.blocks) < 40


def test_blocks_survive_json(known):
    ladder = new()
    climb(ladder, ThreadBackend(), 60.0)
    again = [Block.from_json(json.loads(json.dumps(b.as_json()))) for b in ladder.blocks]
    assert again == ladder.blocks


def test_more_than_two_seats_count_ranks_and_points():
    task = PairTask("dice/three", ("random", "scripted"), 6, 3)
    games = play_pair(task)
    assert len(games.scores) == len(games.alone) == 6
    assert [one.side for one in games.alone] == [0] * 3 + [1] * 3
    assert all(1 <= one.rank <= 3 and 0 <= one.share <= 1 for one in games.alone)
    assert all(count > 0 for count in games.decisions)
    ladder = Ladder(load_game("dice/three"), ["random", "scripted"], 1, StopRule(6, 6, 100.0))
    assert climb(ladder, ThreadBackend(), 60.0)
    for rung in ladder.rungs():
        assert 1 <= rung.mean_rank <= 3
        assert 0 < rung.share_of_points < 1


def test_errors_of_differences_shrink_with_games_and_know_the_pair():
    few = fit_strengths(np.array([[0, 5, 5], [5, 0, 5], [5, 5, 0]], float)).errors()
    many = fit_strengths(np.array([[0, 50, 5], [50, 0, 5], [5, 5, 0]], float)).errors()
    assert np.allclose(few, few.T) and np.allclose(np.diag(few), 0)
    assert many[0, 1] < few[0, 1]
    assert many[0, 1] < many[0, 2]
