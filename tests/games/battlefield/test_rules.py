"""Single rules of Battlefield on hand-made positions."""

import numpy as np
import pytest

from games.battlefield.positions import allowed, draw, move
from stratagem.core.errors import BadRecord, BadScenario
from stratagem.core.registry import load_game
from stratagem.core.seats import OVER
from stratagem.core.seeding import derive_seeds

FACE_TO_FACE = """
    . . . . .
    . . . . .
    A . . a .
    . . . . .
    . . . . .
"""


def test_a_hit_takes_health_and_ammunition():
    s = move(*draw(FACE_TO_FACE), "xE")
    assert s["health"][1, 0] == 1
    assert s["ammo"][0, 0] == 5
    assert s["damage_ply"] == 1


def test_a_miss_costs_ammunition_too():
    s = move(*draw(FACE_TO_FACE), "xN")
    assert s["health"][1, 0] == 2
    assert s["ammo"][0, 0] == 5
    assert s["damage_ply"] == 0


@pytest.mark.parametrize(("reach", "health"), [(2, 2), (3, 1), (4, 1)])
def test_range_is_counted_in_cells(reach, health):
    assert move(*draw(FACE_TO_FACE, shot_range=reach), "xE")["health"][1, 0] == health


def test_damage_can_kill_at_once():
    s = move(*draw(FACE_TO_FACE, damage=2), "xE")
    assert (s["cells"][1, 0], s["ammo"][1, 0]) == (255, 0)
    assert (s["seat"], s["winner"]) == (OVER, 0)


def test_obstacles_stop_shots():
    s = move(*draw(FACE_TO_FACE.replace("A . .", "A # .")), "xE")
    assert s["health"][1, 0] == 2


def test_the_zone_edge_stops_shots():
    # The rules never leave anybody outside; the drawing does.
    game, state = draw(FACE_TO_FACE.replace(". a .", ". . a"), margin=1, shot_range=4)
    state["cells"][0, 0, 0] = 2 * 16 + 1
    assert move(game, state, "xE")["health"][1, 0] == 2


def test_teammates_stop_shots_unharmed():
    game, state = draw(FACE_TO_FACE.replace("A . .", "A B ."))
    s = move(game, state, "xE .")
    assert s["health"][0].tolist()[:2] == [2, 2]
    assert s["health"][1, 0] == 2
    assert s["ammo"][0, 0] == 5


def test_shots_fly_after_a_teammate_has_stepped_aside():
    game, state = draw(FACE_TO_FACE.replace("A . .", "B A ."))
    assert move(game, state, "N xE")["health"][1, 0] == 1


def test_without_ammunition_nobody_shoots():
    assert allowed(*draw(FACE_TO_FACE, ammo=0)) == {".", "N", "E", "S"}


def test_moves_stop_at_edges_obstacles_and_agents():
    game, state = draw(
        """
        A B . . .
        # . . . .
        . . . . .
        . . . . .
        . . . . a
        """,
        ammo=0,
    )
    assert allowed(game, state) == {". .", ". E", ". S"}


def test_a_vacated_cell_is_free_for_later_teammates_only():
    game, state = draw(
        """
        . . . . .
        . A B . .
        . . . . .
        . . . . .
        . . . . a
        """,
        ammo=0,
    )
    texts = allowed(game, state)
    assert "N W" in texts and "W W" in texts
    assert not any(text.startswith("E ") for text in texts)
    assert "N N" in texts


def test_a_cell_is_taken_once_a_teammate_enters_it():
    game, state = draw(
        """
        . . . . .
        . A . B .
        . . . . .
        . . . . .
        . . . . a
        """,
        ammo=0,
    )
    texts = allowed(game, state)
    assert "E ." in texts and ". W" in texts and "E W" not in texts


