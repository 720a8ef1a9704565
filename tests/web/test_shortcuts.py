"""Several decisions in one click: further than one hex, and the end of a phase."""

import pytest

from stratagem.core.registry import load_game
from stratagem.core.sentences import Reader
from stratagem.web import shortcuts


@pytest.fixture(scope="module")
def war():
    return load_game("hexwar/symmetric")


def moving(game):
    """A position in which units move."""
    state = game.new_state(1)
    groups = {group.name: group for group in game.rules.groups(game.scenario)}
    for _ in range(200):
        legal = game.legal_actions(state)
        if any(groups["movement"].start <= one < groups["movement"].stop for one in legal):
            return state, legal, groups
        state = game.after(state, legal[0])
    raise AssertionError("nobody moves")


def test_routes_lead_further_than_one_step_and_are_legal(war):
    state, legal, groups = moving(war)
    steps = [one for one in legal if groups["movement"].start <= one < groups["movement"].stop]
    piece = war.rules.touches(state, steps[0])[0]
    near = {war.rules.touches(state, one)[1] for one in steps}
    found = shortcuts.routes(war, state, piece, Reader.of(2))
    assert found
    for route in found:
        assert len(route.actions) > 1 and route.touches[0] == piece
        assert route.touches[1] not in near
        assert shortcuts.check(war, state, route.actions)
        assert "; then " in route.sentence and route.sentence[0].isupper()
    assert not shortcuts.check(war, state, [found[0].actions[-1], *found[0].actions])


def test_a_phase_ends_at_once(war):
    state, _, groups = moving(war)
    ending = shortcuts.finish(war, state, Reader.of(2))
    place = state
    for action in ending.actions:
        assert groups["no-move"].start <= action < groups["no-move"].stop
        place = war.after(place, action)
    assert int(place["phase"]) != int(state["phase"]) or int(place["seat"]) != int(state["seat"])


def test_games_without_units_have_none():
    game = load_game("connect_four")
    assert shortcuts.finish(game, game.new_state(1), Reader.of(2)) is None
    assert shortcuts.routes(game, game.new_state(1), "column:1", Reader.of(2)) == []


def test_a_route_is_one_request_and_nothing_of_it_is_done_if_it_is_wrong(server):
    session = server.begin("hexwar/symmetric", "human", "random")["id"]
    state = server.wait(session)
    for _ in range(60):
        moves = [one for one in state["legal"] if one["group"] == "movement"]
        if moves:
            break
        state = server.act(session)
    routes = server.get(f"sessions/{session}/routes", piece=moves[0]["touches"][0]).json()
    first, *then = routes[0]["actions"]
    wrong = {"action": first, "ply": state["plies"], "then": [first, first, first, first]}
    assert server.post(f"sessions/{session}/act", wrong).status_code == 409
    assert server.state(session)["plies"] == state["plies"]
    body = {"action": first, "ply": state["plies"], "then": then}
    assert server.ok(f"sessions/{session}/act", body)["plies"] >= state["plies"] + len(then) + 1
