"""The kernels and the slow twin agree on every position, legal list and probability."""

from typing import Any

import numpy as np
import pytest

from games.catan.island import EDGES
from games.catan.twin import RESOURCES, Twin
from stratagem.core.game import Game
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import derive_generator, derive_seeds

KINDS = ("knight", "point", "roads", "plenty", "monopoly")
SHORT = "turn_limit=260"
SPECS = [
    (f"catan/colonist1v1?{SHORT}", 4),
    (f"catan/thesis?{SHORT}", 2),
    (f"catan/official?{SHORT}", 3),
    (f"catan/official?players=3&dice=balanced&friendly_robber=4&{SHORT}", 2),
    # A starved bank: shortages all the time; everybody keeps everything.
    (f"catan/official?players=4&bank=10&discard_limit=95&{SHORT}", 2),
    (f"catan/official?players=3&bank=10&bank_rule=nobody&discard_limit=95&{SHORT}", 2),
    # Trade between players, at tables of every size.
    (f"catan/trading?{SHORT}", 2),
    (f"catan/trading?players=3&offers=9&{SHORT}", 1),
    (f"catan/colonist1v1?offers=1&{SHORT}", 1),
]


def twin_of(game: Game, s: Any) -> Twin:
    terrain = [(*RESOURCES, "desert")[int(kind)] for kind in s["terrain"]]
    harbours = [(*RESOURCES, "3:1")[int(kind)] for kind in s["harbour"]]
    return Twin(terrain, s["token"].tolist(), harbours, int(s["robber"]), dict(game.scenario))


def compare(twin: Twin, s: Any) -> None:
    names = {OVER: "over", CHANCE: "chance"}
    assert names.get(int(s["seat"]), int(s["seat"])) == twin.deciding
    assert int(s["winner"]) == (-1 if twin.winner is None else twin.winner)
    assert int(s["turn"]) == twin.turns and int(s["robber"]) == twin.robber
    assert [int(n) for n in s["bank"]] == [twin.bank[r] for r in RESOURCES]
    assert int(s["road_holder"]) == (-1 if twin.longest is None else twin.longest)
    assert int(s["army_holder"]) == (-1 if twin.largest is None else twin.largest)
    for seat, who in enumerate(twin.players):
        assert [int(n) for n in s["hand"][seat]] == [who.hand[r] for r in RESOURCES]
        assert [int(n) for n in s["cards"][seat]] == [who.cards[k] for k in KINDS]
        assert [int(n) for n in s["played"][seat]] == [who.played[k] for k in KINDS]
        assert set(np.flatnonzero(s["place"] == seat + 1)) == who.settlements
        assert set(np.flatnonzero(s["place"] == seat + 5)) == who.cities
        assert {EDGES[e] for e in np.flatnonzero(s["road"] == seat + 1)} == who.roads
        assert int(s["road_length"][seat]) == twin.trail(seat)
        assert [int(n) for n in s["rate"][seat]] == [twin.rate(seat, r) for r in RESOURCES]


def choose(texts: list[str], generator: Any, builder: bool) -> int:
    """Random; a builder ends turns and throws cards at the bank only when little else is left."""
    if not builder:
        return int(generator.integers(len(texts)))
    weights = [
        0.05 if text == "end turn" or text.startswith(("trade", "offer")) else 1.0 for text in texts
    ]
    for k, text in enumerate(texts):
        if text.startswith(("settle", "city")):
            weights[k] = 8.0
    total = sum(weights)
    return int(generator.choice(len(texts), p=[weight / total for weight in weights]))


def play_beside_twin(spec: str, seed: int) -> set[str]:
    game = load_game(spec)
    generator = derive_generator(seed, spec)
    state = game.new_states(derive_seeds(seed, "twin", count=1))
    twin = twin_of(game, state[0])
    write = game.rules.notation.format_action
    met = set()
    while True:
        s = state[0]
        compare(twin, s)
        if s["seat"] == OVER:
            scores = [float(twin.points(seat)) for seat in range(len(twin.players))]
            assert game.scores(state)[0].tolist() == scores
            return met
        if s["seat"] == CHANCE:
            outcomes = game.chance_outcomes(s)
            found = {write(s, outcome): chance for outcome, chance in outcomes}
            assert found == pytest.approx(twin.outcomes(), abs=1e-6)
            weights = np.array([chance for _, chance in outcomes], np.float64)
            k = int(generator.choice(len(outcomes), p=weights / weights.sum()))
            action = outcomes[k][0]
            twin.happen(write(s, action))
        else:
            legal = game.legal_actions(s)
            texts = [write(s, action) for action in legal]
            assert len(texts) == len(set(texts))
            assert set(texts) == twin.legal()
            k = choose(texts, generator, builder=seed % 2 == 0)
            action = legal[k]
            met.add(texts[k].split()[0])
            twin.play(texts[k])
        game.kernels.step(state, np.array([action], np.int32))


@pytest.mark.parametrize(("spec", "games"), SPECS)
def test_random_games_agree(spec, games):
    met = set().union(*(play_beside_twin(spec, seed) for seed in range(games)))
    assert {"settle", "road", "trade", "buy", "end", "robber", "knight"} <= met
    trade = {"offer", "accept", "refuse", "counter", "deal", "no"}
    assert (trade <= met) == bool(load_game(spec).scenario.offers)


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "games"), SPECS)
def test_more_random_games_agree(spec, games):
    for seed in (10, 11):
        play_beside_twin(spec.replace(SHORT, "turn_limit=1000"), seed)
