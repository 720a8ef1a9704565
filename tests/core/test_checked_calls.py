"""Calls from Python that make no sense are refused, and nothing is left uninitialised."""

import numpy as np
import pytest

from stratagem import make_agent, play_match, search_positions, train_agent
from stratagem.core.errors import BadSetting, BadState, NotAllowed
from stratagem.core.registry import load_game
from stratagem.search import Evaluation, SearchSettings

FEW = SearchSettings(sims=4)


@pytest.fixture(scope="module")
def game():
    return load_game("connect_four")


@pytest.fixture
def states(game):
    return game.new_states(np.arange(1, 4, dtype=np.uint64))


@pytest.mark.parametrize("action", [99, -1, 7, 2**40])
def test_an_action_that_is_not_legal_is_refused(game, states, action):
    with pytest.raises(NotAllowed, match=f"action {action}"):
        game.after(states[0], action)


def test_a_full_column_and_the_end_are_refused(game, states):
    state = states[0]
    for _ in range(6):
        state = game.after(state, 3)
    with pytest.raises(NotAllowed, match="does not allow it here"):
        game.after(state, 3)
    state = states[0]
    for action in (0, 1, 0, 1, 0, 1, 0):
        state = game.after(state, action)
    with pytest.raises(NotAllowed, match="the game is over"):
        game.after(state, 0)


def test_legal_lists_are_padded_and_the_mask_says_the_same(game, states):
    states["height"][0, :5] = 6
    ids, counts = game.legal(states)
    assert counts.tolist() == [2, 7, 7]
    assert ids[0].tolist() == [5, 6, -1, -1, -1, -1, -1]
    assert game.legal_mask(states).tolist() == [[False] * 5 + [True] * 2, [True] * 7, [True] * 7]


def giving(logits, values, fill=0.0):
    """An evaluator whose answers have these shapes; -1 stands for the number of positions."""

    class Given:
        def evaluate(self, states, rows):
            shapes = [tuple(len(rows) if n < 0 else n for n in one) for one in (logits, values)]
            return Evaluation(*(np.full(shape, fill, np.float32) for shape in shapes))

    return Given()


@pytest.mark.parametrize(
    ("evaluator", "message"),
    [
        (giving((-1, 6), (-1, 2)), "logits of shape"),
        (giving((2, 7), (-1, 2)), "logits of shape"),
        (giving((-1, 7), (-1, 3)), "values of shape"),
        (giving((-1, 7), (1, 2)), "values of shape"),
        (giving((-1, 7), (-1, 2), np.nan), "not finite"),
        (giving((-1, 7), (-1, 2), np.inf), "not finite"),
    ],
)
def test_an_evaluator_is_not_simply_believed(game, states, evaluator, message):
    with pytest.raises(BadSetting, match=message):
        search_positions(game, states, evaluator, FEW)


def test_positions_from_outside_are_looked_at(game, states):
    search_positions(game, states, settings=FEW)
    with pytest.raises(BadState, match="array of positions"):
        search_positions(game, np.zeros(3), settings=FEW)
    states["height"][1] = 200
    with pytest.raises(BadState, match="height"):
        search_positions(game, states, settings=FEW)


@pytest.mark.parametrize("action", [1.5, "3", None, 10**30])
def test_what_is_no_number_of_an_action_is_refused(game, states, action):
    with pytest.raises(NotAllowed, match="pass the number"):
        game.after(states[0], action)


def test_arrays_that_are_too_short_or_of_something_else_reach_no_kernel(game, states):
    seeds = np.arange(3, dtype=np.uint64)
    for wrong in (
        lambda: game.legal(np.zeros(3)),
        lambda: game.returns([1, 2]),
        lambda: game.scores(states[0]),
        lambda: game.draw(states, seeds[:1]),
        lambda: game.hidden_from(states, states["seat"][:1], seeds),
        lambda: game.hidden_from(states, states["seat"], seeds[:1]),
        lambda: game.hidden_from(states, np.array([0, 1, 2], np.int8), seeds),
        lambda: game.observer()(np.zeros(3)),
        lambda: game.observer()(states, np.array([3])),
        lambda: game.observer()(states, np.array([-1])),
        lambda: game.after(7, 0),
    ):
        with pytest.raises(BadState):
            wrong()


def test_seeds_are_whole_numbers_from_zero(game):
    assert game.new_states([1, 2]).tobytes() == game.new_states(np.array([1, 2])).tobytes()
    for wrong in ([-1], ["a"], [1.5], 3):
        with pytest.raises(BadSetting, match="seeds"):
            game.new_states(wrong)
    for wrong in (-1, 1.5, "1"):
        with pytest.raises(BadSetting, match="seed"):
            game.new_state(wrong)


def test_names_in_place_of_games_and_things_in_place_of_agents(game):
    assert play_match(game, ["random", "random"], 2, 1).games == 2
    for wrong in (
        lambda: play_match("connect_four", ["random", "random"], 2, 1),
        lambda: play_match(game, [None, "random"], 2, 1),
        lambda: play_match(game, ["random", "random"], 1.5, 1),
        lambda: make_agent("random", "connect_four"),
    ):
        with pytest.raises(BadSetting):
            wrong()


def test_a_training_has_one_end():
    for limits in ({}, {"budget": "1m", "iterations": 2}):
        with pytest.raises(BadSetting, match="training needs a limit"):
            train_agent("connect_four", **limits)


@pytest.mark.parametrize("answer", [None, [3, 3], [3.7], [[3]], "x"])
def test_an_agent_gives_a_whole_number_for_each_position(game, answer):
    class Odd:
        spec = "odd"

        def act(self, states, seeds):
            return answer

    with pytest.raises(BadSetting, match="agent 'odd' returned"):
        play_match(game, [Odd(), "random"], 1, 1)


def test_an_observation_is_written_only_where_it_fits(game, states):
    observer, rows = game.observer(), np.arange(3)
    seats = states["seat"]
    for out in (np.zeros((3, 2), np.float32), np.zeros((3, observer.spec.size))):
        with pytest.raises(BadState, match="rows need float32"):
            observer.observe_into(states, rows, seats, out)
    fits = np.zeros((3, observer.spec.size), np.float32)
    with pytest.raises(BadState, match="and seats"):
        observer.observe_into(states, rows, seats[:1], fits)
    with pytest.raises(BadState, match="whole numbers"):
        observer(states, np.array([0.5]))
    assert (observer(states, [2]) == observer(states)[2]).all()


def test_what_is_no_spec_no_settings_and_no_evaluator_is_refused(game, states):
    with pytest.raises(BadSetting, match="write a name"):
        load_game(None)
    with pytest.raises(BadSetting, match="SearchSettings"):
        search_positions(game, states, None, 5)
    with pytest.raises(BadSetting, match="not an evaluator"):
        search_positions(game, states, 5)
