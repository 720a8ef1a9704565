"""What the network sees, what shaping says, and how both turn with the board."""

import numpy as np
import pytest

from games.battlefield.positions import draw, move
from stratagem.core.errors import BadSetting
from stratagem.core.registry import load_game
from stratagem.core.seats import OVER
from stratagem.core.seeding import derive_generator, derive_seeds

PAPER = {"history": 0, "broadcast": 0, "extra": 0, "actions": 0}
TERMS = ("health", "centre", "goal", "border", "threat", "cohesion", "focus")


def planes(game, state, **options):
    observer = game.observer("planes", options)
    return observer(state)[0, : observer.spec.slices[0].size].reshape(observer.spec.slices[0].shape)


@pytest.mark.parametrize(
    ("spec", "options", "count"),
    [
        ("battlefield", PAPER, 11),
        ("battlefield/duel", PAPER, 10),
        ("battlefield/squad", PAPER, 12),
        ("battlefield", {}, 19),
        ("battlefield", {**PAPER, "history": 4}, 55),
        ("battlefield", {**PAPER, "broadcast": 1}, 14),
        ("battlefield/squad", {**PAPER, "extra": 1}, 18),
    ],
)
def test_number_of_planes(spec, options, count):
    game = load_game(spec)
    shape = (count, game.scenario.height, game.scenario.width)
    assert game.observer("planes", options).spec.slices[0].shape == shape


@pytest.mark.parametrize("option", ["history", "broadcast", "extra", "actions"])
def test_options_out_of_range_are_refused(option):
    with pytest.raises(BadSetting, match=option):
        load_game("battlefield").observer("planes", {option: 5})


def skirmish():
    game, state = draw(
        """
        . A . . #
        . . . . .
        . . B . .
        . . . . .
        a . . . .
        """,
        hold_turns=4,
    )
    state["cells"][0, 1, 1] = 4 * 16 + 4
    state["health"][0, 1, 1] = 1
    state["ammo"][0, 1, 1] = 3
    return game, state


def at(plane):
    return {(int(r), int(c)): float(plane[r, c]) for r, c in zip(*np.nonzero(plane), strict=True)}


def test_the_eleven_planes():
    game, state = skirmish()
    seen = planes(game, state, **PAPER)
    assert at(seen[0]) == {(0, 1): 1.0}
    assert at(seen[1]) == {(2, 2): 1.0}
    assert at(seen[2]) == {(4, 0): 1.0, (4, 4): 1.0}
    assert at(seen[3]) == {(0, 4): 1.0}
    assert at(seen[4]) == {(0, 1): 1.0, (2, 2): 1.0}
    assert at(seen[5]) == {(4, 0): 1.0, (4, 4): 0.5}
    assert np.all(seen[6] == 1.0)
    assert np.all(seen[7:9] == 0.0)
    assert at(seen[9]) == {(0, 1): 1.0, (2, 2): 1.0}
    assert at(seen[10]) == {(4, 0): 1.0, (4, 4): 0.5}


def test_planes_swap_with_the_mover():
    game, state = skirmish()
    move(game, state, "E .")
    seen = planes(game, state, **PAPER)
    assert at(seen[0]) == {(4, 0): 1.0}
    assert at(seen[1]) == {(4, 4): 1.0}
    assert at(seen[2]) == {(0, 2): 1.0, (2, 2): 1.0}
    assert np.allclose(seen[6], 1 - 1 / 36)
    assert np.all(seen[7] == 0.0) and np.all(seen[8] == 0.25)


def test_history_stacks_earlier_positions_from_the_movers_view():
    game, state = skirmish()
    first = planes(game, state, **PAPER)
    seen = planes(game, state, **{**PAPER, "history": 2})
    assert np.all(seen[11:] == 0.0)
    move(game, state, "E xN", ". .")
    second = planes(game, state, **PAPER)
    seen = planes(game, state, **{**PAPER, "history": 3})
    assert np.array_equal(seen[:11], second)
    assert at(seen[11]) == {(0, 2): 1.0}  # after E xN, still own agents first
    assert np.array_equal(seen[22:33], first)
    assert np.all(seen[33:] == 0.0)


def test_broadcast_and_extra_planes():
    game, state = skirmish()
    move(game, state, ". .", ". .")
    seen = planes(game, state)
    assert np.allclose(seen[11], 1 - 2 / 36)
    assert np.all(seen[12] == 1.0)  # nobody moved
    assert np.allclose(seen[13], 2 / 36)
    assert np.all(seen[14] == 1.0)
    assert np.isclose(seen[15][0, 0], 10 / 36) and np.isclose(seen[15][2, 2], 34 / 36)
    assert at(seen[16]) == {(2, 2): 1.0}
    assert at(seen[17]) == {(4, 0): 1.0} and at(seen[18]) == {(4, 4): 1.0}
    state["margin"] = 1
    state["ply"] = 13
    seen = planes(game, state)
    assert seen[14].sum() == 9 and np.count_nonzero(seen[15]) == 9


