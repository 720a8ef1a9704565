"""The kernels against the independent twin: same questions, same answers, same map."""

import numpy as np
import pytest

from games.hispania.twin import Twin
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import derive_generator
from stratagem.games.hispania.board.arrays import CODES, NAMES
from stratagem.games.hispania.board.data import STRUCTURES


def compare(state, twin):
    assert int(state["seat"]) == twin.seat
    assert int(state["round"]) == twin.round
    for at, name in enumerate(NAMES):
        here = twin.standing(name)
        owner = int(state["owner"][at])
        assert (CODES[owner] if owner >= 0 else None) == (here[0].nation if here else None), name
        counts = [0, 0, 0]
        for piece in here:
            if not piece.leads:
                counts[twin.slot(piece.type)] += 1
        assert counts == state["units"][at].tolist(), name
        assert bool(state["leader"][at]) == any(piece.leads for piece in here), name
        assert STRUCTURES[int(state["structure"][at])] == twin.structure[name], name
        mine = sorted(
            (NAMES[row[1]], int(row[2]), bool(row[3]))
            for row in state["attackers"][: int(state["attacking"])]
            if row[0] == at
        )
        theirs = sorted(
            (p.origin, 3 if p.leads else twin.slot(p.type), p.wet) for p in twin.attackers(name)
        )
        assert mine == theirs, name
    for nation in twin.codes:
        at = CODES.index(nation)
        assert int(state["vp"][at]) == twin.vp[nation], nation
        assert int(state["pool"][at]) == twin.pool[nation], nation
        overlord = int(state["overlord"][at])
        assert (CODES[overlord] if overlord >= 0 else None) == twin.overlord.get(nation), nation


def play_beside(scenario, seed, most_events=100_000, bot=""):
    game = load_game(f"hispania/{scenario}")
    generator = derive_generator(seed, "twin", scenario)
    state = game.new_states(np.array([seed], np.uint64))
    twin = Twin(scenario)
    for _ in range(most_events):
        compare(state[0], twin)
        seat = int(state["seat"][0])
        if seat == OVER:
            return
        if seat == CHANCE:
            action = int(generator.integers(6))
        else:
            legal = game.legal_actions(state[0])
            assert set(legal) == twin.legal
            action = int(generator.choice(legal))
            if bot:
                chosen = np.empty(1, np.int32)
                words = generator.integers(1, 2**63, 1).astype(np.uint64)
                game.rules.bot_kernels[bot](state, words, game.width, chosen)
                action = int(chosen[0])
        game.kernels.step(state, np.array([action], np.int32))
        twin.play(action)
    return


@pytest.mark.parametrize("seed", range(6))
def test_duel8(seed):
    play_beside("duel8", seed)


@pytest.mark.parametrize("seed", range(2))
def test_iberus20(seed):
    play_beside("iberus20", seed)


def test_whole_map_beginning():
    play_beside("full55", 1, 150)


@pytest.mark.slow
@pytest.mark.parametrize("bot", ["", "scripted"])
@pytest.mark.parametrize("scenario", ["punic55", "reconquista55", "full55"])
def test_whole_map(scenario, bot):
    play_beside(scenario, 1, bot=bot)
