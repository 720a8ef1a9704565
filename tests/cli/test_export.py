"""`export` writes folders and ONNX files; `report` writes metrics for other tools."""

import json


def test_a_run_as_a_folder(cli, trained):
    answer = cli("export", trained, "--out", "shared", "--json")
    assert answer.code == 0, answer.err
    page = (trained.parent / "shared" / "README.md").read_text()
    assert json.loads(answer.out)["page"] == "shared/README.md"
    assert "| `random` |" in page.replace("`random`  ", "`random` ")  # met as an anchor
    match = ("match", "connect_four", "policy:shared", "random", "--games", "2")
    assert cli(*match).code == 0
    again = cli("export", trained, "--out", "shared")
    assert again.code == 2 and "already exists" in again.err


def test_a_run_as_onnx(cli, trained):
    answer = cli("export", trained, "--out", "net.onnx")
    assert answer.code == 0, answer.err
    assert "description: net.json" in answer.out
    assert json.loads((trained.parent / "net.json").read_text())["network"] == "cnn"


def test_metrics(cli, trained):
    answer = cli("report", trained, "--csv", "m.csv", "--tensorboard", "events", "--json")
    assert answer.code == 0, answer.err
    assert json.loads(answer.out)["iterations"] == 2
    assert len((trained.parent / "m.csv").read_text().splitlines()) == 3
    assert list((trained.parent / "events").iterdir())
    assert not (trained / "report.md").exists()
    assert cli("report", "nowhere", "--csv", "m.csv").code == 2


def test_best_needs_a_game(cli):
    answer = cli("export", "best", "--out", "four")
    assert answer.code == 2 and "--game" in answer.err
