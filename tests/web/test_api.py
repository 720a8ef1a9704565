"""The interface against its own description: whatever is sent, no answer is a 500."""

import json
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, settings

from stratagem.web.app import create_app
from stratagem.web.settings import ServerSettings

NOWHERE = ServerSettings(data=Path("nowhere"), runs=Path("nowhere"))  # nothing is started
SCHEMA = schemathesis.openapi.from_dict(create_app(NOWHERE).openapi())


@pytest.fixture(scope="module")
def session(server):
    session = server.begin("connect_four", "human", "human")["id"]
    server.act(session)
    return session


@SCHEMA.parametrize()
@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
)
def test_no_answer_is_a_500(case, server, session):
    """Half of the requests go to a session that exists, so that bodies are looked at."""
    if "name" in (case.path_parameters or {}) and case.method != "DELETE":
        case.path_parameters["name"] = session
    if isinstance(case.body, dict) and "maxVisits" in case.body:
        case.body["maxVisits"] = 5  # what is searched is not the question here
    answer = case.call(base_url=str(server.client.base_url).rstrip("/"), timeout=300)
    assert answer.status_code < 500, (answer.status_code, answer.text[:500])
    if answer.status_code >= 400:
        assert isinstance(answer.json()["detail"], str), answer.text


@pytest.mark.parametrize(
    "body",
    [
        b"", b"null", b"[]", b"{", b'"x"', b"\xff\xfe", b"{" * 3000, b"[" * 8000,
        b'{"action": 1e400, "ply": 0}', b'{"action": NaN, "ply": 0}',
        b'{"action": ' + b"9" * 5000 + b', "ply": 0}', b'{"action": true, "ply": false}',
        json.dumps({"action": 0, "ply": 10**30}).encode(),
    ],
)  # fmt: skip
def test_malformed_bodies_are_refused(server, session, body):
    before = server.state(session)
    for path in ("act", "take-back", "graph", "tree", "compare", "branch", "pause"):
        answer = server.client.post(
            f"/api/sessions/{session}/{path}",
            content=body,
            headers={"content-type": "application/json"},
        )
        assert 400 <= answer.status_code < 500, (path, answer.text)
        assert isinstance(answer.json()["detail"], str)
    after = server.state(session)
    assert after["events"] == before["events"] and after["revision"] == before["revision"]


def test_the_description_is_served_and_needs_nothing_from_elsewhere(server):
    page = server.client.get("/docs")
    assert page.status_code == 200 and "/api/sessions/{name}/act" in page.text
    assert "http://" not in page.text and "https://" not in page.text
    described = server.client.get("/openapi.json").json()
    assert "SessionState" in described["components"]["schemas"]


@pytest.mark.parametrize("path", ["/", "/g/0123456789ab", "/runs", "/static/page.js"])
def test_the_page_is_served_on_every_screens_address(server, path):
    answer = server.client.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/")
    if "etag" in answer.headers:
        again = server.client.get(path, headers={"if-none-match": answer.headers["etag"]})
        assert again.status_code == 304


@pytest.mark.parametrize(
    "path",
    ["/static/../app.py", "/static/%2e%2e/app.py", "/..%2f..%2fetc/passwd", "/nothing.js",
     "/static//etc/passwd.txt"],
)  # fmt: skip
def test_no_other_file_is_served(server, path):
    answer = server.client.get(path)
    assert answer.status_code == 404 or "<title>Stratagem</title>" in answer.text
    assert "create_app" not in answer.text and "root:" not in answer.text
