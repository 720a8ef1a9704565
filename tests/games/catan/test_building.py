"""Building, bank trade and the order of turns: a test per rule."""

from games.catan.island import NEIGHBOURS
from games.catan.positions import build, give, hand, in_play, legal, play
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE, OVER
from stratagem.games.catan import state as catan
from stratagem.games.catan.board import HARBOUR_PLACES

# Building


def test_prices_go_to_the_bank():
    game, state = in_play()
    build(state, 0, settle=[12], road="12-17")
    give(state, 0, wood=2, brick=2, sheep=2, wheat=4, ore=4)
    play(game, state, "road 17-23")
    assert hand(state, 0) == {"wood": 1, "brick": 1, "sheep": 2, "wheat": 4, "ore": 4}
    play(game, state, "settle 23")
    assert hand(state, 0) == {"sheep": 1, "wheat": 3, "ore": 4}
    play(game, state, "city 23")
    assert hand(state, 0) == {"sheep": 1, "wheat": 1, "ore": 1}
    play(game, state, "buy card")
    assert hand(state, 0) == {} and state["bank"][0].tolist() == [19] * 5
    assert state["seat"][0] == CHANCE


def test_roads_attach_to_own_pieces_and_stop_at_foreign_buildings():
    game, state = in_play()
    build(state, 0, settle=[12], road="12-17")
    give(state, 0, wood=1, brick=1)
    free = {"road 7-12", "road 8-12", "road 17-22", "road 17-23"}
    assert legal(game, state, "road") == free
    build(state, 1, settle=[17])
    assert legal(game, state, "road") == {"road 7-12", "road 8-12"}


def test_a_road_may_lead_up_to_a_foreign_building():
    game, state = in_play()
    build(state, 0, settle=[12])
    build(state, 1, settle=[22])
    give(state, 0, wood=3, brick=3)
    play(game, state, "road 12-17", "road 17-22")
    assert legal(game, state, "road") == {"road 7-12", "road 8-12", "road 17-23"}


def test_settlements_need_an_own_road_and_distance():
    game, state = in_play()
    build(state, 0, settle=[12], road="12-17 17-23")
    give(state, 0, wood=1, brick=1, sheep=1, wheat=1)
    assert legal(game, state, "settle") == {"settle 23"}
    build(state, 1, settle=[29])
    assert legal(game, state, "settle") == set()


def near(place):
    return NEIGHBOURS[place]


def test_cities_stand_on_own_settlements_and_return_the_piece():
    game, state = in_play()
    build(state, 0, settle=[12], city=[30])
    build(state, 1, settle=[45])
    give(state, 0, wheat=4, ore=6)
    assert legal(game, state, "city") == {"city 12"}
    left = int(state["pieces"][0, 0, catan.SETTLEMENT])
    play(game, state, "city 12")
    assert state["pieces"][0, 0, catan.SETTLEMENT] == left + 1
    assert legal(game, state, "city") == set()


def test_pieces_run_out():
    game, state = in_play()
    build(state, 0, settle=[12], road="12-17 17-23")
    give(state, 0, wood=5, brick=5, sheep=2, wheat=7, ore=6, roads=1)
    for piece, word in ((0, "road"), (1, "settle"), (2, "city")):
        assert legal(game, state, word)
        state["pieces"][0, 0, piece] = 0
        assert not legal(game, state, word)
    assert not legal(game, state, "free road")


# Maritime trade


def test_rates_four_three_two():
    game, state = in_play()
    give(state, 0, wood=4, ore=3)
    wood = {f"trade 4 wood for {r}" for r in ("brick", "sheep", "wheat", "ore")}
    assert legal(game, state, "trade") == wood
    harbour_at(state, 0, kind=5)
    build(state, 0, settle=[harbour_place(0)])
    texts = legal(game, state, "trade")
    assert "trade 3 wood for ore" in texts and "trade 3 ore for wood" in texts
    harbour_at(state, 1, kind=4)
    build(state, 0, settle=[harbour_place(1)])
    assert "trade 2 ore for wood" in legal(game, state, "trade")
    assert "trade 3 wood for ore" in legal(game, state, "trade")
    play(game, state, "trade 2 ore for sheep")
    assert hand(state, 0) == {"wood": 4, "ore": 1, "sheep": 1}
    assert state["bank"][0, catan.ORE] == 18


def harbour_at(state, number, kind):
    state["harbour"][0, number] = kind


def harbour_place(number):
    return int(HARBOUR_PLACES[number, 0])


def test_harbour_order_does_not_matter():
    _, state = in_play()
    harbour_at(state, 0, kind=4)
    harbour_at(state, 1, kind=5)
    build(state, 0, settle=[harbour_place(0), harbour_place(1)])
    assert state["rate"][0, 0].tolist() == [3, 3, 3, 3, 2]
    assert state["rate"][0, 1].tolist() == [4] * 5


def test_bank_must_hold_what_it_sells_and_sells_nothing_for_itself():
    game, state = in_play()
    give(state, 0, wood=4)
    state["bank"][0, catan.ORE] = 0
    assert legal(game, state, "trade") == {
        f"trade 4 wood for {r}" for r in ("brick", "sheep", "wheat")
    }


def test_harbour_works_in_the_turn_it_is_reached():
    game, state = in_play()
    place = harbour_place(0)
    harbour_at(state, 0, kind=0)
    side = min(near(place))
    build(state, 0, road=f"{min(place, side)}-{max(place, side)}")
    give(state, 0, wood=3, brick=1, sheep=1, wheat=1)
    assert not legal(game, state, "trade")
    play(game, state, f"settle {place}")
    assert "trade 2 wood for ore" in legal(game, state, "trade")


# Turns


def test_nothing_but_cards_before_the_roll():
    game, state = in_play(rolled=False)
    assert state["seat"][0] == CHANCE  # nothing to decide: the dice fall
    game, state = in_play()
    give(state, 0, wood=5, brick=5, ore=5)
    give(state, 1, knight=1, wood=5, brick=5)
    play(game, state, "end turn")
    assert state["seat"][0] == 1
    assert legal(game, state) == {"roll"} | legal(game, state, "knight")
    assert play(game, state, "roll")["seat"] == CHANCE


def test_turns_go_round_and_the_limit_ends_the_game():
    game, state = in_play("catan/official?players=3&turn_limit=4")
    order = []
    while state["seat"][0] != OVER:
        order.append(int(state["seat"][0]))
        play(game, state, "end turn")
        if state["seat"][0] == CHANCE:
            play(game, state, "rolled 2")
    assert order == [0, 1, 2, 0]
    assert game.returns(state)[0].tolist() == [0.0, 0.0, 0.0]


def test_trade_between_players_does_not_exist():
    groups = {group.name for group in game_groups()}
    assert "bank-trade" in groups and not any("offer" in name for name in groups)


def game_groups():
    game = load_game("catan")
    return game.rules.groups(game.scenario)
