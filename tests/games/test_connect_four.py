"""Connect Four against its slow twin, its known counts and its conformance."""

from pathlib import Path

import numpy as np
import pytest

from interpreted import assert_interpreted_equals_compiled
from oracles.slow_connect_four import SlowConnectFour, layers
from playthrough import playthrough
from stratagem.core.conformance import check_game
from stratagem.core.errors import BadRecord
from stratagem.core.registry import load_game
from stratagem.core.seats import OVER

GOLDEN = Path(__file__).parent.parent / "golden" / "connect_four.txt"
GAME = load_game("connect_four")

# Distinct positions after n plies, an outside truth: sequence A212693 of oeis.org.
POSITIONS = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275]


def play(game, columns):
    state = game.new_state(0)
    for column in columns:
        assert column in game.legal_actions(state)
        state = game.after(state, column)
    return state


def count_layers(depth):
    """(leaf count, distinct positions) at each ply, by the compiled rules."""
    states, paths = GAME.new_states(np.zeros(1, np.uint64)), np.ones(1, np.int64)
    for _ in range(depth):
        ids, counts = GAME.legal(states)
        owners = np.repeat(np.arange(len(states)), counts)
        children = states[owners]
        listed = np.arange(ids.shape[1]) < counts[:, None]
        GAME.kernels.step(children, ids[listed])
        raw = children.view(np.dtype((np.void, children.dtype.itemsize)))
        _, first, inverse = np.unique(raw, return_index=True, return_inverse=True)
        paths = np.bincount(inverse.ravel(), weights=paths[owners]).astype(np.int64)
        states = children[first]
        yield int(paths.sum()), len(states)


@pytest.mark.parametrize(
    "spec",
    ["connect_four", "connect_four?rows=8&columns=7", "connect_four?rows=2&columns=2&connect=2"],
)
def test_conforms(spec):
    check_game(load_game(spec), games=10)


def test_interpreted_rules_are_the_compiled_rules():
    assert_interpreted_equals_compiled(["connect_four"], (4,))


def test_leaf_counts():
    counted = list(count_layers(8))
    assert [leaves for leaves, _ in counted[:6]] == [7**ply for ply in range(1, 7)]
    # No game ends before ply 7; only seven discs in one column of six rows are impossible.
    assert counted[6][0] == 7**7 - 7 == 823_536
    assert [positions for _, positions in counted] == POSITIONS[1:]


@pytest.mark.slow
def test_deep_leaf_counts_equal_the_slow_twin():
    assert list(count_layers(8)) == list(layers(8))


def test_leaf_counts_equal_the_slow_twin():
    assert list(count_layers(5)) == list(layers(5))


@pytest.mark.parametrize(
    ("rows", "columns", "connect"),
    [(6, 7, 4), (4, 4, 3), (7, 8, 5), (8, 7, 4), (3, 5, 2), (5, 3, 5)],
)
def test_random_games_equal_the_slow_twin(rows, columns, connect):
    game = load_game(f"connect_four?rows={rows}&columns={columns}&connect={connect}")
    generator = np.random.default_rng(rows * 64 + columns * 8 + connect)
    for _ in range(60):
        twin = SlowConnectFour(rows, columns, connect)
        state = game.new_state(0)
        while not twin.over:
            assert game.legal_actions(state) == twin.legal()
            assert state["seat"] == twin.ply % 2
            column = int(generator.choice(twin.legal()))
            state = game.after(state, column)
            twin.drop(column)
        assert state["seat"] == OVER
        assert game.returns(np.array([state]))[0].tolist() == twin.returns()
        grid = game.rules.notation.format_state(state).splitlines()[:-1]
        for column, stack in enumerate(twin.columns):
            shown = "".join(line[2 * column] for line in reversed(grid))
            assert shown == stack.ljust(rows, ".")


@pytest.mark.parametrize(
    ("direction", "columns", "winner"),
    [
        ("vertical", [2, 3, 2, 3, 2, 3, 2], 0),
        ("horizontal", [0, 0, 1, 1, 2, 2, 3], 0),
        ("horizontal at the right edge", [0, 3, 0, 4, 0, 5, 1, 6], 1),
        ("rising", [0, 1, 1, 2, 2, 3, 2, 3, 3, 0, 3], 0),
        ("falling", [6, 5, 5, 4, 4, 3, 4, 3, 3, 6, 3], 0),
    ],
)
def test_wins_in_every_direction(direction, columns, winner):
    before = play(GAME, columns[:-1])
    assert before["seat"] == winner
    state = play(GAME, columns)
    assert state["seat"] == OVER
    returns = GAME.returns(np.array([state]))[0]
    assert returns[winner] == 1
    assert returns[1 - winner] == -1


def test_a_line_does_not_run_on_into_the_next_column():
    # Three at the top of one column and one at the bottom of the next are no line.
    state = play(GAME, [1, 0, 3, 0, 5, 0, 0, 6, 0, 6, 0])
    assert state["seat"] >= 0
    assert GAME.rules.notation.format_state(state).splitlines()[0].startswith("X .")


def test_a_full_board_without_a_line_is_a_draw():
    game = load_game("connect_four?rows=4&columns=4&connect=4")
    columns = [0, 1, 0, 1, 1, 0, 1, 0, 2, 3, 2, 3, 3, 2, 3, 2]
    state = play(game, columns)
    assert state["seat"] == OVER
    assert state["winner"] == -1
    assert game.returns(np.array([state]))[0].tolist() == [0, 0]
    assert dict(game.rules.view(state).facts)["status"] == "draw"


def test_the_scripted_player_wins_and_blocks():
    choose = GAME.rules.bot_kernels["scripted"]

    def answer(columns, seed):
        out = np.empty(1, np.int32)
        choose(np.array([play(GAME, columns)]), np.array([seed], np.uint64), GAME.width, out)
        return int(out[0])

    for seed in range(1, 20):
        assert answer([2, 3, 2, 3, 2, 3], seed) == 2  # both could win; the mover does
        assert answer([2, 3, 2, 3, 2], seed) == 2  # stops a column
        assert answer([1, 1, 2, 2, 3], seed) in (0, 4)  # an open three: either end
    assert len({answer([], seed) for seed in range(1, 60)}) > 3


@pytest.mark.parametrize("text", ["", "0", "8", "-1", "a", "\u00b2", "1 2"])
def test_unreadable_moves(text):
    with pytest.raises(BadRecord, match="write a column from 1 to 7"):
        GAME.rules.notation.parse_action(GAME.new_state(0), text)


def test_golden_playthrough():
    assert playthrough(GAME, 1) == GOLDEN.read_text()


def test_the_drawing_shows_the_winning_line():
    state = play(GAME, [0, 1, 0, 1, 0, 1])
    assert not [shape for shape in GAME.rules.view(state).shapes if shape.role == "win"]
    state = play(GAME, [0, 1, 0, 1, 0, 1, 0])
    (line,) = [shape for shape in GAME.rules.view(state).shapes if shape.role == "win"]
    (x, low), (same, high) = line.points
    assert x == same and low - high == pytest.approx(3)
    discs = [shape.role for shape in GAME.rules.view(state).shapes if shape.layer == "pieces"]
    assert discs.count("seat0-mark") == 4 and discs.count("seat1-mark") == 3
