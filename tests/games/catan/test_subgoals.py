"""What specialists may strive for besides the score."""

from games.catan.island import TILE_PLACES
from games.catan.positions import build, in_play
from stratagem.games.catan import state as catan


def test_income_counts_ways_to_roll_the_tiles_of_a_building():
    game, state = in_play()
    goals = game.rules.subgoals
    assert goals["settlement"](state[0], 0) == 0
    place = min(TILE_PLACES[0])
    tiles = [tile for tile, places in enumerate(TILE_PLACES) if place in places]
    ways = sum(6 - abs(int(state["token"][0, t]) - 7) for t in tiles if state["token"][0, t])
    build(state, 0, settle=[place])
    assert goals["settlement"](state[0], 0) == ways > 0
    state["place"][0, place] = 5
    assert goals["city"](state[0], 0) == 2 * ways
    assert goals["city"](state[0], 1) == 0


def test_army_counts_played_knights():
    game, state = in_play()
    state["played"][0, 1, catan.KNIGHT] = 3
    assert game.rules.subgoals["knight"](state[0], 1) == 3
    assert game.rules.subgoals["knight"](state[0], 0) == 0
