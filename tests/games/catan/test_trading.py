"""Trade between players, rule by rule, and what everybody learns from it."""

from itertools import pairwise

import numpy as np
import pytest

from games.catan.positions import build, give, hand, in_play, legal, play
from stratagem.core.errors import BadRecord
from stratagem.core.limits import wrong_field
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seeds
from stratagem.core.sentences import Reader, as_event
from stratagem.games.catan import notation
from stratagem.games.catan import state as catan

TRADING = "catan/trading?players=3"
WOOD, BRICK, SHEEP, WHEAT, ORE = range(5)


def table(spec=TRADING):
    """Player 1 has wood and wheat, player 2 ore, player 3 sheep."""
    game, state = in_play(spec)
    state["offers_left"] = 2
    give(state, 0, wood=2, wheat=1)
    give(state, 1, ore=2)
    if game.num_seats > 2:
        give(state, 2, sheep=3)
    return game, state


def test_the_panel_shows_the_offer_the_answers_and_where_to_click():
    game, state = table()
    play(game, state, "offer 2 wood for 1 ore", "counter 1 wheat for 2 ore")

    def keys(text):
        return game.rules.touches(state[0], game.rules.notation.parse_action(state[0], text))

    (panel,) = [one for one in game.rules.view(state[0]).panels if one.title.startswith("Trade")]
    assert panel.title == "Trade between players, 1 offer left"
    texts = [shape.text for shape in panel.shapes if shape.text]
    assert texts == ["ask for", "2 wood for 1 ore", "no", "player 2: 1 wheat for 2"]
    shown = {shape.key for shape in panel.shapes}
    assert keys("refuse") == ("refuse",) and keys("accept") == ("offer",)
    assert {*keys("counter 1 sheep for 1 ore"), *keys("refuse"), *keys("accept")} <= shown


def test_what_happens_is_told_in_sentences():
    game, state = table()
    reader = Reader.of(3)

    def told_of(text):
        before = state[0].copy()
        action = game.rules.notation.parse_action(before, text)
        play(game, state, text)
        said = game.rules.notation.describe(before, action, state[0])
        return as_event(said, int(before["seat"]), reader)

    assert told_of("offer 1 wood for 1 ore") == "Player 1 offers 1 wood for 1 ore"
    assert told_of("counter 2 wood for 1 ore") == (
        "Player 2 asks Player 1 for 2 wood instead, for 1 ore"
    )
    assert told_of("refuse") == "Player 3 refuses Player 1's offer of 1 wood for 1 ore"
    assert told_of("deal with 2") == "Player 1 trades 2 wood for 1 ore with Player 2"


def known(state, viewer, owner):
    counts = zip(notation.RESOURCE_NAMES, state[0]["known"][viewer, owner], strict=True)
    return {name: int(number) for name, number in counts if number}


def test_only_a_scenario_with_offers_has_them():
    for spec in ("catan/official", "catan/thesis", "catan/colonist1v1"):
        game, state = in_play(spec)
        give(state, 0, wood=4)
        give(state, 1, ore=2)
        assert not legal(game, state, "offer")
        names = {group.name for group in game.rules.groups(game.scenario)}
        assert names.isdisjoint({"offer", "answer", "counter", "partner"})
    trading, official = load_game("catan/trading"), load_game("catan/official")
    assert trading.actions.size > official.actions.size
    plain = official.rules.groups(official.scenario)
    assert trading.rules.groups(trading.scenario)[: len(plain)] == plain


def test_an_offer_is_what_one_can_pay():
    game, state = table()
    offers = legal(game, state, "offer")
    assert "offer 2 wood for 1 ore" in offers
    assert "offer 1 wheat for 2 brick" in offers
    assert "offer 2 wheat for 1 ore" not in offers  # one wheat only
    assert not any(" wood for 1 wood" in text or "ore for" in text for text in offers)


def test_an_accepted_deal_moves_the_cards():
    game, state = table()
    play(game, state, "offer 2 wood for 1 ore", "accept", "refuse")
    assert legal(game, state) == {"deal with 2", "no deal"}
    play(game, state, "deal with 2")
    assert hand(state, 0) == {"wheat": 1, "ore": 1}
    assert hand(state, 1) == {"ore": 1, "wood": 2}
    assert "end turn" in legal(game, state)


def test_who_lacks_the_cards_can_only_refuse():
    game, state = table()
    play(game, state, "offer 1 wood for 1 ore", "refuse")
    assert legal(game, state) == {"refuse"}  # player 3 has no ore, and is asked nevertheless
    play(game, state, "refuse")
    assert state[0]["seat"] == 0 and hand(state, 0) == {"wood": 2, "wheat": 1}


def test_a_counter_offer_names_another_price_for_the_same_resource():
    game, state = table()
    play(game, state, "offer 1 wood for 1 ore")
    counters = legal(game, state, "counter")
    assert "counter 2 wood for 1 ore" in counters and "counter 1 wheat for 2 ore" in counters
    assert "counter 1 wood for 1 ore" not in counters  # that is the offer itself
    assert all(text.endswith("ore") for text in counters)
    play(game, state, "counter 1 wheat for 1 ore", "refuse", "deal with 2")
    assert hand(state, 0) == {"wood": 2, "ore": 1}
    assert hand(state, 1) == {"ore": 1, "wheat": 1}


def test_a_counter_that_cannot_be_paid_is_no_choice():
    game, state = table()
    play(game, state, "offer 1 wood for 1 ore", "counter 1 brick for 1 ore", "refuse")
    assert legal(game, state) == {"no deal"}


