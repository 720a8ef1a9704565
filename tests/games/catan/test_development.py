"""Development cards, awards and winning: a test per rule."""

import numpy as np
import pytest

from games.catan.island import EDGES
from games.catan.positions import build, give, hand, in_play, legal, play, roll
from stratagem.core.seats import CHANCE, OVER
from stratagem.games.catan import state as catan
from stratagem.games.catan.rules.roads import longest_trail

# A trail along the northern coast and down the east: eleven roads in a line.
COAST = "3-7 0-3 0-4 1-4 1-5 2-5 2-6 6-10 10-15 15-20 20-26"


def roads(number, offset=0):
    return " ".join(COAST.split()[offset : offset + number])


def pass_turn(game, state):
    """End this turn and let the next player roll something harmless."""
    play(game, state, "end turn")
    if state["seat"][0] == CHANCE:
        roll(game, state, 2)


# Cards


def test_cards_are_drawn_from_the_deck_as_it_is():
    game, state = in_play()
    give(state, 0, sheep=2, wheat=2, ore=2)
    give(state, 1, knight=9, monopoly=2)
    play(game, state, "buy card")
    assert dict(game.chance_outcomes(state[0])) == pytest.approx(
        {0: 5 / 14, 1: 5 / 14, 2: 2 / 14, 3: 2 / 14}
    )
    play(game, state, "drew plenty", "buy card")
    assert dict(game.chance_outcomes(state[0]))[3] == pytest.approx(1 / 13)


def test_an_empty_deck_sells_nothing():
    game, state = in_play()
    give(state, 0, sheep=1, wheat=1, ore=1)
    assert legal(game, state, "buy")
    state["deck"] = 0
    assert not legal(game, state, "buy")


def test_no_card_in_the_turn_it_was_bought():
    game, state = in_play()
    give(state, 0, sheep=1, wheat=1, ore=1)
    play(game, state, "buy card", "drew monopoly")
    assert not legal(game, state, "monopoly")
    give(state, 0, monopoly=1)  # an older one may be played
    assert legal(game, state, "monopoly")
    state["cards"][0, 0, catan.MONOPOLY] = 1
    pass_turn(game, state)
    pass_turn(game, state)
    assert state["turn_seat"][0] == 0 and legal(game, state, "monopoly")


def test_one_card_a_turn():
    game, state = in_play()
    give(state, 0, monopoly=1, knight=2)
    play(game, state, "monopoly ore")
    assert not legal(game, state, "knight")
    pass_turn(game, state)
    pass_turn(game, state)
    assert legal(game, state, "knight")


@pytest.mark.parametrize(
    ("spec", "kinds"),
    [
        ("catan/official?players=2", {"knight", "free", "plenty", "monopoly"}),
        ("catan", {"knight", "plenty", "monopoly"}),
        ("catan/thesis", {"knight"}),
    ],
)
def test_cards_before_the_roll(spec, kinds):
    game, state = in_play(spec)
    build(state, 1, settle=[12])
    give(state, 1, knight=1, roads=1, plenty=1, monopoly=1, point=1)
    play(game, state, "end turn")
    assert {text.split()[0] for text in legal(game, state)} == {"roll"} | kinds


def test_a_card_before_the_roll_is_the_card_of_the_turn():
    game, state = in_play("catan/official?players=2")
    give(state, 1, knight=2)
    play(game, state, "end turn", "knight T3")
    assert state["seat"][0] == CHANCE and state["phase"][0] == catan.ROLL
    play(game, state, "rolled 2")
    assert not legal(game, state, "knight")


def test_knight_moves_robs_and_triggers_no_discard():
    game, state = in_play()
    build(state, 1, settle=[18])
    give(state, 1, wood=19)
    give(state, 0, knight=1, ore=19)
    state["robber"] = 9
    assert "knight T9" not in legal(game, state)
    play(game, state, "knight T4", "stole wood")
    assert state["robber"][0] == 4 and hand(state, 0) == {"ore": 19, "wood": 1}
    assert not state["owed"].any() and state["phase"][0] == catan.BUILD
    assert state["played"][0, 0, catan.KNIGHT] == 1


def test_monopoly_takes_all_of_one_kind_from_everybody():
    game, state = in_play("catan/official")
    for seat in range(4):
        give(state, seat, ore=seat + 1, wood=1)
    give(state, 0, monopoly=1)
    play(game, state, "monopoly ore")
    assert hand(state, 0) == {"ore": 10, "wood": 1}
    assert all(hand(state, seat) == {"wood": 1} for seat in (1, 2, 3))


