"""The guided first games: every step can be followed, and the rules in short come first."""

import pytest

from stratagem.core.registry import list_games
from stratagem.web.rulebook import read_rulebook
from stratagem.web.tours import has_tour, read_tour

SHIPPED = ["battlefield", "catan", "connect_four", "hexwar", "hispania", "terra_mystica"]


def test_every_shipped_game_has_one():
    assert set(SHIPPED) <= {about.name for about, _ in list_games()}
    assert all(has_tour(name) for name in SHIPPED) and not has_tour("nothing")


@pytest.mark.parametrize("name", SHIPPED)
def test_it_can_be_read_in_two_minutes_and_its_game_begins(server, name):
    tour = read_tour(name)
    words = sum(len(step.text.split()) for step in tour.steps)
    assert 4 <= len(tour.steps) <= 8 and words < 400  # 200 words a minute
    assert all(len(step.text) < 300 for step in tour.steps)
    setup = server.get("setup", game=tour.game).json()
    others = [tour.opponent] * (setup["num_seats"] - 1)
    assert server.begin(tour.game, "human", *others)["id"]


@pytest.mark.parametrize("name", SHIPPED)
def test_what_a_step_waits_for_can_be_done(server, name):
    """The first step that waits is for an action that is legal in the first turn of its game."""
    tour = read_tour(name)
    waits = [step.until for step in tour.steps if step.until]
    if not waits:
        return
    setup = server.get("setup", game=tour.game).json()
    others = [tour.opponent] * (setup["num_seats"] - 1)
    session = server.begin(tour.game, "human", *others)["id"]
    left = list(waits)
    state = server.wait(session)
    for _ in range(400):
        if not left or state["status"] != "running":
            break
        legal = state["legal"]
        chosen = next((one for one in legal if one["text"].startswith(left[0])), None)
        if chosen is not None:
            left.pop(0)
        state = server.act(session, lambda legal, at=chosen: at or legal[len(legal) // 2])
    assert not left


@pytest.mark.parametrize("name", SHIPPED)
def test_the_rules_begin_in_short(name):
    text = read_rulebook(name).text
    assert text.startswith("## In short\n") and "## Rules" in text
