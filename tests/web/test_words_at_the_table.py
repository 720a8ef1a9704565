"""What is said at a table: sentences that name things as people do, and panels without riddles."""

import re

import pytest

from stratagem.core.registry import load_game
from stratagem.core.seats import OVER
from stratagem.core.sentences import Reader, as_choice, as_event


def walk(spec, steps=4000):
    """(state, action, state after) of a game in which everybody takes the last legal action."""
    game = load_game(spec)
    state = game.new_state(3)
    for _ in range(steps):
        if int(state["seat"]) == OVER:
            return
        if int(state["seat"]) < 0:
            action = game.chance_outcomes(state)[0][0]
        else:
            action = game.legal_actions(state)[-1]
        after = game.after(state, action)
        yield game, state, action, after
        state = after


def choices(spec, steps):
    """Every choice in the first steps of a game, as its list of actions words it."""
    found = set()
    for game, state, _, _ in walk(spec, steps):
        if int(state["seat"]) >= 0:
            reader = Reader.of(game.num_seats)
            for action in game.legal_actions(state):
                found.add(as_choice(game.describe(state, action, None), reader))
    return found


def test_a_stack_of_hexwar_names_units_by_kind_and_place():
    texts = choices("hexwar/crossroads", 120)
    stacked = [text for text in texts if "the lower " in text or "the upper " in text]
    assert stacked
    assert not any("number 1 from the bottom" in text for text in texts)
    assert all(re.search(r" (on|from) [a-l]\d+", text) for text in stacked)


def test_the_end_of_hexwar_says_who_won():
    game, state, action, after = list(walk("hexwar/symmetric"))[-1]
    assert int(after["seat"]) == OVER
    text = as_event(game.describe(state, action, after), int(state["seat"]), Reader.of(2))
    assert re.search(r"; the game ends (in a draw|and Player [12] wins)$", text)


def test_hispania_puts_nations_into_its_sentences():
    texts = choices("hispania/duel8", 60)
    assert any(re.match(r"Move the \w+ out of \w+ \(.+ there\)$", text) for text in texts)
    assert any(text.startswith("End the movement of the ") for text in texts)
    assert not any(text.endswith(("(Turdetani)", "(Celtiberians)", "(Iberians)")) for text in texts)


def test_battles_of_hispania_are_told_in_sentences():
    rolls = [
        as_event(game.describe(state, action, after), -1, Reader.of(2))
        for game, state, action, after in walk("hispania/duel8", 1500)
        if int(state["seat"]) < 0
    ]
    rolled = r"The [\w -]+, (attacking|defending) [\w -]+, roll [1-6] for [a-z ]+"
    assert rolls and all(re.match(rolled, text) for text in rolls)
    assert any("of the battle: " in text for text in rolls)
    assert not any(" lose 0 units" in text for text in rolls)


@pytest.mark.parametrize("spec", ["catan/official", "catan/colonist1v1"])
def test_panels_of_catan_use_whole_words(spec):
    game = load_game(spec)
    state = game.new_state(1)
    panel = game.rules.view(state).panels[-1]
    words = " ".join(shape.text for shape in panel.shapes)
    assert "15 roads, 5 settlements, 4 cities to build" in words
    assert "road length 0" in words and "knights played 0" in words
    assert "2 roads:" not in words
    tips = [shape.tip for shape in panel.shapes if (shape.key or "").startswith("card:")]
    assert all(":" in tip for tip in tips)
    numbers = [
        shape for shape in panel.shapes if (shape.key or "").startswith("hand:") and shape.text
    ]
    assert {shape.tip for shape in numbers} == {
        "0 wood",
        "0 brick",
        "0 sheep",
        "0 wheat",
        "0 ore",
    }  # read aloud


def test_the_island_of_catan_fills_its_picture():
    scene = load_game("catan").rules.view(load_game("catan").new_state(1))
    xs = [x for shape in scene.shapes if shape.role != "sea" for x, _ in shape.points]
    assert (max(xs) - min(xs)) / scene.width > 0.84


def test_a_disc_of_connect_four_is_a_piece_of_its_own():
    game = load_game("connect_four")
    state = game.after(game.new_state(1), 3)
    pieces = {shape.key for shape in game.rules.view(state).shapes if shape.layer == "pieces"}
    assert pieces == {"disc:3,0"}


def test_tiles_of_terra_mystica_are_explained_in_words():
    game = load_game("terra_mystica/halflings-engineers")
    scene = game.rules.view(game.new_state(1))
    tips = {shape.key: shape.tip for panel in scene.panels for shape in panel.shapes if shape.tip}
    assert tips["power:2"] == "1 priest for 3 power"
    round_tip = r"round 1: \d points for each .+; at its end .+ for every \d steps? on "
    assert re.match(round_tip, tips["round:1"])
    kinds = ("power:", "bonus:", "favour:", "town:", "round:", "building:")
    explained = [tip for key, tip in tips.items() if key.startswith(kinds)]
    assert len(explained) > 30
    assert not any(re.search(r"\b\d+ ?(C|W|P|PW|VP)\b", tip) for tip in explained)


def test_a_shot_in_battlefield_is_aimed_and_a_move_is_not():
    game = load_game("battlefield/default")
    state = game.new_state(1)
    aims, touches = game.rules.aims, game.rules.touches
    for action in game.legal_actions(state):
        text = as_choice(game.describe(state, action, None), Reader.of(2))
        assert len(aims(state, action)) == text.count("shoots")
        assert set(aims(state, action)) <= set(touches(state, action))


def test_catan_names_places_as_people_see_them():
    game = load_game("catan/official")
    for seed in range(4):
        state = game.new_state(seed)
        reader = Reader.of(4)
        actions = game.legal_actions(state)
        texts = [as_choice(game.describe(state, action, None), reader) for action in actions]
        assert len(set(texts)) == len(texts) == 54  # no two places read the same
        assert not any(re.search(r"\(.*\)|T\d|place \d", text) for text in texts)
        assert sum("corner of" in text for text in texts) == 18  # on the coast, at one tile


def test_an_empty_hand_of_catan_says_which_cards_are_missing():
    game = load_game("catan/official")
    panel = game.rules.view(game.new_state(1)).panels[1]
    drawn = [shape for shape in panel.shapes if shape.key.startswith("hand:0,wheat")]
    assert len(drawn) > 2  # the card and its number, and what is drawn on it