def test_year_of_plenty_takes_two_of_what_there_is():
    game, state = in_play()
    give(state, 0, plenty=2)
    play(game, state, "plenty ore", "plenty ore")
    assert hand(state, 0) == {"ore": 2} and state["phase"][0] == catan.BUILD
    state["card_played"] = 0
    state["bank"] = 0
    assert not legal(game, state, "plenty")
    state["bank"][0, catan.WOOD] = 1
    assert legal(game, state, "plenty") == {"plenty wood"}
    play(game, state, "plenty wood")
    assert hand(state, 0) == {"ore": 2, "wood": 1} and state["phase"][0] == catan.BUILD


def test_road_building_lays_up_to_two_free_roads():
    game, state = in_play()
    build(state, 0, settle=[12])
    give(state, 0, roads=2)
    play(game, state, "free road 12-17", "free road 7-12")
    assert state["phase"][0] == catan.BUILD and hand(state, 0) == {}
    assert state["pieces"][0, 0, catan.ROAD] == 13
    state["card_played"] = 0
    play(game, state, "free road 8-12")
    assert "free road 12-17" not in legal(game, state)
    play(game, state, "no more roads")
    assert state["phase"][0] == catan.BUILD
    assert state["cards"][0, 0, catan.ROADS] == 0


def test_road_building_with_one_piece_left():
    game, state = in_play()
    build(state, 0, settle=[12])
    give(state, 0, roads=1)
    state["pieces"][0, 0, catan.ROAD] = 1
    play(game, state, "free road 12-17")
    assert state["phase"][0] == catan.BUILD


# Longest road


def test_longest_road_needs_five():
    game, state = in_play()
    build(state, 0, settle=[7], road=roads(4))
    assert state["road_holder"][0] == -1
    build(state, 0, road=roads(1, 4))
    assert state["road_holder"][0] == 0 and game.scores(state)[0, 0] == 3


def test_equal_length_does_not_take_over_longer_does():
    _, state = in_play()
    build(state, 0, road=roads(5))
    build(state, 1, settle=[51], road="47-51 48-51 48-52 49-52 49-53")
    assert state["road_length"][0, :2].tolist() == [5, 5] and state["road_holder"][0] == 0
    build(state, 1, road="43-47")
    assert state["road_length"][0, 1] == 6 and state["road_holder"][0] == 1


def test_a_cut_road_and_the_road_up_to_the_building():
    _, state = in_play()
    build(state, 0, road=roads(7))
    build(state, 1, settle=[1])  # after four of seven roads
    assert state["road_length"][0, 0] == 4
    assert state["road_holder"][0] == -1  # nobody has five: set aside
    build(state, 0, road="7-11")
    assert state["road_length"][0, 0] == 5 and state["road_holder"][0] == 0


def test_own_buildings_do_not_cut():
    _, state = in_play()
    build(state, 0, settle=[1, 3], road=roads(7))
    assert state["road_length"][0, 0] == 7


def test_holder_keeps_the_card_after_a_cut_while_still_longest():
    _, state = in_play()
    build(state, 0, road=roads(9))
    build(state, 1, settle=[4])
    assert state["road_length"][0, 0] == 6 and state["road_holder"][0] == 0


def test_after_a_cut_a_sole_longest_other_takes_it():
    _, state = in_play()
    build(state, 0, road=roads(7))
    build(state, 1, road="47-51 48-51 48-52 49-52 49-53")
    build(state, 1, settle=[1])
    assert state["road_holder"][0] == 1


def test_after_a_cut_equals_set_the_card_aside_until_one_is_longer():
    _, state = in_play("catan/official?players=3")
    build(state, 0, road=roads(8))
    build(state, 1, road="47-51 48-51 48-52 49-52 49-53")
    build(state, 2, road="16-21 21-27 27-33 33-38 38-43")
    assert state["road_length"][0, :3].tolist() == [8, 5, 5] and state["road_holder"][0] == 0
    build(state, 1, settle=[1])
    assert state["road_length"][0, :3].tolist() == [4, 5, 5]
    assert state["road_holder"][0] == -1
    build(state, 2, road="11-16")
    assert state["road_holder"][0] == 2


def test_holder_tied_after_a_cut_keeps_it():
    _, state = in_play("catan/official?players=3")
    build(state, 0, road=roads(8))
    build(state, 1, road="47-51 48-51 48-52 49-52 49-53")
    build(state, 2, settle=[0])
    assert state["road_length"][0, :2].tolist() == [6, 5]
    build(state, 2, settle=[6])
    assert state["road_length"][0, :2].tolist() == [5, 5] and state["road_holder"][0] == 0


