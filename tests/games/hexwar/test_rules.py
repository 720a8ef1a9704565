"""Single rules besides combat: neighbours, movement, phases, reinforcements, victory."""

import numpy as np
import pytest

from games.hexwar.positions import PLAIN, allowed, army, battle, move, new_game
from stratagem.core.errors import BadRecord
from stratagem.core.registry import load_game
from stratagem.core.seats import OVER


@pytest.mark.parametrize(
    ("start", "reached"),
    [
        ("c3", {"N": "c2", "NE": "d2", "SE": "d3", "S": "c4", "SW": "b3", "NW": "b2"}),
        ("b3", {"N": "b2", "NE": "c3", "SE": "c4", "S": "b4", "SW": "a4", "NW": "a3"}),
        ("a1", {"SE": "b1", "S": "a2"}),
        ("b1", {"NE": "c1", "SE": "c2", "S": "b2", "SW": "a2", "NW": "a1"}),
        ("e5", {"N": "e4", "NW": "d4", "SW": "d5"}),
        ("d5", {"N": "d4", "NE": "e5", "NW": "c5"}),
    ],
)
def test_odd_columns_sit_half_a_hex_lower(start, reached):
    game, state = battle({start: "I"}, {})
    steps = {text.split()[2] for text in allowed(game, state) if text.startswith("move")}
    assert steps == set(reached)
    for direction, there in reached.items():
        game, state = battle({start: "I"}, {})
        move(game, state, f"move {start}/1 {direction}")
        assert army(game, state, 0) == {there: "I"}


def test_entering_costs_points_and_the_last_one_ends_the_move():
    rows = ["PPPPP", "PPMPP", "PPSPP", "PPPPP", "PPPPP"]
    game, state = battle({"c4": "I"}, {"e1": "I"}, map=rows)
    assert move(game, state, "move c4/1 S")["points"][0] == 1
    game, state = battle({"c4": "I"}, {"e1": "I"}, map=rows)
    s = move(game, state, "move c4/1 N")
    assert (s["points"][0], s["status"][0]) == (0, 3)
    assert s["seat"] == 1 and s["phase"] == 1  # no enemy near: straight to player 2's move


def test_what_is_too_dear_cannot_be_entered():
    rows = ["PPPPP", "PPPPP", "MMPMM", "MMPMM", "PPPPP"]
    game, state = battle({"c4": "I"}, {"e1": "I"}, map=rows)
    move(game, state, "move c4/1 N")
    assert allowed(game, state) == {"stay c3/1", "move c3/1 N", "move c3/1 S", "move c3/1 NE",
                                    "move c3/1 NW"}  # fmt: skip
    move(game, state, "move c3/1 S")
    assert state["seat"][0] == 1


def test_a_unit_that_can_afford_no_neighbour_is_done():
    game, state = battle({"c4": "L"}, {"e1": "I"}, map=["MMMMM"] * 5)
    s = move(game, state, "move c4/1 S")  # one of three points left, everything costs two
    assert (s["points"][0], s["seat"]) == (1, 1)


def test_a_blocked_unit_must_say_stay():
    enemies = {"b2": "I", "c3": "I", "c4": "I", "b4": "I", "a4": "I", "a3": "I"}
    game, state = battle({"b3": "I"}, enemies)
    assert allowed(game, state) == {"stay b3/1"}


def test_enemies_and_full_stacks_cannot_be_entered():
    game, state = battle({"c3": "I", "c2": "II", "c4": "I"}, {"d3": "I", "b3": "II"})
    mine = {text for text in allowed(game, state) if text.startswith("move c3/1")}
    assert mine == {"move c3/1 NE", "move c3/1 S", "move c3/1 NW"}


def test_units_take_turns_and_those_above_sink():
    game, state = battle({"c3": "IA"}, {"e5": "I"})
    move(game, state, "move c3/1 N")  # the infantry leaves from below
    assert army(game, state, 0) == {"c2": "I", "c3": "A"}
    move(game, state, "move c3/1 N")  # the armour follows and lies on top
    assert army(game, state, 0) == {"c2": "IA"}
    s = move(game, state, "move c2/1 S", "move c2/1 S")
    assert army(game, state, 0) == {"c3": "IA"}
    assert s["status"][:2].tolist() == [3, 1] and s["points"][1] == 2


