"""Matches: same seed same games, fair seats, paired luck, hidden things hidden, honest counts."""

from dataclasses import replace

import numpy as np
import pytest

from stratagem.agents import make_agent
from stratagem.backend import ThreadBackend
from stratagem.core.errors import BadSetting
from stratagem.core.game import Actions, Game, States
from stratagem.core.record import replay
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE
from stratagem.core.seeding import Seeds, nth_seeds
from stratagem.evaluate.match_result import MatchResult
from stratagem.evaluate.matches import MatchTask, play_match, spread_match

FOUR = load_game("connect_four")
DICE = load_game("dice")
THREE = load_game("dice/three")
CARDS = load_game("cards")


class Column:
    """Drops into its own column while it can: alone there, it wins in four moves."""

    def __init__(self, column: int, spec: str = "") -> None:
        self.column = column
        self.spec = spec or f"column{column}"

    def act(self, states: States, seeds: Seeds) -> Actions:
        ids, _ = FOUR.legal(states)
        free = (ids == self.column).any(axis=1)
        return np.where(free, self.column, ids[:, 0]).astype(np.int32)


class Watcher:
    """Plays at random and remembers what it was shown."""

    def __init__(self, game: Game, spec: str = "watcher") -> None:
        self.inner = make_agent("random", game)
        self.spec = spec
        self.shown: list[States] = []
        self.seeds: list[int] = []

    def act(self, states: States, seeds: Seeds) -> Actions:
        self.shown.append(states.copy())
        self.seeds += [int(seed) for seed in seeds]
        actions = self.inner.act(states, seeds)
        states["seat"] = 99  # a rude agent must not be able to spoil the game
        return actions


def without_times(result: MatchResult) -> MatchResult:
    return replace(
        result, agents=tuple(replace(agent, mean_decision_ms=0.0) for agent in result.agents)
    )


def randoms(game: Game, count: int) -> list[Watcher]:
    return [Watcher(game, f"watcher{i}") for i in range(count)]


def test_same_seed_same_match_whatever_the_batch() -> None:
    results = [
        without_times(play_match(DICE, randoms(DICE, 2), 41, seed, batch=batch, keep=True))
        for seed, batch in ((5, 128), (5, 128), (5, 3), (6, 128))
    ]
    assert results[0] == results[1] == results[2]
    assert results[0].outcomes != results[3].outcomes


def test_the_first_mover_wins_and_rotation_shares_that() -> None:
    agents = [Column(0), Column(6)]
    result = play_match(FOUR, agents, 10, seed=1)
    assert [agent.tally.score for agent in result.agents] == [0.5, 0.5]
    for agent in result.agents:
        assert [(part.seat, part.tally.wins) for part in agent.by_seat] == [(0, 5), (1, 0)]
        assert agent.by_seat[0].tally.games == agent.by_seat[1].tally.games == 5
    odd = play_match(FOUR, agents, 11, seed=1)
    assert [agent.tally.wins for agent in odd.agents] == [6, 5]


def test_fixed_seats_leave_the_advantage() -> None:
    result = play_match(FOUR, [Column(0), Column(6)], 10, seed=1, seats="fixed")
    assert [agent.tally.score for agent in result.agents] == [1.0, 0.0]
    assert [part.seat for part in result.agents[0].by_seat] == [0]


def test_paired_games_share_set_up_and_others_do_not() -> None:
    result = play_match(FOUR, randoms(FOUR, 2), 6, seed=2, keep=True)
    seeds = [record.setup_seed for record in result.records]
    assert seeds[0] == seeds[1] != seeds[2] == seeds[3] != seeds[4] == seeds[5]
    assert len(set(seeds)) == 3
    assert result.records[0].agents == ("watcher0", "watcher1")
    assert result.records[1].agents == ("watcher1", "watcher0")
    fixed = play_match(FOUR, randoms(FOUR, 2), 6, seed=2, seats="fixed", keep=True)
    assert len({record.setup_seed for record in fixed.records}) == 6


def test_paired_games_share_the_dice() -> None:
    keepers = [make_agent("keeper", DICE), make_agent("scripted", DICE)]
    result = play_match(DICE, keepers, 60, seed=3, keep=True)
    rolls = [
        [event.action for event in record.events if event.seat == CHANCE]
        for record in result.records
    ]
    assert rolls[0::2] == rolls[1::2]
    assert len({tuple(roll) for roll in rolls}) > 10
    # With the same dice and the same play, seats alone decide: the score is exactly even.
    assert result.agents[0].tally.score == 0.5


def test_dice_fall_as_the_rules_say() -> None:
    result = play_match(THREE, randoms(THREE, 3), 3000, seed=4, seats="fixed", keep=True)
    rolls = [e.action for record in result.records for e in record.events if e.seat == CHANCE]
    shares = np.bincount(rolls, minlength=4) / len(rolls)
    assert shares == pytest.approx([0.2, 0.2, 0.2, 0.4], abs=0.02)


def test_records_replay_to_the_counted_result() -> None:
    result = play_match(DICE, randoms(DICE, 2), 8, seed=5, keep=True)
    for record, outcome in zip(result.records, result.outcomes, strict=True):
        states = replay(record, DICE)
        assert len(record.events) == outcome.plies
        assert tuple(DICE.returns(states[-1:])[0]) == outcome.returns == record.returns
    assert play_match(DICE, randoms(DICE, 2), 8, seed=5).records == ()