def test_a_kill_frees_the_cell_for_the_next_teammate():
    picture = """
        . . . . .
        . B . . .
        A a . b .
        . . . . .
        . . . . .
    """
    game, state = draw(picture, health=1)
    assert "xE S" in allowed(game, state)
    s = move(game, state, "xE S")
    assert s["cells"][0, 1] == 2 * 16 + 1
    game, state = draw(picture, health=2)
    assert "xE S" not in allowed(game, state)


def test_two_hits_of_one_ply_add_up():
    game, state = draw(
        """
        . B . . .
        . . . . .
        A a . . .
        . C . . .
        . . . . b
        """
    )
    texts = allowed(game, state)
    assert "xE xS N" in texts and "xE . N" not in texts
    s = move(game, state, "xE xS N")
    assert s["cells"].tolist() == [[32, 1, 33], [255, 68, 255]]


def test_the_dead_only_wait():
    game, state = draw(
        """
        . . . . .
        . . B . .
        . . . . .
        . . . . .
        . . a . .
        """
    )
    assert all(text.startswith(". ") for text in allowed(game, state))


def test_leaving_the_zone_is_legal_and_deadly():
    game, state = draw(
        """
        . . . . .
        . A . . .
        . B . . .
        . . . . .
        . . a . .
        """,
        margin=1,
        ply=12,
    )
    state["cells"][0, 1, 0] = 3 * 16 + 3
    s = move(game, state, "N .")
    assert s["cells"][0].tolist() == [255, 33, 255]
    assert s["damage_ply"] == 13
    assert s["seat"] == 1


def test_walking_out_with_the_last_agent_loses():
    game, state = draw(FACE_TO_FACE, margin=1, ply=12)
    state["cells"][0, 0, 0] = 1 * 16 + 1
    s = move(game, state, "N")
    assert (s["seat"], s["winner"]) == (OVER, 1)


HOLDER = """
    . . . . .
    . . . . .
    . . A . .
    # . . . .
    a . . . .
"""


def test_holding_the_goal_wins():
    game, state = draw(HOLDER)
    s = move(game, state, ".", ".", "xN", ".")
    assert s["streak"].tolist() == [2, 0]
    s = move(game, state, ".")
    assert (s["seat"], s["winner"], s["streak"][0]) == (OVER, 0, 3)
    assert game.returns(state)[0].tolist() == [1.0, -1.0]
    assert game.scores(state)[0].tolist() == [1.0, -1.0]


def test_leaving_the_goal_ends_the_streak():
    s = move(*draw(HOLDER), ".", ".", "N", ".", "S")
    assert s["streak"][0] == 1


def test_a_dead_holder_loses_the_streak_at_once():
    game, state = draw(HOLDER.replace("A . .", "A . b").replace(". . . . .", "B . . . .", 1))
    state["health"][0, 0, 0] = 1
    s = move(game, state, ". .", ". xW")
    assert s["cells"][0, 0] == 255
    assert s["streak"].tolist() == [0, 0]
    assert s["seat"] == 0


@pytest.mark.parametrize("cell", [(2, 2), (2, 3), (3, 2), (3, 3)])
def test_an_even_board_has_four_goal_cells(cell):
    rows = [["."] * 6 for _ in range(6)]
    rows[cell[0]][cell[1]] = "A"
    rows[5][0] = "a"
    picture = "\n".join(" ".join(row) for row in rows)
    assert move(*draw(picture), ".")["streak"][0] == 1


def test_shrinking_kills_both_teams_on_the_rim():
    game, state = draw(
        """
        A . . . .
        . . . . .
        . . B b .
        . . . . .
        . . . . a
        """,
        ply=11,
        seat=1,
    )
    s = move(game, state, ". .")
    assert s["margin"] == 1
    assert s["cells"].tolist() == [[255, 34, 255], [255, 35, 255]]
    assert (s["seat"], s["damage_ply"]) == (0, 12)


