"""Training runs, read from their folders while they grow."""

import json
import os
import shutil

import pytest
from websockets.sync.client import connect

from runs.made_up import some_metrics
from stratagem.core.record import record_game, write_record
from stratagem.core.registry import load_game
from stratagem.runs.lock import hold_run
from stratagem.web.runs import Runs, gates_of


@pytest.fixture
def growing(run_folder):
    """A second run that a test may change."""
    run = run_folder / "group" / "second"
    shutil.copytree(run_folder / "first", run)
    yield run
    shutil.rmtree(run.parent)


def add_game(run, name, moves):
    record = record_game(load_game("connect_four"), 1, moves, ("iteration 1",) * 2)
    write_record(record, run / "games" / f"{name}.jsonl")


def test_runs_are_listed_with_their_newest_numbers(server):
    listed = {run["name"]: run for run in server.get("runs").json()}
    first = listed["first"]
    assert first["game"] == "connect_four/default" and first["iterations"] == 3
    assert first["anchors"] == {"random": pytest.approx(0.8)}
    assert first["algorithm"] == "alphazero" and first["seed"] == 3


def test_a_run_is_running_while_its_lock_is_held(server, growing):
    address = str(server.client.base_url).replace("http", "ws").rstrip("/")
    with connect(f"{address}/api/runs/group~second/live") as socket:
        assert json.loads(socket.recv(timeout=100))["summary"]["status"] == "stopped"
        with hold_run(growing):
            told = json.loads(socket.recv(timeout=100))
            assert told["summary"]["status"] == "running" and told["rows"] == []
            assert told["first"] == 3 and told["summary"]["memory_bytes"] > 1e6
            step = growing / "ckpt" / "step_000001"
            step.mkdir(parents=True)
            (step / "model.json").write_text("{}")
        ended = json.loads(socket.recv(timeout=100))
        assert ended["summary"]["status"] == "stopped"
        assert [one["name"] for one in ended["checkpoints"]] == ["step_000001"]


def test_metrics_and_log_can_be_taken_away(server, growing):
    answer = server.get("runs/group~second/metrics.csv")
    assert answer.headers["content-type"].startswith("text/csv")
    assert 'filename="group~second.csv"' in answer.headers["content-disposition"]
    lines = answer.text.splitlines()
    assert len(lines) == 4 and lines[0].startswith("iteration,seconds,")
    assert "anchors/random/score" in lines[0]
    assert server.get("runs/group~second/log").json() == {"lines": []}
    (growing / "log.txt").write_text("".join(f"line {k}\n" for k in range(1000)))
    kept = server.get("runs/group~second/log").json()["lines"]
    assert kept[-1] == "line 999" and len(kept) == 300
    assert server.get("runs/nothing/log").status_code == 404


def test_a_population_has_a_matrix_of_scores(server, growing):
    met = {"scripted": {"score": 0.25, "low": 0.1, "high": 0.4, "games": 8}}
    row = some_metrics(1, opponents=met).as_line()
    (growing / "metrics.jsonl").write_text(row + "\n")
    payoffs = server.get("runs/group~second").json()["payoffs"]
    assert payoffs["opponents"] == ["scripted"] and payoffs["scores"] == [[0.25]]
    assert payoffs["spans"] == [[1, 1]] and payoffs["games"] == [[8]]


def test_a_runs_details(server):
    detail = server.get("runs/first").json()
    assert len(detail["metrics"]) == 3  # the torn line never happened
    assert [gate["accepted"] for gate in detail["gates"]] == [True, False, True]
    gate = detail["gates"][0]
    assert gate["low"] < gate["score"] < gate["high"] and gate["games"] == 40
    assert detail["checkpoints"] == [] and detail["settings"]["search"]["sims"] == 16


@pytest.mark.parametrize("name", ["nothing", "..", "first~games", "%2e%2e", "%2e%2e%2f"])
def test_unknown_runs(server, name):
    assert server.get(f"runs/{name}/measures").status_code == 404
    assert server.post(f"runs/{name}/games/newest").status_code == 404


def test_the_newest_self_play_game_is_shown(server, growing):
    assert server.post("runs/group~second/games/newest").status_code == 404
    add_game(growing, "000001", [0, 1, 0, 1, 0, 1, 0])
    add_game(growing, "000002", [3, 3, 3])
    assert server.get("runs/group~second").json()["games"] == ["000002", "000001"]
    newest = server.ok("runs/group~second/games/newest")
    assert newest["status"] == "record" and newest["plies"] == 3
    again = server.ok("runs/group~second/games/000002")
    assert again["id"] == newest["id"]  # looked at twice, kept once
    assert all(session["id"] != newest["id"] for session in server.get("sessions").json())
    assert server.ok("runs/group~second/games/000001")["plies"] == 7
    assert server.post("runs/group~second/games/..").status_code == 404