def test_a_loop_counts_every_road_once():
    _, state = in_play()
    build(state, 0, road="0-3 0-4 4-8 8-12 7-12 3-7")
    assert state["road_length"][0, 0] == 6
    build(state, 0, road="12-17")  # a tail on the ring
    assert state["road_length"][0, 0] == 7
    build(state, 0, road="1-4")  # a second tail elsewhere: one of the ways round is lost
    assert state["road_length"][0, 0] == 7


# Largest army


def test_largest_army_needs_three_and_strictly_more():
    game, state = in_play()
    give(state, 0, knight=3)
    give(state, 1, knight=4)
    holders = []
    for _ in range(4):
        for seat in range(2):
            while state["turn_seat"][0] != seat or state["phase"][0] != catan.BUILD:
                settle_down(game, state)
            if state["cards"][0, seat, catan.KNIGHT]:
                play(game, state, sorted(legal(game, state, "knight"))[0])
            holders.append(int(state["army_holder"][0]))
            pass_turn_quietly(game, state)
    assert holders == [-1, -1, -1, -1, 0, 0, 0, 1]


def settle_down(game, state):
    if state["phase"][0] == catan.BEFORE_ROLL:
        play(game, state, "roll")
    if state["seat"][0] == CHANCE:
        play(game, state, "rolled 2")


def pass_turn_quietly(game, state):
    play(game, state, "end turn")
    settle_down(game, state)


# The end


def test_winning_ends_the_game_at_once():
    game, state = in_play("catan/official?players=3&target=3")
    build(state, 0, settle=[12], road="12-17")
    give(state, 0, wheat=2, ore=3, sheep=1)
    play(game, state, "city 12")
    assert state["seat"][0] == 0
    give(state, 0, wheat=1, ore=1)
    play(game, state, "buy card", "drew point")  # a bought point counts at once
    assert state["seat"][0] == OVER and state["winner"][0] == 0
    assert game.returns(state)[0].tolist() == [1.0, -1.0, -1.0]


def test_nobody_wins_in_another_players_turn():
    game, state = in_play("catan/official?players=3&target=4", seat=1)
    build(state, 0, settle=[18, 45], road="47-51 48-51 48-52 49-52 49-53")
    build(state, 2, road="12-17 17-23 23-29 29-34 34-39 39-44")
    build(state, 1, road="29-35")
    assert state["road_holder"][0] == 2
    give(state, 1, wood=1, brick=1, sheep=1, wheat=1)
    play(game, state, "settle 29")  # cuts seat 2 and so lifts seat 0 to four points
    assert state["road_holder"][0] == 0 and game.scores(state)[0, 0] == 4
    assert state["seat"][0] == 1
    pass_turn(game, state)
    assert state["seat"][0] == 2
    play(game, state, "end turn")
    assert state["seat"][0] == OVER and state["winner"][0] == 0  # before any roll
    assert game.returns(state)[0].tolist() == [1.0, -1.0, -1.0]


def test_points_of_everything():
    game, state = in_play()
    build(state, 0, settle=[12, 45], city=[30], road=roads(5))
    give(state, 0, point=2)
    state["army_holder"] = 0
    assert game.scores(state)[0].tolist() == [2 + 2 + 2 + 2 + 2, 0]


def test_pieces_alone_reach_thirteen():
    pieces = catan.PIECES
    assert pieces[catan.SETTLEMENT] + 2 * pieces[catan.CITY] == 13


def brute_force(roads_of, foreign):
    """Longest trail by trying everything."""

    def longest(place, used):
        best = len(used)
        if used and place in foreign:
            return best
        for road in roads_of:
            if road not in used and place in road:
                (end,) = set(road) - {place}
                best = max(best, longest(end, used | {road}))
        return best

    return max((longest(p, frozenset()) for road in roads_of for p in road), default=0)


def test_longest_trail_equals_brute_force_on_random_networks():
    generator = np.random.default_rng(3)
    _, fresh = in_play()
    lengths = []
    for _ in range(120):
        state = fresh.copy()
        network = [EDGES[int(generator.integers(72))]]
        while len(network) < generator.integers(5, 14):
            near = [e for e in EDGES if e not in network and any(e & road for road in network)]
            network.append(near[int(generator.integers(len(near)))])
        for road in network:
            state["road"][0, EDGES.index(road)] = 1
        foreign = set(generator.choice(54, 4, replace=False).tolist())
        for place in foreign:
            state["place"][0, place] = generator.choice([2, 6])
        for place in generator.choice(54, 4, replace=False):
            if place not in foreign:
                state["place"][0, place] = 1
        lengths.append(longest_trail(state[0], 0))
        assert lengths[-1] == brute_force(network, foreign)
    assert max(lengths) >= 9
