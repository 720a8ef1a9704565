"""Games side by side: streams, chance, hiding, legality, events and restarts."""

import numpy as np
import pytest

from stratagem.agents import make_agent
from stratagem.core.driver import GameBatch, GameStreams, GeneratorStreams
from stratagem.core.errors import BadSetting
from stratagem.core.record import record_game, replay
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE, OVER


class Constant:
    spec = "constant"

    def __init__(self, action):
        self.action, self.seen = action, []

    def act(self, states, seeds):
        self.seen.append(states.copy())
        states[:] = np.zeros(1, states.dtype)  # an agent may do what it likes with its copies
        return np.full(len(states), self.action)


def play(batch, agent):
    """Every game to its end."""
    while len(rows := batch.running):
        deciding = rows[batch.seats[rows] != CHANCE]
        batch.roll(rows)
        if len(deciding):
            batch.step(deciding, batch.ask(agent, deciding))


def test_events_of_every_game_replay_to_its_end():
    game = load_game("dice/three")
    batch = GameBatch(game, 5, GeneratorStreams(np.random.default_rng(1)))
    batch.start(np.arange(5))
    play(batch, make_agent("random", game))
    for row in range(5):
        names = ("a", "b", "c")
        record = record_game(game, int(batch.setup_seeds[row]), batch.events[row], names)
        assert replay(record, game)[-1].tobytes() == batch.states[row].tobytes()
        assert batch.num_events[row] == len(batch.events[row])
    first = batch.events[0]
    batch.start(np.array([2]))
    assert batch.events[2] == [] and batch.num_events[2] == 0 and batch.seats[2] != OVER
    assert batch.events[0] is first


def test_a_game_of_its_own_streams_does_not_depend_on_its_neighbours():
    game = load_game("dice")
    groups = np.arange(6) // 2
    whole = GameBatch(game, 6, GameStreams(4, groups))
    whole.start(np.arange(6))
    play(whole, make_agent("random", game))
    alone = GameBatch(game, 6, GameStreams(4, groups))
    alone.start(np.array([3]))
    while alone.seats[3] != OVER:
        row = np.array([3])
        if alone.seats[3] == CHANCE:
            alone.roll(row)
        else:
            alone.step(row, alone.ask(make_agent("random", game), row))
    assert alone.events[3] == whole.events[3]
    assert whole.setup_seeds[2] == whole.setup_seeds[3] != whole.setup_seeds[4]


def test_only_the_first_rows_are_recorded_if_so_wanted():
    game = load_game("dice")
    batch = GameBatch(game, 3, GeneratorStreams(np.random.default_rng(1)), recorded=1)
    batch.start(np.arange(3))
    play(batch, make_agent("random", game))
    assert len(batch.events) == 1 and len(batch.events[0]) == batch.num_events[0]


def test_agents_get_copies_without_what_their_seat_cannot_see():
    game = load_game("cards/default?ranks=8")
    batch = GameBatch(game, 32, GameStreams(1, np.arange(32)))
    batch.start(np.arange(32))
    while (batch.seats == CHANCE).any():
        batch.roll(np.arange(32))
    before = batch.states.copy()
    agent = Constant(game.legal_actions(before[0])[0])
    batch.ask(agent, np.arange(32))
    assert batch.states.tobytes() == before.tobytes()
    rows, seats = np.arange(32), batch.seats
    assert (agent.seen[0]["card"][rows, seats] == before["card"][rows, seats]).all()
    assert (agent.seen[0]["card"][rows, 1 - seats] != before["card"][rows, 1 - seats]).any()


def test_an_illegal_action_is_refused_with_the_agents_name():
    game = load_game("connect_four")
    batch = GameBatch(game, 2, GameStreams(1, np.arange(2)))
    batch.start(np.arange(2))
    with pytest.raises(BadSetting, match="agent 'constant' chose illegal action 99"):
        batch.ask(Constant(99), np.arange(2))