def test_everybody_dead_at_once_is_a_draw():
    game, state = draw(FACE_TO_FACE, margin=2, ply=35, seat=1, hold_turns=9)
    state["cells"][0, :, 0] = [2 * 16 + 2, 255]
    state["cells"][0, 1, 0] = 2 * 16 + 2  # both on the last cell: only a drawing can do that
    s = move(game, state, ".")
    assert (s["seat"], s["winner"]) == (OVER, -1)
    assert game.returns(state)[0].tolist() == [0.0, 0.0]


def test_rim_deaths_of_both_teams_draw():
    s = move(*draw(FACE_TO_FACE.replace("A . . a .", "A . . . a"), ply=11, seat=1), ".")
    assert (s["seat"], s["winner"]) == (OVER, -1)


def test_repetition_is_seen_and_forgotten():
    game, state = draw(HOLDER, hold_turns=9, shrink_every=20)
    assert move(game, state, "N", "E", "S")["repeated"] == 0
    assert move(game, state, "W")["repeated"] == 1
    assert move(game, state, ".")["repeated"] == 0  # same cells, but the other seat moves
    assert move(game, state, ".")["repeated"] == 1
    assert move(game, state, "xN", ".")["repeated"] == 0
    assert move(game, state, "N", ".", "S", ".")["repeated"] == 1


@pytest.mark.parametrize(
    "spec",
    ["battlefield", "battlefield/duel", "battlefield/squad", "battlefield/large",
     "battlefield/default?height=5&width=8&obstacles=200", "battlefield/open"],
)  # fmt: skip
def test_set_up(spec):
    game = load_game(spec)
    layout = game.scenario
    for s in game.new_states(derive_seeds(3, "set-up", count=100)):
        free = {
            (row, column)
            for row in range(layout.height)
            for column in range(layout.width)
            if not int(s["walls"][row]) >> column & 1
        }
        obstacles = layout.height * layout.width - len(free)
        assert obstacles == layout.obstacles or layout.obstacles == 200
        assert obstacles > 0 or layout.obstacles == 0
        for seat, row in ((0, 0), (1, layout.height - 1)):
            cells = {divmod(int(c), 16) for c in s["cells"][seat, : layout.team_size]}
            assert len(cells) == layout.team_size
            assert all(r == row for r, _ in cells) and cells <= free
        assert reached_from((layout.height // 2, layout.width // 2), free) == free


def reached_from(start: tuple[int, int], free: set[tuple[int, int]]) -> set[tuple[int, int]]:
    reached, todo = set(), [start]
    while todo:
        row, column = todo.pop()
        if (row, column) in free and (row, column) not in reached:
            reached.add((row, column))
            todo += [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    return reached


def test_start_columns_are_uniform():
    game = load_game("battlefield")
    states = game.new_states(derive_seeds(1, "columns", count=7000))
    for seat in range(2):
        for agent in range(2):
            counts = np.bincount(states["cells"][:, seat, agent] & 15, minlength=7)
            assert counts.min() > 850 and counts.max() < 1150


def test_state_is_small():
    assert load_game("battlefield").rules.dtype.itemsize <= 240


def test_bad_settings_are_named():
    with pytest.raises(BadScenario, match="height"):
        load_game("battlefield/default?height=4")
    with pytest.raises(BadScenario, match="shrink_every"):
        load_game("battlefield/default?shrink_every=21")
    with pytest.raises(BadScenario, match="finite"):
        load_game("battlefield/default?weight_goal=inf")


def test_notation_round_trip_and_errors():
    game = load_game("battlefield/squad")
    state = game.new_state(1)
    notation = game.rules.notation
    for action in range(729):
        assert notation.parse_action(state, notation.format_action(state, action)) == action
    assert notation.parse_action(state, " N  xE . ") == 1 * 81 + 6 * 9
    for text in ("N E", "N E S W", "N Q .", "n . .", ""):
        with pytest.raises(BadRecord, match=r"write 3 of"):
            notation.parse_action(state, text)