def test_measures_of_a_game_without_measures(server, growing):
    add_game(growing, "000001", [3, 3])
    assert server.get("runs/group~second/measures").json()["measures"] == []


def test_metrics_are_told_as_they_are_written(server, growing):
    address = str(server.client.base_url).replace("http", "ws").rstrip("/")
    with connect(f"{address}/api/runs/group~second/live") as socket:
        first = json.loads(socket.recv(timeout=100))
        assert first["first"] == 0 and len(first["rows"]) == 3 and len(first["gates"]) == 3
        with (growing / "metrics.jsonl").open("a") as stream:
            stream.write("\n" + some_metrics(4).as_line() + "\n")
        more = json.loads(socket.recv(timeout=100))
        assert more["first"] == 3 and [row["seconds"] for row in more["rows"]] == [8.0]
        assert more["summary"]["iterations"] == 4
        (growing / "metrics.jsonl").write_text(
            some_metrics(1).as_line() + "\n"
        )  # resumed after iteration 1
        back = json.loads(socket.recv(timeout=100))
        assert back["first"] == 0 and [row["iteration"] for row in back["rows"]] == [1]


def test_only_tests_that_were_played_are_listed():
    assert gates_of([some_metrics(1), some_metrics(2, accepted=False)]) == []


def test_a_damaged_run_hides_nobody_else(tmp_path):
    for name, text in (("good", 'game = "connect_four"\n'), ("bad", "game = [")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.toml").write_text(text)
    found = {run.name: run.unplayable for run in Runs(tmp_path).all()}
    assert found["good"] == "" and "not valid TOML" in found["bad"]


def test_the_ladder_and_strengths_are_what_was_measured(server):
    found = server.get("leaderboard").json()
    rows = found["rows"]
    best = [row for row in rows if row["game"] == "battlefield/default" and row["agent"] == "best"]
    assert best and all(row["low"] <= row["score"] <= row["high"] for row in best)
    setup = server.get("setup", game="battlefield").json()
    shown = {one["spec"]: one["strength"] for one in setup["opponents"]}
    telling = sorted(row["score"] for row in best if row["games"] >= 40)
    assert [row["score"] for row in shown["best"]] == telling  # the hardest opponent first
    ladder = next(one for one in found["ladders"] if one["game"] == "battlefield/default")
    ratings = [rung["rating"] for rung in ladder["rungs"]]
    assert ratings == sorted(ratings, reverse=True) and ladder["anchor"] == "random"
    rated = {rung["agent"] for rung in ladder["rungs"]}
    levels = {spec for spec in shown if spec.startswith("mcts:none")}
    assert len(levels) > 2 and levels <= rated  # a level is offered if it was measured
    assert all(one["strength"] for one in setup["opponents"] if one["spec"] in levels)
    assert setup["default_opponent"] == "best" and setup["adviser"] == "best"
    assert "run:first" not in shown  # another game's run


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("config.toml", b"seed = ["),
        ("config.toml", b"\xff\xfe"),
        ("config.toml", b'game = ""'),
        ("metrics.jsonl", b"garbage\n"),
        ("ckpt/best", b"step_000099"),
    ],
)
def test_a_damaged_run_is_listed_with_the_reason_and_hides_no_other(server, growing, name, content):
    (growing / name).parent.mkdir(exist_ok=True)
    (growing / name).write_bytes(content)
    answer = server.get("runs")
    assert answer.status_code == 200
    listed = {run["name"]: run for run in answer.json()}
    assert listed["first"]["damage"] == "" and listed["group~second"]["damage"]
    assert server.get("setup", game="connect_four").status_code == 200
    assert server.get("runs/group~second").status_code < 500


def test_settings_and_times_of_any_kind_do_not_end_the_list(server, run_folder):
    odd = run_folder / "odd"
    odd.mkdir()
    try:
        config = odd / "config.toml"
        config.write_text(
            'game = 5\nseed = 1979-05-27\nbudget_seconds = nan\n[search]\nsims = "x"\n'
        )
        os.utime(config, (1e9, 3e11))
        (run_folder / "gone").symlink_to("nowhere")
        listed = {run["name"]: run for run in server.get("runs").json()}
        assert {"odd", "first"} <= set(listed) and listed["odd"]["seed"] is None
        assert server.get("runs/odd").status_code == 200
    finally:
        shutil.rmtree(odd)
        (run_folder / "gone").unlink()
