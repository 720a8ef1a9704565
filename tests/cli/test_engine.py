"""The analysis engine: lines of JSON in, lines of JSON out, whatever comes in."""

import io
import json

import pytest

from stratagem.cli.engine_protocol import EngineProtocol
from stratagem.core.record import format_record, record_game
from stratagem.core.registry import load_game

AGENT = "mcts:none?sims=16"


@pytest.fixture(scope="module")
def protocol():
    return EngineProtocol(AGENT)


def ask(protocol, **query):
    return list(protocol.answers(json.dumps(query)))


def test_a_position_by_moves_in_numbers_or_text(protocol):
    game = load_game("connect_four")
    text = game.rules.notation.format_action(game.new_state(0), 3)
    (by_number,) = ask(protocol, id="a", game="connect_four", moves=[3, 3])
    (by_text,) = ask(protocol, id="a", game="connect_four", moves=[text, text])
    assert by_number == by_text
    assert (by_number["id"], by_number["turnNumber"]) == ("a", 2)
    assert by_number["rootInfo"]["visits"] == 16
    assert by_number["rootInfo"]["currentPlayer"] == 0
    moves = by_number["moveInfos"]
    assert sorted(move["action"] for move in moves) == list(range(7))
    assert moves[0]["pv"][0] == moves[0]["move"]
    assert sum(move["visits"] for move in moves) == 16


def test_several_turns_and_more_visits(protocol):
    answers = ask(
        protocol, id="b", game="connect_four", moves=[3, 2, 1], analyzeTurns=[0, 2], maxVisits=40
    )
    assert [answer["turnNumber"] for answer in answers] == [0, 2]
    assert [answer["rootInfo"]["visits"] for answer in answers] == [40, 40]


def test_a_record(protocol):
    game = load_game("connect_four")
    text = format_record(record_game(game, 0, [0, 1, 2], ("a", "b")))
    (answer,) = ask(protocol, id="c", record=text)
    assert answer["turnNumber"] == 3
    assert answer["perspective"].startswith("player 2")


def test_of_a_finished_game_the_last_decision_is_analysed(protocol):
    game = load_game("connect_four")
    moves = [0, 1, 0, 1, 0, 1, 0]
    text = format_record(record_game(game, 0, moves, ("a", "b")))
    (answer,) = ask(protocol, id="c", record=text)
    assert answer["turnNumber"] == len(moves) - 1
    (answer,) = ask(protocol, id="c", game="connect_four", moves=moves)
    assert answer["error"].startswith("the game is over at turn 7: use an earlier turn")
    (answer,) = ask(protocol, id="c", game="connect_four", moves=[*moves, 3])
    assert answer["error"] == "moves: 3 is not possible at turn 7: the game is over"


def test_mistakes_name_what_is_possible(protocol):
    (answer,) = ask(protocol, id="m", game="connect_four", moves=["9"])
    assert answer["error"].endswith(
        "write one of '1', '2', '3', '4', '5', '6', '7', or its number (such as 0)"
    )
    (answer,) = ask(protocol, id="m", game="dice")
    assert answer["error"].startswith("chance decides at turn 0: add its outcome to moves: write")


def test_a_person_is_told_what_to_type(cli, monkeypatch):
    typed = io.StringIO('{"id": "v", "action": "query_version"}\n')
    typed.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr("sys.stdin", typed)
    answer = cli("engine")
    assert answer.err.startswith("waiting for queries") and "Ctrl-D" in answer.err
    assert json.loads(answer.out)["id"] == "v"


def test_values_of_every_seat_and_dice_among_the_moves(protocol):
    game = load_game("dice")
    state, moves = game.new_state(0), []
    while int(state["seat"]) < 0:
        moves.append(game.chance_outcomes(state)[0][0])
        state = game.after(state, moves[-1])
    assert moves
    (answer,) = ask(protocol, id="d", game="dice", moves=moves)
    assert answer["turnNumber"] == len(moves)
    assert len(answer["rootInfo"]["values"]) == game.num_seats


def test_version(protocol):
    (answer,) = ask(protocol, id="v", action="query_version")
    assert answer["id"] == "v"
    assert answer["version"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("what?", "not valid JSON"),
        ("[1]", "not a JSON object"),
        ("[" * 100_000, "not valid JSON"),
        ('{"game": "connect_four"}', "id"),
        ('{"id": "x"}', "either game"),
        ('{"id": "x", "game": "connect_four", "record": "y"}', "either game"),
        ('{"id": "x", "game": "chess"}', "unknown game"),
        ('{"id": "x", "game": "connect_four", "moves": [9]}', "9 is not possible at turn 0"),
        ('{"id": "x", "game": "connect_four", "moves": ["?"]}', "'?' is not possible"),
        ('{"id": "x", "game": "connect_four", "analyzeTurns": [1]}', "not between 0 and 0"),
        ('{"id": "x", "game": "connect_four", "agent": "random"}', "does not search"),
        ('{"id": "x", "game": "connect_four", "maxVisits": 0}', "maxVisits"),
        ('{"id": "x", "game": "connect_four", "colour": 1}', "colour"),
        ('{"id": "x", "game": "connect_four", "moves": "3 3"}', "'moves': must be a list"),
        ('{"id": "x", "game": "connect_four", "moves": [true]}', "key 'moves.0': must be"),
        ('{"id": "x", "action": "terminate"}', "unknown action 'terminate': known: query_version"),
        ('{"id": "x", "record": "nonsense"}', "not valid JSON"),
    ],
)
def test_mistakes_are_answered(protocol, line, says):
    (answer,) = protocol.answers(line)
    assert says in answer["error"]
    assert answer.get("id", "x") == "x"
