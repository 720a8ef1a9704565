"""Round robins: every pair meets, the matrix is consistent, ratings follow the results."""

import json

import numpy as np
import pytest

from stratagem.agents import make_agent
from stratagem.core.errors import BadSetting
from stratagem.core.game import Actions, States
from stratagem.core.registry import load_game
from stratagem.core.seeding import Seeds
from stratagem.evaluate.tournaments import PairResult, games_in_rounds, play_tournament

FOUR = load_game("connect_four")
THREE = load_game("dice/three")


class Climber:
    """Drops into the first column that it may choose: slightly better than nothing."""

    spec = "climber"

    def act(self, states: States, seeds: Seeds) -> Actions:
        return FOUR.legal(states)[0][:, 0].copy()


class Gambler:
    """Always rolls again: never better than a last random roll."""

    spec = "gambler"

    def act(self, states: States, seeds: Seeds) -> Actions:
        return np.ones(len(states), np.int32)


class Chooser:
    """Keeps a top die and rolls anything else again: the strongest here."""

    spec = "chooser"

    def act(self, states: States, seeds: Seeds) -> Actions:
        return (states["roll"] < states["faces"]).astype(np.int32)


def test_matrix_and_progress() -> None:
    seen: list[tuple[int, int, int, int]] = []
    players = ["random", Climber(), make_agent("random", FOUR)]
    with pytest.raises(BadSetting, match="each named once"):
        play_tournament(FOUR, players, 4, seed=1)
    result = play_tournament(
        FOUR,
        players[:2],
        30,
        seed=1,
        on_pair=lambda pair, done, total: seen.append((pair.first, pair.second, done, total)),
    )
    assert seen == [(0, 1, 1, 1)]
    (pair,) = result.pairs
    assert pair.games == 30
    assert result.matrix == [[None, pair.score], [1.0 - pair.score, None]]
    assert result.standings[0].score == pytest.approx(pair.score)
    assert result.anchor == "random"
    assert result.standings[0].rating.rating == 0.0
    assert sum(standing.elo for standing in result.standings) == pytest.approx(3000)


def test_same_seed_same_tournament() -> None:
    one, two, other = (play_tournament(FOUR, ["random", Climber()], 12, seed) for seed in (3, 3, 4))
    assert one == two
    assert one.pairs != other.pairs


def test_three_seats_rank_by_strength() -> None:
    result = play_tournament(THREE, [Gambler(), Chooser(), "random"], 300, seed=2)
    assert len(result.pairs) == 3
    assert result.ranking[0].spec == "chooser"
    matrix = result.matrix
    for i in range(3):
        assert matrix[i][i] is None
        for j in range(i):
            assert matrix[i][j] == pytest.approx(1.0 - (matrix[j][i] or 0.0))
    assert matrix[1][0] is not None and matrix[1][0] > 0.55
    for standing in result.standings:
        assert standing.games == 600
        assert standing.rating.low <= standing.rating.rating <= standing.rating.high


def test_equal_players_come_out_even() -> None:
    keeper = [make_agent("keeper", THREE), make_agent("scripted", THREE)]
    result = play_tournament(THREE, keeper, 600, seed=5)
    assert result.pairs[0].score == pytest.approx(0.5, abs=0.06)
    assert result.anchor == "keeper"


def test_elo_takes_one_game_of_each_pair_a_round() -> None:
    pairs = [PairResult(0, 1, (1.0, 0.0)), PairResult(0, 2, (0.5,))]
    games = games_in_rounds(pairs)
    assert [(g.first, g.second, g.score) for g in games] == [(0, 1, 1.0), (0, 2, 0.5), (0, 1, 0.0)]


def test_json() -> None:
    result = play_tournament(FOUR, ["random", Climber()], 6, seed=1, anchor="climber")
    value = json.loads(json.dumps(result.as_json()))
    assert value["anchor"] == "climber"
    assert {"spec", "games", "score", "wilson", "elo", "rating"} <= set(value["agents"][0])
    pair = value["pairs"][0]
    assert pair["wins"] + pair["draws"] + pair["losses"] == pair["games"] == 6


@pytest.mark.parametrize(
    ("players", "games", "anchor", "message"),
    [
        (["random"], 4, None, "at least two agents"),
        (["random", Climber()], 0, None, "at least one game"),
        (["random", Climber()], 4, "nobody", "anchor 'nobody' does not take part"),
    ],
)
def test_mistakes(players: list, games: int, anchor: str | None, message: str) -> None:
    with pytest.raises(BadSetting, match=message):
        play_tournament(FOUR, players, games, seed=1, anchor=anchor)


@pytest.mark.parametrize("game", [FOUR, THREE])
def test_specs_on_all_cores_play_what_agents_play_one_after_the_other(game):
    specs = ["random", "mcts:none?sims=2", "mcts:none?sims=4"]
    heard = []
    side_by_side = play_tournament(game, specs, 6, 3, lambda pair, *_: heard.append(pair))
    agents = [make_agent(spec, game) for spec in specs]
    assert side_by_side == play_tournament(game, agents, 6, 3)
    assert tuple(heard) == side_by_side.pairs