def test_agents_see_only_what_their_seat_sees() -> None:
    agents = randoms(CARDS, 2)
    result = play_match(CARDS, agents, 400, seed=6, keep=True, batch=400)
    real = {tuple(int(event.action) for event in record.events[:2]) for record in result.records}
    assert real == {(a, b) for a in (1, 2, 3) for b in (1, 2, 3) if a != b}
    # The first call of the first agent shows seat 0 of the games with even numbers.
    shown = agents[0].shown[0]
    assert (shown["seat"] == 0).all()
    dealt = np.array([[event.action for event in record.events[:2]] for record in result.records])
    own, other = dealt[0::2, 0], dealt[0::2, 1]
    assert (shown["card"][:, 0] == own).all()
    # Two cards are left for the other seat: half of the time it is redrawn as another one.
    assert 0.4 < np.mean(shown["card"][:, 1] == other) < 0.6


def test_every_decision_has_its_own_seed() -> None:
    agents = randoms(DICE, 2)
    play_match(DICE, agents, 50, seed=7)
    seeds = agents[0].seeds + agents[1].seeds
    assert len(set(seeds)) == len(seeds)


def test_streams_do_not_touch() -> None:
    streams = np.array([0, 1, 2**64 - 1], np.uint64)
    seeds = np.concatenate([nth_seeds(streams, np.full(3, n)) for n in range(1000)])
    assert len(set(seeds.tolist())) == 3000


def test_three_seats() -> None:
    agents = [make_agent("keeper", THREE), *randoms(THREE, 2)]
    result = play_match(THREE, agents, 300, seed=8)
    assert [agent.tally.games for agent in result.agents] == [300, 300, 300]
    for outcome in result.outcomes:
        winners = [seat for seat in range(3) if outcome.result_of(seat) == 1.0]
        best = outcome.scores.count(max(outcome.scores))
        assert len(winners) == (1 if best == 1 else 0)
    assert sum(agent.tally.vp_share or 0.0 for agent in result.agents) == pytest.approx(1.0)
    for agent in result.agents:
        assert [part.tally.games for part in agent.by_seat] == [100, 100, 100]
        assert agent.tally.games == agent.tally.wins + agent.tally.draws + agent.tally.losses


def test_one_against_a_table_of_the_other() -> None:
    result = play_match(THREE, [make_agent("keeper", THREE), *randoms(THREE, 1)], 30, seed=9)
    assert [agent.tally.games for agent in result.agents] == [30, 60]
    assert all(outcome.agents.count(0) == 1 for outcome in result.outcomes)
    assert 0.0 <= result.outcomes[0].duel(0, 1) <= 1.0


def test_json_is_the_contract() -> None:
    value = play_match(FOUR, [Column(0), Column(6)], 4, seed=1).as_json()
    assert {"game", "games", "agents"} <= set(value)
    assert (value["game"], value["games"]) == ("connect_four/default", 4)
    counts = {"games", "wins", "draws", "losses", "score", "wilson", "mean_score"}
    for agent in value["agents"]:
        assert counts | {"spec", "mean_decision_ms", "by_seat"} <= set(agent)
        assert "vp_share" not in agent
        assert isinstance(agent["wilson"], list)
        for part in agent["by_seat"]:
            assert counts | {"seat"} <= set(part)
    assert value["elo_difference"]["difference"] == 0.0
    three = play_match(THREE, randoms(THREE, 3), 3, seed=1).as_json()
    assert all("vp_share" in agent for agent in three["agents"])
    assert "elo_difference" not in three


def test_decisions_are_counted_and_timed() -> None:
    result = play_match(FOUR, [Column(0), Column(6)], 4, seed=1)
    # The winner drops four discs, the loser three; each wins two of the four games.
    assert [agent.decisions for agent in result.agents] == [14, 14]
    assert all(agent.mean_decision_ms > 0.0 for agent in result.agents)


def test_an_illegal_action_is_caught() -> None:
    class Stubborn(Column):
        def act(self, states: States, seeds: Seeds) -> Actions:
            return np.full(len(states), self.column, np.int32)

    with pytest.raises(BadSetting, match="'mule' chose illegal action 2"):
        play_match(FOUR, [Stubborn(2, "mule"), Stubborn(2, "ass")], 1, seed=1)


def test_batch_must_hold_a_game() -> None:
    with pytest.raises(BadSetting, match="batch"):
        play_match(FOUR, [Column(0), Column(6)], 4, seed=1, batch=0)


@pytest.mark.parametrize("seats", ["rotate", "fixed"])
@pytest.mark.parametrize(("game", "games"), [(FOUR, 150), (THREE, 130), (CARDS, 66)])
def test_a_match_that_is_spread_is_the_same_match(
    game: Game, games: int, seats: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts, play_all = [], ThreadBackend.map

    def noting(self, function, items, on_result=None):
        parts.extend(item.rows for item in items)
        return play_all(self, function, items, on_result)

    monkeypatch.setattr(ThreadBackend, "map", noting)
    specs = ["random", "mcts:none?sims=4"]
    whole = play_match(game, [make_agent(spec, game) for spec in specs], games, 5, seats, keep=True)
    task = MatchTask(game.spec, tuple(specs), games, 5, seats, keep=True)
    spread = spread_match(task, ThreadBackend())
    assert parts[0] == (0, 64) and parts[-1][1] == games and len(parts) > 1
    assert spread.outcomes == whole.outcomes and spread.records == whole.records
    assert [one.tally for one in spread.agents] == [one.tally for one in whole.agents]
    assert [one.decisions for one in spread.agents] == [one.decisions for one in whole.agents]


def test_a_mistake_shows_before_anything_is_spread() -> None:
    with pytest.raises(BadSetting, match="takes 2 agents"):
        spread_match(MatchTask(FOUR.spec, ("random",) * 3, 4, 1), ThreadBackend())