def test_action_features():
    game, state = skirmish()
    observer = game.observer("planes", {"actions": 1})
    board, rows = observer.spec.slices
    assert (rows.kind, rows.shape) == ("actions", (81, 11))
    table = observer(state)[0, board.size :].reshape(81, 11)
    assert set(np.nonzero(table[:, -1])[0]) == set(game.legal_actions(state[0]))
    parse = game.rules.notation.parse_action
    east_south = table[parse(state[0], "E xS")]
    assert np.allclose(east_south, [0, 0.5, 1, 0, 0, 1, 0.5, 0, 1, 0, 1])
    outside = table[parse(state[0], "N .")]
    assert np.allclose(outside, [0, 0.25, 1, 0, 0, 0.5, 0.5, 0, 0, 1, 0])


def one_weight(term: str, **more):
    return {f"weight_{name}": (1.0 if name == term else 0.0) for name in TERMS} | more


@pytest.mark.parametrize(
    ("term", "value"),
    [
        ("health", 0.0),
        ("centre", 1.0 - 1 / 5),
        ("goal", (1 / 4 + 1) / 2 - 1 / 5),
        ("border", 0.5),
        ("threat", 0.0),
        ("cohesion", 1 / 3 - 1 / 4),
        ("focus", 1.0 - 1.0),
    ],
)
def test_each_term(term, value):
    game, state = draw(
        """
        . A . . #
        . . . . .
        . . B . .
        . . . . .
        a . . . b
        """,
        **one_weight(term),
    )
    assert game.potentials(state)[0, 0] == pytest.approx(value, abs=1e-6)


def test_threat_counts_agents_with_ammunition():
    game, state = draw(
        """
        . A . . #
        . . . . .
        . a . B .
        . . . . .
        b . . . .
        """,
        **one_weight("threat"),
    )
    assert game.potentials(state)[0, 0] == pytest.approx(1.0 - 0.5)  # A and B see a, b sees nobody
    state["ammo"][0, 0, 0] = 0
    assert game.potentials(state)[0, 0] == pytest.approx(0.5 - 0.5)


def test_focus_rewards_one_target():
    game, state = draw(
        """
        A B . . .
        . . . . .
        . a . . .
        . . . . .
        . . . . b
        """,
        **one_weight("focus"),
    )
    assert game.potentials(state)[0, 0] == pytest.approx(0.0)  # both teams agree: a, and B
    state["cells"][0, 1] = [16, 4, 255]  # a below A, b at the other end: A goes for a, B too
    state["cells"][0, 0, 1] = 3  # B beside b: everybody has another target
    assert game.potentials(state)[0, 0] == pytest.approx(0.0)
    state["cells"][0, 0, 0] = 255  # no pair left
    assert game.potentials(state)[0, 0] == pytest.approx(0.0 - 1.0)


def test_potentials_are_zero_sum_and_clipped():
    games = [load_game("battlefield"), load_game("battlefield/squad?shaping_clip=0.05")]
    for game in games:
        choice = derive_generator(2, "potentials")
        states = game.new_states(derive_seeds(2, "potentials", count=200))
        extremes = 0.0
        while len(states):
            found = game.potentials(states)
            assert np.array_equal(found[:, 0], -found[:, 1])
            extremes = max(extremes, float(np.abs(found).max()))
            states = random_ply(game, states, choice)[1]
            states = states[states["seat"] != OVER]
        assert extremes <= game.scenario.shaping_clip + 1e-7
        if game is games[1]:
            assert extremes == pytest.approx(0.05)


def random_ply(game, states, choice):
    ids, counts = game.legal(states)
    picks = (choice.random(len(states)) * counts).astype(np.int64)
    actions = ids[np.arange(len(states)), picks].copy()
    after = states.copy()
    game.kernels.step(after, actions)
    return actions, after


SYMMETRIC = [
    "battlefield",
    "battlefield/squad",
    "battlefield/duel",
    "battlefield/default?height=6&width=9&shrink_every=3",
]


@pytest.mark.parametrize("spec", SYMMETRIC)
def test_symmetries_commute_with_everything(spec):
    game = load_game(spec)
    assert game.num_symmetries == (8 if game.scenario.height == game.scenario.width else 4)
    choice = derive_generator(4, spec)
    observer = game.observer("planes", {"history": 4})
    shape = (-1, *observer.spec.slices[0].shape)
    states = game.new_states(derive_seeds(4, spec, count=40))
    while len(states):
        actions, after = random_ply(game, states, choice)
        for index in range(game.num_symmetries):
            indices = np.full(len(states), index)
            turned, turned_after = states.copy(), after.copy()
            game.kernels.symmetry(states, indices, turned)
            game.kernels.symmetry(after, indices, turned_after)
            turned_actions = np.empty_like(actions)
            rows = np.arange(len(states))
            game.kernels.symmetry_action(states, rows, indices, actions, turned_actions)
            assert np.array_equal(turn_planes(observer(states).reshape(shape), index),
                                  observer(turned).reshape(shape))  # fmt: skip
            assert np.allclose(game.potentials(states), game.potentials(turned))
            game.kernels.step(turned, turned_actions)
            assert turned.tobytes() == turned_after.tobytes()
        states = after[after["seat"] != OVER]


def turn_planes(seen, index):
    """[B, C, H, W] turned like the board."""
    if index & 1:
        seen = seen[:, :, ::-1]
    if index & 2:
        seen = seen[:, :, :, ::-1]
    return seen.swapaxes(2, 3) if index & 4 else seen
