"""Whole games: the conformance kit, invariants, scripted players, measures, calibration."""

from pathlib import Path

import numpy as np
import pytest

from playthrough import playthrough
from stratagem.core.conformance import check_game
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import derive_seeds
from stratagem.games.hispania.alignment import (
    measures,
    ownership,
    territorial_alignment,
    trajectory_similarity,
)
from stratagem.games.hispania.board import ACCESS, CODES, ON_MAP, QUANTITY

GOLDEN = Path(__file__).parents[2] / "golden" / "hispania.txt"
SCENARIOS = ("duel8", "iberus20", "punic55", "reconquista55", "full55")


def play(game, players, games, seed=1):
    """Play games side by side; a list of (positions [n + 1], actions [n]) for each."""
    states = game.new_states(derive_seeds(seed, "games", count=games))
    histories = [[states[k : k + 1].copy()] for k in range(games)]
    actions = [[] for _ in range(games)]
    event = 0
    while (states["seat"] != OVER).any():
        words = derive_seeds(seed, "events", event, count=games)
        chosen = game.draw(states, words)
        for name in set(players):
            picked = np.full(games, -1, np.int32)
            mine = [k for k in range(games) if states["seat"][k] >= 0
                    and players[int(states["seat"][k])] == name]  # fmt: skip
            if not mine:
                continue
            part = states[mine]
            if name == "random":
                ids, counts = game.legal(part)
                picked = [ids[k, int(words[m] >> np.uint64(33)) % counts[k]]
                          for k, m in enumerate(mine)]  # fmt: skip
            else:
                picked = np.empty(len(mine), np.int32)
                game.rules.bot_kernels[name](part, words[mine], game.width, picked)
            chosen[mine] = picked
        going = np.flatnonzero(states["seat"] != OVER)
        moved = states[going]
        game.kernels.step(moved, chosen[going].astype(np.int32))
        states[going] = moved
        for k in going:
            actions[k].append(int(chosen[k]))
            histories[k].append(states[k : k + 1].copy())
        event += 1
    return [(np.concatenate(h), a) for h, a in zip(histories, actions, strict=True)]


def check_invariants(states):
    """What must hold in every position of a game."""
    for s in states:
        units = s["units"].astype(int)
        stacks = units.sum(axis=1) + (s["leader"] > 0)
        assert stacks.max() <= 6
        assert ((stacks > 0) == (s["owner"] >= 0)).all()
        assert (s["player"][s["owner"][s["owner"] >= 0]] >= 0).all()
        assert not (stacks * (~((int(s["active"]) >> np.arange(55)) & 1).astype(bool))).any()
        assert stacks.sum() + int(s["attacking"]) <= 128
        assert (s["moved"][:, :3] <= units).all()
        rows = s["attackers"][: int(s["attacking"])]
        for nation in np.unique(s["owner"][s["owner"] >= 0]):
            on_board = units[s["owner"] == nation].sum(axis=0)
            if nation == s["nation"]:
                on_board += np.bincount(rows[:, 2], minlength=4)[:3]
            assert (on_board <= QUANTITY[nation, :3]).all()
        sites = sorted({int(row[0]) for row in rows})
        waiting = np.flatnonzero(s["pending"]).tolist()
        assert sites == waiting
        for site in sites:
            owner, nation = int(s["owner"][site]), int(s["nation"])
            assert owner >= 0 and s["player"][owner] != s["player"][nation]
        for box in np.flatnonzero(~ON_MAP & (s["owner"] >= 0)):
            assert ACCESS[s["owner"][box]] >> box & 1  # only nations that list a box stand there
        assert (s["pool"] >= 0).all() and (s["pool"] < 200).all()
        for vassal in np.flatnonzero(s["overlord"] >= 0):
            assert s["player"][vassal] != s["player"][s["overlord"][vassal]]
        if s["seat"] == CHANCE:
            assert s["site"] >= 0 and s["force"][:3].sum() > 0


def check_turns(states):
    """Nobody ends a turn overpopulated; `states` are all positions of a game."""
    same_round = states["round"][:-1] == states["round"][1:]
    for ply in np.flatnonzero((states["nation"][:-1] != states["nation"][1:]) & same_round):
        assert CODES[states["nation"][ply]] not in crowded(states[ply + 1])


def crowded(s):
    """Nations with more than two units a region on the map."""
    found = []
    for nation in np.unique(s["owner"][s["owner"] >= 0]):
        mine = (s["owner"] == nation) & ON_MAP
        units = s["units"][mine].astype(int).sum(axis=1)
        if units.sum() > 2 * (units > 0).sum():
            found.append(CODES[nation])
    return found


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


@pytest.mark.slow
@pytest.mark.parametrize(("player", "games"), [("random", 1000), ("scripted", 200)])
def test_invariants_over_many_games(player, games):
    game = load_game("hispania/full55")
    for part in range(games // 20):
        for states, _ in play(game, [player] * 4, 20, seed=part):
            check_invariants(states[:: 7 if player == "random" else 1])  # every seventh is enough
            check_turns(states)


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


@pytest.mark.slow
def test_scripted_games_match_the_published_playouts():
    game = load_game("hispania/full55")
    played = [one for part in range(10) for one in play(game, ["scripted"] * 4, 20, seed=part)]
    points = np.array([game.scores(states[-1:])[0] for states, _ in played])
    shares = 100 * points.mean(axis=0) / points.mean(axis=0).sum()
    assert np.abs(shares - [25.2, 24.9, 24.3, 25.6]).max() <= 2
    owned = [ownership(states) for states, _ in played]
    assert abs(np.mean([territorial_alignment(each) for each in owned]) - 0.579) <= 0.03
    assert np.mean([trajectory_similarity(each)[0] for each in owned]) > 0.85


@pytest.mark.slow
def test_random_games_match_the_published_alignment():
    game = load_game("hispania/full55")
    played = [one for part in range(10) for one in play(game, ["random"] * 4, 20, seed=part)]
    found = [territorial_alignment(ownership(states)) for states, _ in played]
    assert abs(np.mean(found) - 0.268) <= 0.03
