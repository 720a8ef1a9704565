"""Nobody sees what a player could not see: cards in hand, the deck, hands at larger tables."""

import numpy as np
import pytest

from games.catan.positions import build, give, in_play, play, roll
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import derive_generator, derive_seeds
from stratagem.games.catan import state as catan

POINT, KNIGHT = catan.POINT, catan.KNIGHT


def hidden(game, state, seat, count=400):
    states = np.repeat(state, count)
    seeds = derive_seeds(9, "hide", count=count)
    return game.hidden_from(states, np.full(count, seat, np.int8), seeds)


def seen(game, state, seat, name):
    observer = game.observer(name)
    out = np.zeros((1, observer.spec.size), np.float32)
    observer.observe_into(state, np.array([0]), np.array([seat], np.int8), out)
    return out


@pytest.mark.parametrize("encoding", ["exact", "thesis", "graph"])
def test_swapping_hidden_cards_changes_no_observation(encoding):
    game, state = in_play("catan")
    build(state, 0, settle=[12], road="12-17")
    build(state, 1, settle=[30], road="30-35")
    give(state, 1, knight=2, point=1, monopoly=1)
    give(state, 0, knight=1, plenty=1)
    other = state.copy()
    other["cards"][0, 1] = [1, 3, 0, 0, 0]
    other["deck"][0] = state["deck"][0] + state["cards"][0, 1] - other["cards"][0, 1]
    assert np.array_equal(seen(game, state, 0, encoding), seen(game, other, 0, encoding))
    assert not np.array_equal(seen(game, state, 1, encoding), seen(game, other, 1, encoding))
    assert game.legal_actions(state[0]) == game.legal_actions(other[0])


def test_bots_decide_the_same_whatever_is_hidden():
    game, state = in_play("catan")
    build(state, 0, settle=[12, 45], road="12-17 45-49")
    build(state, 1, settle=[30], road="30-35")
    give(state, 1, knight=2, point=1, monopoly=1)
    give(state, 0, knight=1, sheep=1, wheat=1, ore=1, wood=3, brick=1)
    other = state.copy()
    other["cards"][0, 1] = [0, 2, 1, 1, 0]
    other["deck"][0] = state["deck"][0] + state["cards"][0, 1] - other["cards"][0, 1]
    seeds = derive_seeds(4, "bots", count=50)
    for name, choose in game.rules.bot_kernels.items():
        chosen = np.empty((2, 50), np.int32)
        choose(np.repeat(state, 50), seeds, game.width, chosen[0])
        choose(np.repeat(other, 50), seeds, game.width, chosen[1])
        assert np.array_equal(*chosen), name


def test_hidden_cards_are_dealt_from_what_is_unseen():
    game, state = in_play("catan")
    give(state, 0, knight=4, monopoly=2)
    give(state, 1, point=2, plenty=1)
    dealt = hidden(game, state, 0)
    assert np.all(dealt["cards"][:, 0] == state["cards"][0, 0])
    assert np.all(dealt["cards"][:, 1].sum(axis=1) == 3)
    assert np.all(dealt["cards"].sum(axis=1) + dealt["deck"] == catan.DECK)
    assert np.all(dealt["cards"][:, 1, catan.MONOPOLY] == 0)  # both are in the own hand
    share = dealt["cards"][:, 1, KNIGHT].mean() / 3
    assert share == pytest.approx(10 / 19, abs=0.06)


def test_nobody_is_dealt_a_hand_that_had_already_won():
    game, state = in_play("catan")
    give(state, 1, knight=3)
    state["pieces"][0, 1] = [10, 0, 0]  # thirteen points to be seen
    dealt = hidden(game, state, 0)
    assert dealt["cards"][:, 1, POINT].max() == 1


def test_fresh_cards_of_another_player_are_dealt_anew():
    game, state = in_play("catan", seat=1)
    give(state, 1, knight=1, sheep=1, wheat=1, ore=1, wood=12)
    play(game, state, "buy card", "drew monopoly")
    give(state, 0, wood=3)
    dealt = hidden(game, state, 0)
    assert np.all(dealt["fresh"].sum(axis=1) == 1)
    assert np.all(dealt["fresh"] <= dealt["cards"][:, 1])
    assert len({tuple(row) for row in dealt["fresh"].tolist()}) > 2
    assert np.all(hidden(game, state, 1)["fresh"] == state["fresh"][0])


def test_two_players_know_every_hand():
    game, state = in_play("catan/official?players=2")
    build(state, 1, settle=[18])
    give(state, 1, ore=3, wood=1)
    state["robber"] = 0
    roll(game, state, 7)
    play(game, state, "robber T9", "stole ore")
    for seat in range(2):
        assert np.all(hidden(game, state, seat, 50)["hand"] == state["hand"][0])


def robbed():
    """Seat 0 has stolen an ore from seat 1; seat 2 watched."""
    game, state = in_play("catan/official?players=3")
    build(state, 1, settle=[18])
    give(state, 1, ore=3, wood=2)
    give(state, 0, sheep=1)
    give(state, 2, wheat=2)
    state["robber"] = 0
    roll(game, state, 7)
    play(game, state, "robber T9", "stole ore")
    return game, state


def test_thief_and_victim_know_the_card_a_bystander_does_not():
    game, state = robbed()
    for seat in (0, 1):
        assert np.all(hidden(game, state, seat, 50)["hand"] == state["hand"][0])
    dealt = hidden(game, state, 2)
    assert np.all(dealt["hand"].sum(axis=2)[:, :3] == [2, 4, 2])
    assert np.all(dealt["hand"].sum(axis=1) + dealt["bank"] == 19)
    assert {int(n) for n in dealt["hand"][:, 0, catan.ORE]} == {0, 1}
    assert np.all(dealt["hand"][:, 1, catan.ORE] >= 2)


def test_a_card_that_must_have_been_is_known_to_all():
    game, state = in_play("catan/official?players=3")
    build(state, 1, settle=[18])
    give(state, 1, ore=2)
    state["robber"] = 0
    roll(game, state, 7)
    play(game, state, "robber T9", "stole ore")
    assert np.all(hidden(game, state, 2, 50)["hand"] == state["hand"][0])


def test_monopoly_clears_up_who_has_what():
    game, state = robbed()
    give(state, 0, monopoly=1)
    play(game, state, "monopoly ore")
    assert np.all(hidden(game, state, 2, 50)["hand"][:, :, catan.ORE] == [3, 0, 0, 0])


def test_what_is_known_is_true_in_random_games():
    game = load_game("catan/official?discard_limit=12")
    choice = derive_generator(2, "known")
    states = game.new_states(derive_seeds(2, "known", count=30))
    for ply in range(600):
        states = states[states["seat"] != OVER]
        drawn = game.draw(states, derive_seeds(ply, "draw", count=len(states)))
        ids, counts = game.legal(states)
        picks = (choice.random(len(states)) * np.maximum(counts, 1)).astype(np.int64)
        moves = ids[np.arange(len(states)), picks]
        game.kernels.step(states, np.where(states["seat"] == CHANCE, drawn, moves))
        assert np.all(states["known"] <= states["hand"][:, None])
        assert np.all(states["bank"] + states["hand"].sum(axis=1) == 19)