def test_nobody_deals_with_themselves():
    game, state = table("catan/trading")
    play(game, state, "offer 1 wood for 1 ore", "accept", "refuse")
    assert game.rules.notation.parse_action(state[0], "deal with 2") in game.legal_actions(state[0])
    with pytest.raises(BadRecord, match="deal with 1"):
        game.rules.notation.parse_action(state[0], "deal with 1")


def test_offers_are_limited_and_not_repeated():
    game, state = table()
    play(game, state, "offer 1 wood for 1 ore", "refuse", "refuse")
    assert "offer 1 wood for 1 ore" not in legal(game, state)
    play(game, state, "offer 2 wood for 1 ore", "refuse", "refuse")
    assert not legal(game, state, "offer")
    play(game, state, "end turn")
    assert int(state[0]["offers_left"]) == 2


def test_who_has_too_few_cards_is_not_asked():
    game, state = table()
    play(game, state, "offer 1 wood for 2 sheep")
    assert int(state[0]["seat"]) == 1
    game, state = table()
    catan.give_back(state[0], 1, ORE, 1)
    play(game, state, "offer 1 wood for 2 sheep")
    assert int(state[0]["seat"]) == 2


def test_everybody_learns_what_an_offer_and_an_answer_show():
    game, state = table()
    state[0]["known"] = 0
    play(game, state, "offer 2 wood for 1 ore", "counter 1 wheat for 2 ore")
    assert known(state, 1, 0) == known(state, 2, 0) == {"wood": 2}
    assert known(state, 0, 1) == known(state, 2, 1) == {"ore": 2}
    assert known(state, 2, 2) == {}
    play(game, state, "refuse", "deal with 2")
    assert known(state, 2, 0) == {"wood": 2, "ore": 2}
    assert known(state, 2, 1) == {"wheat": 1}


@pytest.mark.parametrize("encoding", ["exact", "graph"])
def test_hands_stay_hidden_while_players_trade(encoding):
    game, state = table()
    state[0]["known"] = 0
    play(game, state, "offer 1 wood for 1 brick", "refuse", "refuse")
    other = state.copy()
    other["hand"][0, 2] = [0, 0, 0, 0, 3]  # instead of sheep
    other["bank"][0] += state["hand"][0, 2]
    other["bank"][0] -= other["hand"][0, 2]
    observer = game.observer(encoding)
    seen = np.zeros((2, observer.spec.size), np.float32)
    for row, position in enumerate((state, other)):
        position["bank"] = state["bank"]  # the bank is open, and not what this is about
        observer.observe_into(position, np.array([0]), np.array([0], np.int8), seen[row : row + 1])
    assert np.array_equal(seen[0], seen[1])
    assert game.legal_actions(state[0]) == game.legal_actions(other[0])


def test_hidden_hands_are_dealt_with_the_cards_that_were_shown():
    game, state = table()
    state[0]["known"] = 0
    play(game, state, "offer 1 wood for 2 ore", "accept", "refuse")
    seeds = derive_seeds(3, "hide", count=200)
    dealt = game.hidden_from(np.repeat(state, 200), np.zeros(200, np.int8), seeds)
    assert (dealt["hand"][:, 1, ORE] >= 2).all()
    assert wrong_field(game, dealt) == ""


def test_the_encoding_shows_the_offer_and_who_agreed():
    game, state = table()
    observer = game.observer("exact")

    def seen():
        out = np.zeros((1, observer.spec.size), np.float32)
        observer.observe_into(state, np.array([0]), np.array([0], np.int8), out)
        return out

    views = [seen()]
    for text in ("offer 2 wood for 1 ore", "counter 1 wheat for 1 ore", "refuse", "no deal"):
        play(game, state, text)
        views.append(seen())
    assert all(not np.array_equal(a, b) for a, b in pairwise(views))


@pytest.mark.parametrize("field", ["answers", "offer"])
def test_a_damaged_trade_is_found(field):
    game, state = table()
    play(game, state, "offer 1 wood for 2 ore", "accept")
    assert wrong_field(game, state) == ""
    damaged = state.copy()
    if field == "offer":
        damaged["offer"] = 0
    else:
        damaged["answers"][0, 2] = 1  # player 3 has no ore
    assert wrong_field(game, damaged) != ""


def scripted(game, state):
    """What `scripted` does, as text; the same whatever the seed."""
    chosen = np.empty(20, np.int32)
    seeds = derive_seeds(1, "bots", count=20)
    game.rules.bot_kernels["scripted"](np.repeat(state, 20), seeds, game.width, chosen)
    (action,) = set(chosen.tolist())
    return game.rules.notation.format_action(state[0], action)


def test_the_scripted_player_trades_for_what_both_need():
    game, state = in_play("catan/trading?players=2")
    state["offers_left"] = 1
    build(state, 0, settle=[12], road="12-17 17-22")
    build(state, 1, settle=[30], road="30-35 35-40")
    give(state, 0, wood=2, sheep=1, wheat=1)  # lacks a brick for a settlement
    give(state, 1, brick=2, sheep=1, wheat=1)  # lacks wood
    offered = scripted(game, state)
    assert offered == "offer 1 wood for 1 brick"
    play(game, state, offered)
    assert scripted(game, state) == "accept"
    play(game, state, "accept")
    assert scripted(game, state) == "deal with 2"


def test_the_scripted_player_refuses_what_only_helps_the_other():
    game, state = in_play("catan/trading?players=2")
    state["offers_left"] = 1
    build(state, 0, settle=[12], road="12-17 17-22")
    build(state, 1, settle=[30], road="30-35 35-40")
    give(state, 0, wood=1, sheep=1, wheat=1, ore=1)
    give(state, 1, wood=1, brick=1, sheep=1, wheat=1)  # needs all of it
    play(game, state, "offer 1 ore for 1 brick")
    assert scripted(game, state) == "refuse"
