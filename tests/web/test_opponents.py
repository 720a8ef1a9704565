"""From a client's words to a player: what ships plays as measured, or searches when asked."""

from stratagem.agents import make_agent
from stratagem.agents.kinds.mcts import MctsAgent
from stratagem.agents.kinds.rollout import RolloutAgent
from stratagem.agents.shipped import shipped
from stratagem.core.registry import list_games, load_game
from stratagem.web.opponents import describe, resolve
from stratagem.web.routes.catalogue import _games
from stratagem.web.runs import Runs
from stratagem.web.schema import Leaderboard

GAME = load_game("hispania/full55")


NO_RUNS = None  # nobody asks about them for a player that ships


def test_a_shipped_player_that_plays_moves_on():
    assert shipped(GAME, kind="best-hybrid").kind == "rollout"
    player = resolve("best-hybrid", GAME, NO_RUNS, 800)
    assert not player.searches and isinstance(make_agent(player.spec, GAME), RolloutAgent)


def test_the_same_network_searches_when_asked():
    """The options of its playouts are not passed on to a search, which would refuse them."""
    for name in ("best", "best-hybrid"):
        player = resolve(name, GAME, NO_RUNS, 800, sims=16)
        assert player.searches and player.sims == 16
        assert isinstance(make_agent(player.spec, GAME), MctsAgent)


def test_nobody_is_seated_among_random_bots_unasked(tmp_path):
    for spec in ("catan/official", "connect_four", "hexwar/crossroads", "dice"):
        found = describe(load_game(spec), Runs(tmp_path), Leaderboard(rows=[]), {})
        assert "random" not in found.default_opponent
        assert found.default_opponent in [one.spec for one in found.opponents]


def test_the_scenario_to_play_first_stands_in_front():
    first = {game.name: game.scenarios[0] for game in _games()}
    assert first["hexwar"].name == "crossroads" and first["hexwar"].recommended
    assert first["catan"].name == "colonist1v1"


def test_every_bot_is_said_to_play_as_it_does(tmp_path):
    games = [load_game(about.name) for about, _ in list_games()]
    for game in games:
        assert set(game.rules.about.bots) <= set(game.rules.bots), game.name
    shipped_games = [game for game in games if game.name not in ("cards", "dice")]
    for game in shipped_games:
        found = describe(game, Runs(tmp_path), Leaderboard(rows=[]), {})
        styles = [one.style for one in found.opponents if one.kind == "bot"]
        assert len(set(styles)) == len(styles) > 0, game.name