def test_only_who_ends_beside_an_enemy_may_attack():
    game, state = battle({"c3": "I", "a1": "I"}, {"c5": "I"})
    s = move(game, state, "stay a1/1", "move c3/1 S")
    assert s["phase"] == 1  # a point is left
    s = move(game, state, "stay c4/1")
    assert s["phase"] == 2 and s["status"][:2].tolist() == [2, 3]
    assert allowed(game, state) == {"attack c5", "hold c4/1"}


def test_units_of_both_players_are_ready_again_after_player_2():
    game, state = battle({"a1": "I"}, {"e5": "I"})
    s = move(game, state, "stay a1/1")
    assert (s["status"][0], s["status"][32], s["turn"]) == (3, 1, 1)
    s = move(game, state, "move e5/1 N")
    assert (s["status"][0], s["status"][32], s["points"][32]) == (3, 1, 1)
    s = move(game, state, "stay e4/1")
    assert (s["status"][0], s["status"][32], s["turn"], s["seat"]) == (1, 1, 2, 0)
    assert s["points"][[0, 32]].tolist() == [2, 2]


def test_set_up_goes_through_player_1_then_2_then_turn_1():
    game, state = new_game()
    homes = [{f"place {c}{r}" for c in columns for r in range(1, 6)} for columns in ("ab", "de")]
    assert allowed(game, state) == homes[0] and state["turn"][0] == 0
    assert move(game, state, "place a1")["seat"] == 1
    assert allowed(game, state) == homes[1] and state["turn"][0] == 0
    s = move(game, state, "place e1")
    assert (s["seat"], s["turn"], s["phase"]) == (0, 1, 1)


@pytest.mark.parametrize(
    ("width", "west", "east"),
    [(3, 1, 2), (4, 1, 3), (5, 2, 3), (6, 2, 4), (7, 3, 4), (10, 4, 6), (12, 5, 7), (20, 9, 11)],
)
def test_sides_leave_one_or_two_columns_to_nobody(width, west, east):
    game = load_game(f"hexwar/randomized?width={width}")
    s = game.new_state(1)
    assert s["home"].tolist() == [[0, west], [east, width]]
    columns = {action % width for action in game.legal_actions(s)}
    assert columns == set(range(west))


def test_reinforcements_come_in_order_and_may_act_at_once():
    arrivals = [{"turn": 2, "units": ["armour", "infantry"]}, {"turn": 0, "units": ["infantry"]}]
    game, state = new_game(player1={"victory": 1, "arrivals": arrivals})
    s = move(game, state, "place a1", "place e5", "stay a1/1", "stay e5/1")
    assert (s["turn"], s["phase"], s["arriving"]) == (2, 0, 1)
    assert not any(text.startswith("move") for text in allowed(game, state))  # compulsory
    s = move(game, state, "place a1")
    assert s["arriving"] == 2
    assert "place a1" not in allowed(game, state)  # full
    s = move(game, state, "place b2")
    assert s["phase"] == 1 and s["points"][:3].tolist() == [2, 4, 2]
    assert "move a1/2 S" in allowed(game, state)


def test_a_reinforcement_without_a_free_hex_waits_and_holds_nobody_up():
    arrivals = [
        {"turn": 0, "units": ["infantry"]},
        {"turn": 2, "units": ["armour"], "hexes": [[2, 2]]},
        {"turn": 2, "units": ["infantry"], "hexes": [[4, 4]]},
    ]
    game, state = new_game(player1={"victory": [[1, 0]], "arrivals": arrivals})
    move(game, state, "place a1", "place d2", "stay a1/1", "move d2/1 SW", "stay c3/1")
    # Player 2 stands on c3, the only hex of the armour.
    s = state[0]
    assert (s["turn"], s["phase"], s["arriving"]) == (2, 0, 2)
    assert allowed(game, state) == {"place e5"}
    move(game, state, "place e5", "stay a1/1", "stay e5/1", "move c3/1 N", "stay c2/1")
    s = state[0]
    assert (s["turn"], s["phase"], s["arriving"]) == (3, 0, 1)
    assert allowed(game, state) == {"place c3"}
    move(game, state, "place c3")
    assert army(game, state, 0) == {"a1": "I", "c3": "A", "e5": "I"}


