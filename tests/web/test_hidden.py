"""Nobody sees another seat's secrets: not in scenes, events, odds, trees, records or seeds."""

import json

import numpy as np
import pytest

from stratagem.core import knowledge
from stratagem.core.game import as_batch
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import derive_generator, derive_seeds
from stratagem.web import sight
from stratagem.web.drawing import open_position


def played(game, seed, events):
    """(states, events) of a random game."""
    generator = derive_generator(seed, "test")
    states, actions = [game.new_state(seed)], []
    while len(actions) < events and int(states[-1]["seat"]) != OVER:
        state = states[-1]
        if int(state["seat"]) == CHANCE:
            ids, odds = zip(*game.chance_outcomes(state), strict=True)
            action = int(generator.choice(ids, p=np.array(odds) / sum(odds)))
        else:
            action = int(generator.choice(game.legal_actions(state)))
        actions.append(action)
        states.append(game.after(state, action))
    return states, actions


def seen_text(game, state, viewer):
    """Everything that a viewer is shown of a position, as text."""
    samples = knowledge.samples_of(game, state, viewer)
    scene = sight.draw(game, samples, viewer)
    return json.dumps([scene.as_json(), sight.points(game, samples)])


@pytest.mark.parametrize("spec", ["cards", "catan/colonist1v1"])
def test_what_is_shown_does_not_depend_on_what_is_hidden(spec):
    """The truth, and another truth that the viewer cannot tell from it, look the same."""
    game = load_game(spec)
    differing = 0
    for seed in range(3):
        states, _ = played(game, seed, 160)
        for ply in range(0, len(states), 1 + len(states) // 6):
            state = states[ply]
            if int(state["seat"]) == OVER:
                continue
            for viewer in range(game.num_seats):
                seats, seeds = np.array([viewer], np.int8), derive_seeds(ply, "other", count=1)
                other = game.hidden_from(as_batch(state), seats, seeds)[0]
                differing += other.tobytes() != state.tobytes()
                assert seen_text(game, state, viewer) == seen_text(game, other, viewer)
    assert differing > 2  # there was something to hide


def test_what_differs_between_guesses_reads_as_unknown():
    game = load_game("catan/colonist1v1")
    states, _ = played(game, 3, 200)
    open_facts = dict(open_position(game, states[-1], 0).scene.facts)
    samples = knowledge.samples_of(game, states[-1], 0)
    seen = dict(sight.draw(game, samples, 0).facts)
    assert seen.keys() == open_facts.keys()
    unknown = [name for name, value in seen.items() if value == sight.UNKNOWN]
    assert all("player 2" in name for name in unknown)
    assert all(seen[name] == open_facts[name] for name in seen if name not in unknown)


def test_a_deal_is_seen_by_its_owner_alone():
    game = load_game("cards")
    states, actions = played(game, 1, 2)
    assert knowledge.is_seen(game, states[0], CHANCE, actions[0], 0)
    assert not knowledge.is_seen(game, states[0], CHANCE, actions[0], 1)
    assert not knowledge.is_seen(game, states[1], CHANCE, actions[1], 0)
    assert knowledge.is_seen(game, states[1], CHANCE, actions[1], 1)
    assert knowledge.is_seen(game, states[1], CHANCE, actions[1], None)
    moved = game.after(states[2], 1)
    assert knowledge.is_seen(game, states[2], 0, 1, 1) and int(moved["seat"]) == 1


def test_a_table_hides_the_other_hand_until_the_end(server):
    session = server.begin("cards", "human", "random")["id"]
    state = server.wait(session)
    assert state["viewer"] == 0
    mine, theirs = state["events"][:2]
    assert mine["text"].startswith("dealt") and mine["action"] is not None
    assert theirs["action"] is None and "dealt" not in theirs["text"]
    assert state["dice"]["seed"] is None and len(state["dice"]["seal"]) == 64
    assert (
        state["dice"]["histogram"] == []
        or sum(face["count"] for face in state["dice"]["histogram"]) < 2
    )
    assert not state["possible"]["download"]
    assert server.get(f"sessions/{session}/record").status_code == 409
    branch = {"ply": 0, "seats": ["random", "random"]}
    assert server.post(f"sessions/{session}/branch", branch).status_code == 409
    over = server.play_out(session)
    assert over["viewer"] is None and over["dice"]["seed"] == "1"
    assert all(event["action"] is not None for event in over["events"])
    assert server.post(f"sessions/{session}/take-back").status_code == 409  # all has been seen
    assert server.get(f"sessions/{session}/record").status_code == 200


def test_another_seats_thoughts_are_not_analysed_while_cards_are_hidden(server):
    session = server.begin("cards", "human", "random")["id"]
    state = server.act(session, lambda legal: legal[0])
    theirs = [event["ply"] for event in state["events"] if event["seat"] == 1]
    if state["status"] == "running":
        assert server.post(f"sessions/{session}/analyse", {"ply": theirs[0]}).status_code == 409
        assert server.post(f"sessions/{session}/tree", {"ply": theirs[0]}).status_code == 409
    server.play_out(session)
    answer = server.post(f"sessions/{session}/analyse", {"ply": theirs[0], "maxVisits": 16})
    assert answer.status_code == 200


def test_catans_hands_are_not_sent(server):
    """The whole conversation of a game, searched for the opponent's cards."""
    session = server.begin("catan/colonist1v1", "human", "scripted")["id"]
    state = server.wait(session)
    for _ in range(12):
        state = server.act(session)
    scene = state["position"]["scene"]
    for drawn in (scene, *scene["panels"]):
        assert all(shape.get("seen_by", -1) in (-1, 0) for shape in drawn["shapes"])
    for event in state["events"]:
        if event["action"] is None:
            assert event["touches"] == []
