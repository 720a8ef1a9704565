"""Sentences: one text of a game, worded for whoever reads it; and what each game makes of it."""

import pytest

from stratagem.core.registry import load_game
from stratagem.core.sentences import Reader, as_choice, as_event, counted, joined, third_person
from stratagem.core.session import GameSession, SessionSetup

READER = Reader.of(3, you=1)


def test_a_choice_is_an_invitation():
    assert as_choice("{build} a road and {end} the turn", READER) == "Build a road and end the turn"
    assert (
        as_choice("{steal} from {1}, {0} {lose} it", READER) == "Steal from you, Player 1 loses it"
    )


def test_an_event_has_a_subject():
    text = "{pass} and {take} {2's} card"
    assert as_event(text, 0, READER) == "Player 1 passes and takes Player 3's card"
    assert as_event(text, 1, READER) == "You pass and take Player 3's card"
    assert as_event("{take} {1's} card", 0, READER) == "Player 1 takes your card"


def test_a_verb_after_a_seat_belongs_to_it():
    text = "The dice show 8: {1} {get} 2 wheat, {2} {carry} 1 ore"
    assert as_event(text, -1, READER) == "The dice show 8: you get 2 wheat, Player 3 carries 1 ore"


@pytest.mark.parametrize(
    ("verb", "written"),
    [("build", "builds"), ("pass", "passes"), ("carry", "carries"), ("play", "plays"),
     ("have", "has"), ("fetch", "fetches"), ("do", "does")],
)  # fmt: skip
def test_what_somebody_else_does(verb, written):
    assert third_person(verb) == written


def test_counting_and_listing():
    assert [counted(1, "coin"), counted(2, "coin")] == ["1 coin", "2 coins"]
    assert [joined(["a"]), joined(["a", "b"]), joined(["a", "b", "c"])] == [
        "a", "a and b", "a, b and c",
    ]  # fmt: skip


SHIPPED = ["battlefield", "catan", "connect_four", "hexwar", "hispania", "terra_mystica"]


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_game_speaks(name):
    assert load_game(name).rules.notation.describe is not None


def said(spec, choose, events):
    """The sentences of a game in which every seat decides by `choose(codes)`."""
    game = load_game(spec)
    session = GameSession(game, SessionSetup.new(game, ["human", *["x"] * (game.num_seats - 1)], 1))
    while session.plies < events:
        if session.seat == -1:
            session.roll()
        else:
            actions = game.legal_actions(session.state)
            session.play(actions[choose([session.text(action) for action in actions])])
    return [session.sentence(ply) for ply in range(events)]


def test_agents_of_battlefield_say_what_their_shots_do():
    sentences = said("battlefield", lambda codes: codes.index(". xN"), 1)
    assert sentences[0].startswith("Agent A waits, B shoots north (")


def test_dice_of_catan_say_who_gets_what():
    sentences = said("catan/colonist1v1", lambda codes: 0, 60)
    assert sentences[0].startswith("You build a settlement on ")
    assert sentences[2].startswith("Player 2 builds a settlement on ")
    rolls = [one for one in sentences if " roll " in one or " rolls " in one]
    assert len(rolls) > 5 and all(":" in one for one in rolls)
    assert any("you get 1 " in one for one in rolls)


def test_hispania_names_nations_and_units():
    game = load_game("hispania/duel8")
    state = game.new_state(1)
    texts = [
        as_event(game.describe(state, action, None), int(state["seat"]), Reader.of(2))
        for action in game.legal_actions(state)
    ]
    assert any(" buys cavalry for the Turdetani in " in text for text in texts)
