"""Action tokens of 120 numbers, to and from integer decisions."""

import numpy as np
import pytest

from games.hispania.positions import position
from stratagem.core.conformance.playing import random_trajectory
from stratagem.core.errors import BadRecord
from stratagem.core.registry import load_game
from stratagem.games.hispania.actions import ACTIONS
from stratagem.games.hispania.board.arrays import NAMES
from stratagem.games.hispania.encode.tokens import (
    SIZE,
    decisions_of,
    read_token,
    token_of,
    tokens_of,
)


def fields(token):
    kind, tile, units, target = read_token(token)
    return kind, NAMES[tile] if tile >= 0 else "", units, NAMES[target] if target >= 0 else ""


def number(there, text):
    return there.game.rules.notation.parse_action(there.s, text)


def test_sizes():
    assert SIZE == 4 + 55 + 6 + 55 == 120
    assert ACTIONS == 6 * 55 + 56 + 64 + 55 + 55 + 55 + 3 * 55 == 780


def test_growth_uses_the_unit_field_for_the_slot():
    there = position({"Toletum": "VAC INF1"}, "VAC", "growth", pools={"VAC": 12})
    assert fields(token_of(there.s, number(there, "buy fort in Toletum"))) == (0, "Toletum", 8, "")


def test_a_move_is_one_token_complete_at_its_end():
    there = position({"Toletum": "ROM L ELI1 INF2"}, "ROM")
    assert token_of(there.s, number(there, "from Toletum")) is None
    there.play("from Toletum")
    assert token_of(there.s, number(there, "with leader+ELI+INF")) is None
    there.play("with leader+ELI+INF")
    token = token_of(there.s, number(there, "to Complutum"))
    assert fields(token) == (1, "Toletum", 0b0111, "Complutum")  # leader, ELI, first INF


def test_stop_sets_only_the_type():
    there = position({"Toletum": "ROM INF2"}, "ROM")
    token = token_of(there.s, number(there, "stop"))
    assert token.sum() == 1 and fields(token) == (1, "", 0, "")


def test_battle_order_and_retreat():
    stacks = {"Toletum": "VAC INF2", "Complutum": "CEL INF1", "Segobriga": "CEL INF1"}
    there = position(stacks, "VAC").move("Toletum", "Complutum", "INF").move("Toletum", "Segobriga")
    token = token_of(there.s, number(there, "fight in Complutum"))
    assert fields(token) == (2, "", 0, "Complutum")
    there.play("fight in Complutum").dice(1, 1)
    assert fields(token_of(there.s, number(there, "fight on"))) == (2, "Complutum", 0, "Complutum")
    token = token_of(there.s, number(there, "retreat to Cauca"))
    assert fields(token) == (2, "Cauca", 0, "Complutum")


def test_overpopulation_names_tile_and_place():
    there = position({"Toletum": "VAC CAV1 INF2"}, "VAC", "overpopulation")
    token = token_of(there.s, number(there, "remove INF in Toletum"))
    assert fields(token) == (3, "Toletum", 0b010, "")


@pytest.mark.parametrize("scenario", ["duel8", "iberus20"])
def test_round_trip_over_whole_games(scenario):
    game = load_game(f"hispania/{scenario}")
    for seed in range(3):
        played = random_trajectory(game, seed)
        decisions = [ply for ply in range(len(played.actions)) if played.states[ply]["seat"] >= 0]
        rebuilt = []
        tokens = tokens_of(played.states, list(played.actions))
        first = 0
        for ply, token in tokens:
            start = next(p for p in decisions if p >= first)
            rebuilt += decisions_of(played.states[start], token)
            first = ply + 1
        assert rebuilt == [played.actions[ply] for ply in decisions]


def test_nonsense_is_refused():
    there = position({"Toletum": "VAC INF1"}, "VAC", "growth", pools={"VAC": 12})
    token = np.zeros(SIZE, np.float32)
    with pytest.raises(BadRecord, match="one type"):
        decisions_of(there.s, token)
    token[1] = 1
    with pytest.raises(BadRecord, match="asks for growth"):
        decisions_of(there.s, token)
    with pytest.raises(BadRecord, match="120 numbers"):
        decisions_of(there.s, token[:-1])
