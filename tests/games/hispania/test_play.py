"""Whole games: the conformance kit, invariants, scripted players, measures, calibration."""

from pathlib import Path

import numpy as np
import pytest

from playthrough import playthrough
from stratagem.core.conformance import check_game
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import derive_seeds
from stratagem.games.hispania.board.arrays import ACCESS, CODES, ON_MAP, QUANTITY
from stratagem.games.hispania.measures.alignment import (
    measures,
    ownership,
    territorial_alignment,
    trajectory_similarity,
)

GOLDEN = Path(__file__).parents[2] / "golden" / "hispania.txt"
SCENARIOS = ("duel8", "iberus20", "punic55", "reconquista55", "full55")


def play(game, players, games, seed=1):
    """Play games side by side; a list of (positions [n + 1], actions [n]) for each."""
    states = game.new_states(derive_seeds(seed, "games", count=games))
    moments, steps = [states.copy()], []
    while (states["seat"] != OVER).any():
        words = derive_seeds(seed, "events", len(steps), count=games)
        chosen = game.draw(states, words)  # -1 where no dice fall
        who = np.array([*players, ""], object)[np.where(states["seat"] < 0, -1, states["seat"])]
        for name in set(players):
            mine = np.flatnonzero(who == name)
            if not len(mine):
                continue
            part, picked = states[mine], np.empty(len(mine), np.int32)
            if name == "random":
                ids, counts = game.legal(part)
                place = (words[mine] >> np.uint64(33)).astype(np.int64) % counts
                picked = ids[np.arange(len(mine)), place]
            else:
                game.rules.bot_kernels[name](part, words[mine], game.width, picked)
            chosen[mine] = picked
        going = np.flatnonzero(states["seat"] != OVER)
        moved = states[going]
        game.kernels.step(moved, chosen[going].astype(np.int32))
        states[going] = moved
        moments.append(states.copy())
        steps.append(np.where(np.isin(np.arange(games), going), chosen, -1))
    played, actions = np.stack(moments), np.stack(steps)  # [n + 1, games], [n, games]
    lengths = (actions >= 0).sum(axis=0)
    return [(played[: n + 1, k], actions[:n, k].tolist()) for k, n in enumerate(lengths)]


def check_invariants(states):
    """What must hold in every position [n] of a game."""
    units, owner = states["units"].astype(int), states["owner"].astype(int)  # [n, 55, 3], [n, 55]
    stacks = units.sum(axis=2) + (states["leader"] > 0)
    active = (states["active"].astype(np.int64)[:, None] >> np.arange(55)) & 1
    assert stacks.max() <= 6
    assert ((stacks > 0) == (owner >= 0)).all()
    assert not (stacks * (1 - active)).any()
    assert (stacks.sum(axis=1) + states["attacking"] <= 128).all()
    assert (states["moved"][:, :, :3] <= units).all()
    held = owner >= 0
    row, region = np.nonzero(held)
    assert (states["player"][row, owner[held]] >= 0).all()
    assert (np.where(ON_MAP[region], 1, ACCESS[owner[held]] >> region & 1) == 1).all()
    check_quantities(states, units, owner)
    check_battles(states, owner)
    assert (states["pool"] >= 0).all() and (states["pool"] < 200).all()
    row, vassal = np.nonzero(states["overlord"] >= 0)
    lord = states["overlord"][row, vassal]
    assert (states["player"][row, vassal] != states["player"][row, lord]).all()
    rolling = states[states["seat"] == CHANCE]
    assert (rolling["site"] >= 0).all() and (rolling["force"][:, :3].sum(axis=1) > 0).all()


def check_quantities(states, units, owner):
    """No nation has more units than its box, those on the way to an attack included."""
    rows, nations = len(states), len(CODES)
    at, region = np.nonzero(owner >= 0)
    keys = [at * nations + owner[at, region]]
    waiting = np.arange(states["attackers"].shape[1]) < states["attacking"][:, None]
    row, place = np.nonzero(waiting)
    keys.append(row * nations + states["nation"][row].astype(int))
    for slot in range(3):
        weights = (units[at, region, slot], states["attackers"][row, place, 2] == slot)
        used = sum(
            np.bincount(key, weight, rows * nations)
            for key, weight in zip(keys, weights, strict=True)
        )
        assert (used.reshape(rows, nations) <= QUANTITY[:, slot]).all()


