"""`games` lists every folder that is a game."""

import json


def test_json_lists_games_with_their_scenarios(cli):
    answer = cli("games", "--json")
    games = {game["name"]: game for game in json.loads(answer.out)}
    assert set(games) >= {"battlefield", "connect_four", "dice", "cards"}
    assert games["battlefield"]["scenarios"][0] == "default"
    assert games["battlefield"]["seats"] == "2"
    assert isinstance(games["battlefield"]["version"], int)


def test_table_names_every_game(cli):
    answer = cli("games")
    assert answer.code == 0
    for name in ("battlefield", "connect_four", "scenarios"):
        assert name in answer.out


def test_the_list_is_short_and_one_game_is_told_at_length(cli):
    short = cli("games").out
    assert "and 35 more" in next(line for line in short.splitlines() if "hexwar" in line)
    long = cli("games", "hexwar").out
    assert "solo-4 to solo-20" in long and "presets" in long and "breakthrough" in long
    assert cli("games", "hexwat").code == 2


def test_one_game_is_told_with_who_can_be_played_against(cli):
    told = cli("games", "battlefield").out
    assert "bots: scripted, goal-rush\n" in told
    assert "shipped player: best (default, duel" in told
    assert "shipped player" not in cli("games", "dice").out
    found = json.loads(cli("games", "hexwar", "--json").out)
    assert "goal-rush" in found["bots"]
    assert "randomized" in found["best-hybrid"] and "symmetric" not in found["best-hybrid"]
