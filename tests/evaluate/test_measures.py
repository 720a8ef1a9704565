"""Measures of games become means per agent, whatever the game."""

import json
import math
from collections.abc import Sequence
from dataclasses import replace

import pytest

from stratagem.agents import make_agent
from stratagem.core.errors import BadSetting
from stratagem.core.game import Game, States
from stratagem.core.registry import load_game
from stratagem.evaluate.matches import play_match
from stratagem.evaluate.measures import ALL_GAMES, measure_games
from stratagem.evaluate.reports import measures_table

DICE = load_game("dice")


def kept(states: States, actions: Sequence[int]) -> dict[str, float]:
    last = states[-1]
    return {
        "seat0/kept": float(last["kept"][0]),
        "seat1/kept": float(last["kept"][1]),
        "seat1/never": math.nan,
        "length": float(len(actions)),
    }


MEASURED = Game(replace(DICE.rules, measures=kept), DICE.scenario, DICE.spec)
AGENTS = [make_agent("keeper", DICE), make_agent("random", DICE)]


def test_means_follow_the_agent_through_its_seats() -> None:
    result = play_match(DICE, AGENTS, 40, seed=1, keep=True)
    measured = measure_games(MEASURED, result.records)
    assert measured.games == 40
    assert measured.agents == ["keeper", "random"]
    for agent, counts in zip(("keeper", "random"), result.agents, strict=True):
        value = measured.by_agent[agent]["kept"]
        assert value.mean == pytest.approx(counts.tally.mean_score)
        assert value.count == 40
        assert value.low is not None and value.low < value.mean
    lengths = [outcome.plies for outcome in result.outcomes]
    assert measured.by_agent[ALL_GAMES]["length"].mean == pytest.approx(sum(lengths) / 40)


def test_undefined_measures_are_left_out() -> None:
    result = play_match(DICE, AGENTS, 4, seed=1, keep=True)
    measured = measure_games(MEASURED, result.records)
    assert "never" not in measured.names
    assert json.loads(json.dumps(measured.as_json()))["agents"]["keeper"]["kept"]["count"] == 4


def test_table() -> None:
    result = play_match(DICE, AGENTS, 4, seed=1, keep=True)
    lines = measures_table(measure_games(MEASURED, result.records)).splitlines()
    assert [cell.strip() for cell in lines[0].strip("|").split("|")] == [
        "measure",
        "`keeper`",
        "`random`",
        "whole game",
    ]
    assert len(lines) == 4
    assert "±" in lines[2]


def test_a_game_without_measures() -> None:
    with pytest.raises(BadSetting, match="declares no measures"):
        measure_games(DICE, [])


def test_battlefield_is_measured_per_seat() -> None:
    game = load_game("battlefield")
    agents = [make_agent("goal-rush", game), make_agent("random", game)]
    measured = measure_games(game, play_match(game, agents, 10, seed=1, keep=True).records)
    wanted = {"cohesion", "centre_control", "threats", "shrink_losses"}
    assert wanted <= set(measured.by_agent["goal-rush"])
    rush = measured.by_agent["goal-rush"]["centre_control"].mean
    assert rush > measured.by_agent["random"]["centre_control"].mean
