"""Planes and actions: how many there are, and what stands in them. The twin checks the rest."""

import numpy as np
import pytest

from games.hexwar.positions import battle, move, new_game
from stratagem.core.errors import BadSetting
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seeds
from stratagem.games.hexwar import actions
from stratagem.games.hexwar.encode.planes import plane_groups


def look(game, state):
    observer = game.observer()
    return observer(state)[0].reshape(observer.spec.slices[0].shape)


@pytest.mark.parametrize(
    ("stacking", "planes", "action_planes"),
    [(1, 67, 12), (2, 86, 21), (3, 105, 30), (4, 124, 39)],
)
def test_counts_of_the_paper(stacking, planes, action_planes):
    game = load_game(f"hexwar/symmetric?stacking={stacking}")
    assert planes == 19 * stacking + 12 * (3 + 1)
    assert game.observer().spec.slices[0].shape == (planes, 5, 5)
    assert game.observer().spec.slices[0].kind == "planes"
    assert game.actions.shape == (action_planes, 5, 5)
    assert game.actions.size == action_planes * 25 == (9 * stacking + 3) * 25
    assert sum(count for _, count in plane_groups(stacking)) == planes
    assert sum(count for _, count in actions.plane_groups(stacking)) == action_planes
    groups = game.rules.groups(game.scenario)
    assert [group.start for group in groups[1:]] == [group.stop for group in groups[:-1]]
    assert (groups[0].start, groups[-1].stop) == (0, game.actions.size)


def test_the_papers_board_has_525_actions():
    assert load_game("hexwar").actions.size == 525


def test_sizes_of_the_largest_boards():
    game = load_game("hexwar/solo-20")
    assert game.actions.shape == (12, 20, 20)
    assert game.observer().spec.size == 67 * 400
    assert game.rules.dtype.itemsize <= 1500


def test_terrain_and_victory_planes():
    game = load_game("hexwar")
    shown = look(game, game.new_states(np.array([1], np.uint64)))
    assert shown[0, 2].tolist() == [1.0, 1.0, 0.5, 1.0, 1.0]
    assert shown[0, 0].tolist() == [1.0, 1.0, 2.0, 1.0, 1.0]
    assert shown[1, 2].tolist() == [1.0, 2.0, 1.0, 2.0, 1.0]
    assert shown[2, 2].tolist() == [1.0, 2.0, 2.0, 2.0, 1.0]
    assert np.argwhere(shown[3]).tolist() == [[1, 0]]
    assert np.argwhere(shown[4]).tolist() == [[3, 4]]


def test_upcoming_reinforcements_are_interleaved_with_their_timing():
    game = load_game("hexwar/curriculum")
    state = game.new_states(np.array([1], np.uint64))
    shown = look(game, state)
    west = np.zeros((5, 5))
    west[:, :2] = 1
    for unit, timing in enumerate((1.0, 1.0, 0.7)):  # due on turns 0, 0, 3 of 9; the fourth unseen
        block = shown[5 + 6 * unit : 11 + 6 * unit]
        assert np.array_equal(block[0], west) and np.array_equal(block[2], 2 * west)
        assert block[3:] == pytest.approx(np.full((3, 5, 5), timing))
    assert np.array_equal(shown[23], west[:, ::-1])  # player 2
    move(game, state, "place a1", "place a2")
    shown = look(game, state)
    assert shown[8] == pytest.approx(np.full((5, 5), 0.7))
    assert shown[14] == pytest.approx(np.full((5, 5), 0.5))
    assert not shown[17:23].any()  # only two are left


def test_unit_planes_by_status_level_and_number():
    game, state = battle({"c3": "IA"}, {"c4": "I"})
    shown = look(game, state)
    assert shown[41:47, 2, 2].tolist() == [1, 1, 2, 2, 2, 4]  # ready: level 1, level 2
    assert shown[59:62, 3, 2].tolist() == [1, 1, 2]  # player 2, ready
    move(game, state, "move c3/2 N", "stay c2/1", "stay c3/1")
    shown = look(game, state)
    assert not shown[41:47].any()
    assert shown[47:50, 2, 2].tolist() == [1, 1, 2]  # the infantry may attack
    assert shown[53:56, 1, 2].tolist() == [2, 2, 3]  # the armour is done, three points unspent