def test_a_blocked_player_without_any_other_choice_is_passed_over():
    arrivals = [{"turn": 1, "units": ["infantry"], "hexes": [[4, 3]]}]
    game, state = new_game(player1={"victory": [[1, 0]], "arrivals": arrivals}, turns=3)
    s = move(game, state, "place d5")  # player 2 takes the hex in set-up
    assert (s["seat"], s["turn"]) == (1, 1)
    move(game, state, "stay d5/1", "stay d5/1")
    assert move(game, state, "stay d5/1")["seat"] == OVER


def test_player_without_units_is_skipped():
    game, state = new_game(player1={"victory": [[1, 0]]}, turns=2)
    s = move(game, state, "place d1")
    assert (s["seat"], s["turn"]) == (1, 1)
    s = move(game, state, "stay d1/1")
    assert (s["seat"], s["turn"]) == (1, 2)
    assert move(game, state, "stay d1/1")["seat"] == OVER


def finish(west, east, **changes):
    """Returns and scores when both armies stand still for the only turn."""
    game, state = battle(west, east, turns=1, **changes)
    for _ in range(50):
        if state["seat"][0] == OVER:
            return game.returns(state)[0].tolist(), game.scores(state)[0].tolist()
        stay = [text for text in allowed(game, state) if text.startswith(("stay", "hold"))]
        move(game, state, stay[0])
    raise AssertionError("the game did not end")


@pytest.mark.parametrize(
    ("west", "east", "result"),
    [
        ({"e4": "I"}, {"e1": "I"}, 1),
        ({"a5": "I"}, {"a2": "I"}, -1),
        ({"e4": "I"}, {"a2": "I"}, 0),  # both hold all
        ({"a5": "I"}, {"e1": "I"}, 0),
        ({"a2": "I"}, {"e4": "I"}, 0),  # one's own hexes give nothing
        ({"e4": "I"}, {}, 1),
        ({"e3": "I"}, {}, 0),  # the other army being gone decides nothing
    ],
)
def test_standing_on_the_others_victory_hexes_wins(west, east, result):
    assert finish(west, east)[0] == [result, -result]


def test_the_larger_share_wins():
    units = [{"turn": 0, "units": ["infantry"]}]
    players = {
        "player1": {"victory": [[0, 0], [1, 0], [2, 0]], "arrivals": units},
        "player2": {"victory": [[3, 4], [4, 4]], "arrivals": units},
    }
    model = {"west": {"e4": "I"}, "east": {"a1": "I"}}
    values, scores = finish(**model, **players)
    assert values == [1.0, -1.0]
    assert scores == pytest.approx([1 / 2, 1 / 3])


def test_leaving_a_victory_hex_gives_it_up():
    game, state = battle({"e4": "I"}, {"a5": "I"}, turns=1)
    move(game, state, "move e4/1 N", "stay e3/1", "stay a5/1")
    assert state["seat"][0] == OVER
    assert game.returns(state)[0].tolist() == [0.0, 0.0]


def test_a_unit_lost_in_the_last_combat_holds_nothing():
    game, state = battle({"e4": "I"}, {"e3": "A"}, turns=1)
    move(game, state, "stay e4/1", "hold e4/1", "stay e3/1", "attack e4", "with e3/1", "fight e4")
    assert state["seat"][0] == OVER
    assert game.returns(state)[0].tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    "text", ["", "place", "place z9", "place a9", "place a1/1", "move a1 N", "move a1/1", "stay a1",
             "move a1/3 N", "move a1/1 X", "fight a1 N", "hold a1/0", "jump a1", "place a1 N"]
)  # fmt: skip
def test_nonsense_is_refused(text):
    game, state = new_game()
    with pytest.raises(BadRecord, match="move "):
        game.rules.notation.parse_action(state[0], text)


def test_every_action_reads_back():
    for stacking in (1, 2, 3, 4):
        game, state = new_game(stacking=stacking, map=PLAIN)
        write = game.rules.notation
        texts = [write.format_action(state[0], action) for action in range(game.actions.size)]
        assert len(set(texts)) == len(texts)
        assert [write.parse_action(state[0], text) for text in texts] == list(range(len(texts)))


def test_positions_are_equal_bytes_however_they_came_about():
    game, state = battle({"a1": "II"}, {"e5": "I"})
    _, other = battle({"a1": "II"}, {"e5": "I"})
    move(game, state, "move a1/1 S", "move a1/1 S")
    move(game, other, "move a1/1 S", "move a1/1 S")
    assert np.array_equal(state, other)
