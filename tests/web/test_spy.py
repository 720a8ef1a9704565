"""Whatever the server gives to a search process has passed through `hide`."""

import numpy as np
import pytest

from stratagem.core.registry import load_game


@pytest.fixture
def jobs(server, monkeypatch):
    """Jobs as they are handed to the search processes."""
    pool, found = server.app.state.context.pool, []
    submit = pool.submit

    def watched(job, *more, **options):
        found.append(job)
        return submit(job, *more, **options)

    monkeypatch.setattr(pool, "submit", watched)
    return found


def test_moves_hints_and_analyses_see_only_what_their_seat_sees(server, jobs):
    session = server.begin("spy", "human", "spy")["id"]
    server.wait(session)
    server.ok(f"sessions/{session}/hint")
    server.ok(f"sessions/{session}/tree", {"maxVisits": 8})
    over = server.act(session, lambda legal: legal[0])
    assert over["status"] == "over"  # a bet of the spy would have gone on
    assert [event["text"] for event in over["events"] if event["seat"] == 1] == ["pass"]
    for event in over["events"]:
        if event["seat"] >= 0:
            server.ok(f"sessions/{session}/analyse", {"ply": event["ply"], "maxVisits": 8})
    dtype = load_game("spy").rules.dtype
    for job in jobs:
        states = np.frombuffer(job.states, dtype)
        assert (states["seen_by"] == states["seat"] + 1).all()
    assert {job.kind for job in jobs} == {"move", "analyse", "tree", "prepare"}