def test_target_attackers_phase_turn_and_player():
    game, state = battle({"c3": "II"}, {"c4": "I"})
    move(game, state, "stay c3/1", "stay c3/2", "attack c4", "with c3/2")
    shown = look(game, state)
    assert np.argwhere(shown[77]).tolist() == [[3, 2]]
    assert np.argwhere(shown[78:80]).tolist() == [[1, 2, 2]]
    assert shown[80:84, 0, 0].tolist() == [0, 0, 0, 1]
    assert shown[84] == pytest.approx(np.full((5, 5), 1 / 9))
    assert np.array_equal(shown[85], np.ones((5, 5)))
    assert shown[47:53, 2, 2].tolist() == [1, 1, 2, 1, 1, 2]  # chosen ones still count as moved


def test_both_seats_see_the_same():
    game, state = battle({"c3": "II"}, {"c4": "I"})
    observer = game.observer()
    out = np.zeros((2, observer.spec.size), np.float32)
    observer.observe_into(state, np.array([0, 0]), np.array([0, 1], np.int8), out)
    assert np.array_equal(out[0], out[1])


def test_the_plane_of_player_2_is_minus_one():
    game, state = new_game()
    move(game, state, "place a1")
    assert np.array_equal(look(game, state)[85], -np.ones((5, 5)))


def test_action_planes_are_in_the_order_of_the_paper():
    game, state = battle({"b3": "II"}, {"c3": "I"})
    parse = game.rules.notation.parse_action
    cell = 2 * 5 + 1
    for text, plane in (
        ("place b3", 0), ("move b3/1 N", 1), ("move b3/2 N", 2), ("move b3/1 NE", 3),
        ("move b3/2 NW", 12), ("attack b3", 13), ("with b3/1", 14), ("with b3/2", 15),
        ("fight b3", 16), ("stay b3/1", 17), ("stay b3/2", 18), ("hold b3/1", 19),
        ("hold b3/2", 20),
    ):  # fmt: skip
        assert parse(state[0], text) == plane * 25 + cell


def test_own_first_exchanges_the_players_planes():
    """Player 2 sees its own goals, arrivals and units where player 1's stand otherwise."""
    game = load_game("hexwar/curriculum")
    states = game.new_states(derive_seeds(4, count=6))
    plain, own = game.observer(), game.observer("planes", {"own_first": 1})
    width = np.cumsum([0, *(count for _, count in plane_groups(2))])
    parts = {name: slice(*width[k : k + 2]) for k, (name, _) in enumerate(plane_groups(2))}
    pairs = [("reinforcements of player 1", "reinforcements of player 2")]
    pairs += [("units of player 1", "units of player 2")]
    seen = set()
    for _ in range(30):
        live = states[states["seat"] >= 0]
        before = plain(live).reshape(len(live), 86, 25)
        after = own(live).reshape(len(live), 86, 25)
        for k, seat in enumerate(live["seat"]):
            expected = before[k].copy()
            if seat == 1:
                expected[[3, 4]] = before[k][[4, 3]]
                for mine, theirs in pairs:
                    expected[parts[mine]] = before[k][parts[theirs]]
                    expected[parts[theirs]] = before[k][parts[mine]]
            assert np.array_equal(after[k], expected)
            seen.add(int(seat))
        ids, counts = game.legal(states)
        game.kernels.step(states, ids[np.arange(6), counts // 2])
    assert seen == {0, 1}
    with pytest.raises(BadSetting, match="own_first=2: give 0 or 1"):
        game.observer("planes", {"own_first": 2})


def test_with_own_first_who_waits_sees_half_of_the_player_plane():
    game = load_game("hexwar/symmetric")
    state = game.new_states(np.ones(1, np.uint64))  # player 1 decides
    for own_first, seat, value in ((0, 0, 1), (0, 1, 1), (1, 0, 1), (1, 1, 0.5)):
        observer = game.observer("planes", {"own_first": own_first})
        seen = np.zeros((1, observer.spec.size), np.float32)
        observer.observe_into(state, np.arange(1), np.array([seat], np.int8), seen)
        assert (seen[0, -25:] == value).all()


def test_turns_left_is_one_plane_more():
    game = load_game("hexwar/symmetric?turns=6")
    state = game.new_states(np.ones(1, np.uint64))
    state["turn"] = 2
    plain, more = game.observer(), game.observer("planes", {"turns_left": 1})
    seen = more(state).reshape(87, 25)
    assert np.array_equal(seen[:86], plain(state).reshape(86, 25))
    assert np.allclose(seen[86], 0.4)
    with pytest.raises(BadSetting, match="turns_left=3: give 0 or 1"):
        game.observer("planes", {"turns_left": 3})
