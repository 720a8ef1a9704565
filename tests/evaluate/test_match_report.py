"""A match becomes a page: results, measures by agent and side, a game drawn."""

from dataclasses import replace

import pytest

from stratagem.agents import make_agent
from stratagem.core.errors import BadSetting
from stratagem.core.game import Game
from stratagem.core.registry import load_game
from stratagem.core.scene import Scene, Shape
from stratagem.evaluate import match_report
from stratagem.evaluate.game_pictures import add_course
from stratagem.evaluate.intervals import mean_interval
from stratagem.evaluate.matches import play_match
from stratagem.evaluate.measures import ALL_GAMES, Measures, by_round, by_side
from stratagem.evaluate.reports import Report

DICE = load_game("dice")


def test_names_with_sides_and_rounds():
    values = {"length": 1, "vp/ROM": 2, "vp/CAR": 3, "regions/ROM/r2": 4, "regions/ROM/r10": 5}
    assert by_side(values) == {"vp": {"ROM": 2, "CAR": 3}}
    assert by_round(values) == {"regions": {"ROM": {2: 4, 10: 5}}}


def test_sides_are_those_of_agents_beside_what_is_usual(tmp_path):
    rules = replace(DICE.rules, expected=lambda scenario: {"vp/A": 4.0, "held/A/r1": 1.0})
    game = Game(rules, DICE.scenario, DICE.spec)
    mine = {"vp/A": mean_interval([1.0, 2.0]), "held/A/r1": mean_interval([1.0])}
    whole = {"vp/A": mean_interval([9.0]), "vp/B": mean_interval([9.0])}
    report = Report("x")
    measured = Measures("dice", 2, {"mine": mine, ALL_GAMES: whole})
    match_report.add_sides(report, game, measured, tmp_path)
    page = report.text()
    assert "1.500" in page and "9.0" not in page and "4.00" in page
    for picture in ("vp_by_side.png", "held_by_round.png"):
        assert picture in page and (tmp_path / picture).read_bytes().startswith(b"\x89PNG")
    again = Report("x")
    match_report.add_sides(again, game, Measures("dice", 1, {ALL_GAMES: whole}), tmp_path)
    assert "all games" in again.text()


def test_a_game_is_told_by_its_chronicle(tmp_path):
    square = Scene(2.0, 1.0, (Shape("disc", ((1.0, 0.5),), "seat0", radius=0.4),))
    seen = []

    def chronicle(states):
        seen.append(len(states))
        return [("first", square), ("second", square), ("third", square)]

    game = Game(replace(DICE.rules, chronicle=chronicle), DICE.scenario, DICE.spec)
    agents = [make_agent("random", DICE), make_agent("random", DICE)]
    record = play_match(DICE, agents, 2, seed=1, keep=True).records[0]
    report = Report("x")
    add_course(report, game, record, tmp_path / "game.png")
    assert seen == [len(record.events) + 1]
    assert (tmp_path / "game.png").is_file() and "random against itself" in report.text()


def test_damage_and_other_folders_are_named(tmp_path):
    with pytest.raises(BadSetting, match="contains no match"):
        match_report.write_match_report(tmp_path)
    for text in ("{", "[]", "{}", "[" * 100_000, '{"game": "dice", "games": 1, "seed": 1}'):
        (tmp_path / "match.json").write_text(text)
        with pytest.raises(BadSetting, match="damaged"):
            match_report.write_match_report(tmp_path)