def check_battles(states, owner):
    """A battle is pending exactly where attackers go, and its defender is of another player."""
    count = np.arange(states["attackers"].shape[1]) < states["attacking"][:, None]
    row, place = np.nonzero(count)
    site = states["attackers"][row, place, 0].astype(int)
    sites = np.zeros((len(states), 55), bool)
    sites[row, site] = True
    assert (sites == (states["pending"] > 0)).all()
    defender = owner[row, site]
    assert (defender >= 0).all()
    attacker = states["nation"][row]
    assert (states["player"][row, defender] != states["player"][row, attacker]).all()


def check_turns(states):
    """Nobody ends a turn overpopulated; `states` are all positions of a game."""
    same_round = states["round"][:-1] == states["round"][1:]
    ends = np.flatnonzero((states["nation"][:-1] != states["nation"][1:]) & same_round)
    after, nation = states[ends + 1], states["nation"][ends]
    mine = (after["owner"] == nation[:, None]) & ON_MAP  # [turns, 55]
    units = after["units"].astype(int).sum(axis=2) * mine
    assert (units.sum(axis=1) <= 2 * (units > 0).sum(axis=1)).all()


@pytest.mark.parametrize("scenario", ["duel8", "iberus20"])
def test_conformance(scenario):
    check_game(load_game(f"hispania/{scenario}"), games=4)


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["punic55", "reconquista55", "full55"])
def test_conformance_whole_map(scenario):
    check_game(load_game(f"hispania/{scenario}"), games=2)


def test_state_fits_into_four_kilobytes():
    assert load_game("hispania").rules.dtype.itemsize <= 4096


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("player", ["random", "scripted"])
def test_invariants(scenario, player):
    game = load_game(f"hispania/{scenario}")
    games = 4 if game.num_seats == 2 else 1
    for states, _ in play(game, [player] * 4, games):
        check_invariants(states)
        check_turns(states)
        assert states[-1]["round"] == states[-1]["last_round"]


def test_golden_playthrough():
    assert playthrough(load_game("hispania/duel8"), 1) == GOLDEN.read_text()


def test_scripted_beats_random_on_the_small_maps():
    for scenario in ("duel8", "iberus20"):
        game = load_game(f"hispania/{scenario}")
        for seat in range(2):
            players = ["random", "random"]
            players[seat] = "scripted"
            results = [game.returns(states[-1:])[0, seat] for states, _ in play(game, players, 40)]
            assert np.mean(np.array(results) > 0) >= 0.75


def test_every_level_plays():
    game = load_game("hispania/iberus20")
    for name in game.rules.bots:
        assert len(play(game, [name, "scripted"], 2)) == 2


def test_measures():
    game = load_game("hispania/iberus20")
    states, actions = play(game, ["scripted"] * 2, 1)[0]
    found = measures(states, actions)
    assert found["vp/ROM"] == states[-1]["vp"][CODES.index("ROM")]
    assert found["regions/ROM/r8"] == np.sum(states[-1]["counted"] == CODES.index("ROM"))
    assert 0 < found["territorial_alignment"] <= 1
    shares = [found[f"seat{seat}/vp_share"] for seat in range(2)]
    assert np.isclose(sum(shares), 1)


def many_games(game, player):
    """Positions of 80 games, each checked."""
    for part in range(4):
        for states, _ in play(game, [player] * 4, 20, seed=part):
            check_invariants(states)
            check_turns(states)
            yield states


@pytest.mark.slow
def test_many_scripted_games_are_sound_and_match_the_design_playouts():
    game = load_game("hispania/full55")
    points, owned = [], []
    for states in many_games(game, "scripted"):
        points.append(game.scores(states[-1:])[0])
        owned.append(ownership(states))
    shares = 100 * np.mean(points, axis=0) / np.mean(points, axis=0).sum()
    assert np.abs(shares - [25.2, 24.9, 24.3, 25.6]).max() <= 2
    assert abs(np.mean([territorial_alignment(each) for each in owned]) - 0.579) <= 0.03
    assert np.mean([trajectory_similarity(each)[0] for each in owned]) > 0.85


@pytest.mark.slow
def test_many_random_games_are_sound_and_match_the_design_playouts():
    game = load_game("hispania/full55")
    found = [territorial_alignment(ownership(states)) for states in many_games(game, "random")]
    assert abs(np.mean(found) - 0.268) <= 0.03
