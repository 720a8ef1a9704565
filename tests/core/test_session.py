"""One game being played: streams from one seed, taking back, resigning, record and journal."""

import numpy as np
import pytest

from stratagem.agents import make_agent
from stratagem.core.errors import NotAllowed
from stratagem.core.game import as_batch
from stratagem.core.journal import Journal
from stratagem.core.record import format_record, parse_record, replay
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import derive_seeds
from stratagem.core.session import GameSession, SessionSetup


def new_session(spec, *agents, seed=7, **more):
    game = load_game(spec)
    names = agents or ("human",) * game.num_seats
    return GameSession(game, SessionSetup.new(game, names, seed, **more))


def play_out(session):
    """Random agents in every seat, to the end."""
    agent = make_agent("random", session.game)
    return list(session.advance(dict.fromkeys(range(session.game.num_seats), agent)))


@pytest.mark.parametrize("spec", ["connect_four", "dice/three", "cards", "catan/colonist1v1"])
def test_a_played_game_is_a_record_that_replays(spec):
    session = new_session(spec)
    events = play_out(session)
    assert session.seat == OVER and session.is_finished
    record = parse_record(format_record(session.record()))
    assert record == session.record() and list(record.events) == events
    assert record.returns == session.returns
    assert replay(record)[-1].tobytes() == session.state.tobytes()
    again = GameSession(session.game, SessionSetup.of_record(record), changes=record.events)
    assert again.state.tobytes() == session.state.tobytes() and not again.is_live


def test_every_stream_has_its_own_seed():
    session = new_session("dice", seed=11)
    game = session.game
    assert session.setup.setup_seed == int(derive_seeds(11, "setup", count=1)[0])
    rolled = session.roll().action
    before = game.new_states(np.array([session.setup.setup_seed], np.uint64))
    assert rolled == game.draw(before, derive_seeds(11, "chance", 0, count=1))[0]
    assert session.decision_seed() == int(derive_seeds(11, "decide", 1, count=1)[0])
    cards = new_session("cards", seed=11)
    list(cards.advance({}))
    seats, seeds = np.array([1], np.int8), derive_seeds(11, "hide", 2, count=1)
    hidden = cards.game.hidden_from(as_batch(cards.state), seats, seeds)[0]
    assert cards.seen_by(1).tobytes() == hidden.tobytes()


def test_the_same_seed_is_the_same_game():
    games = [play_out(new_session("catan/colonist1v1", seed=seed)) for seed in (3, 3, 4)]
    assert games[0] == games[1] != games[2]


def test_a_move_taken_back_meets_the_same_dice():
    session = new_session("dice", "human", "random")
    list(session.advance({}))
    session.play(1)
    rolled = session.roll()
    session.take_back()
    session.play(1)
    assert session.roll() == rolled


def test_illegal_moves_change_nothing():
    session = new_session("connect_four")
    for action in (-1, 7, 99):
        with pytest.raises(NotAllowed, match="not legal"):
            session.play(action)
    with pytest.raises(NotAllowed, match="nothing to take back"):
        session.take_back()
    assert session.plies == 0 and session.revision == 0
    chance = new_session("dice")
    assert chance.seat == CHANCE
    with pytest.raises(NotAllowed):
        chance.play(0)


def test_taking_back_stops_at_other_people():
    session = new_session("connect_four", "human", "human")
    for column in (0, 1, 2):
        session.play(column)
    assert session.can_take_back()
    with pytest.raises(NotAllowed, match="another person"):
        session.take_back(0)
    session.take_back()
    assert session.plies == 2
    serious = new_session("connect_four", "human", "random", serious=True)
    serious.play(0)
    assert serious.can_take_back()
    serious.play(1)
    assert not serious.can_take_back()


def test_a_finished_game_with_hidden_cards_stays_finished():
    session = new_session("cards")
    list(session.advance({}))
    session.play(0)
    session.play(0)
    assert session.seat == OVER and session.viewer is None
    with pytest.raises(NotAllowed, match="cards have been shown"):
        session.take_back()


def test_who_resigns_against_one_other_loses():
    session = new_session("connect_four")
    session.resign(0)
    assert session.returns == (-1.0, 1.0) and not session.is_live
    assert session.record().extra["resigned"] == 0 and session.record().returns == ()
    three = new_session("dice/three")
    three.resign(1)
    assert three.returns is None and three.is_finished


def test_the_viewer_is_the_person_who_decides_or_decided_last():
    session = new_session("cards", "human", "human")
    assert session.viewer == 0
    list(session.advance({}))
    session.play(1)
    assert session.viewer == 1
    assert new_session("cards", "random", "random").viewer is None
    assert new_session("connect_four").viewer is None


def test_a_session_can_be_opened_after_every_change(tmp_path):
    game = load_game("dice")
    setup = SessionSetup.new(game, ("human", "human"), 7)
    journal = Journal(tmp_path / "game.jsonl")
    journal.create({})
    session = GameSession(game, setup, journal)
    list(session.advance({}))
    session.play(1)
    session.roll()
    session.take_back()
    session.play(0)
    again = GameSession(game, setup, journal, journal.read()[1])
    assert again.events == session.events and again.revision == session.revision
    assert again.state.tobytes() == session.state.tobytes()
    with pytest.raises(NotAllowed):
        again.play(17)
    assert GameSession(game, setup, journal, journal.read()[1]).events == session.events


def test_what_leaves_no_choice_is_played_for_a_person():
    """Catan says so in game.toml: an offer that one cannot meet need not be refused by hand."""
    session = new_session("catan/trading", "human", "random", "random", "random", seed=3)
    agent = make_agent("random", session.game)
    others = dict.fromkeys((1, 2, 3), agent)
    answers = {group.name: group for group in session.game.rules.groups(session.game.scenario)}
    assert set(session.game.rules.about.unasked.split()) <= set(answers)
    answer = answers["answer"]
    refused = []
    while not session.is_finished and not refused:
        events = list(session.advance(others))
        refused = [
            one for one in events if one.seat == 0 and answer.start <= one.action < answer.stop
        ]
        if session.waits_for_human and not refused:
            legal = session.game.legal_actions(session.state)
            assert session.forced() is None and (
                len(legal) > 1 or legal[0] < answers["discard"].start
            )
            session.play(legal[session.plies % len(legal)])
    assert refused, "no seed with an offer that the person cannot meet"
    ply = next(ply for ply, event in enumerate(session.events) if event is refused[0])
    assert session.forced(ply) == refused[0].action
    with pytest.raises(NotAllowed, match="no person decided"):
        session.take_back(ply)
    decided = session.last_decision()
    assert decided < ply and session.forced(decided) is None
    session.take_back()
    assert session.plies == decided and session.waits_for_human


def test_calls_that_make_no_sense_reach_no_sink():
    game = load_game("connect_four")
    written = []

    class Sink:
        def append(self, *changes):
            written.extend(changes)

    session = GameSession(game, SessionSetup.new(game, ("human", "random"), 1), Sink())
    session.play(np.int64(3))
    assert type(session.events[0].action) is int  # JSON knows no number of NumPy's
    before = list(written)
    for wrong in (
        session.roll, lambda: session.take_back(-1), lambda: session.resign(2),
        lambda: session.seen_by(2), lambda: session.seen_by(0, -1), lambda: session.seen_by(0, 2),
    ):  # fmt: skip
        with pytest.raises(NotAllowed):
            wrong()
    assert written == before and session.plies == 1
    session.resign(0)
    with pytest.raises(NotAllowed, match="ended"):
        session.play(3)
    with pytest.raises(NotAllowed, match="ended"):
        session.resign(1)
