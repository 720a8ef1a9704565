"""`runs` lists run folders, whatever state they are in."""

import json

from stratagem.runs.lock import hold_run


def test_the_table_names_what_is_damaged(cli, trained, tmp_path):
    broken = tmp_path / "runs" / "broken"
    broken.mkdir(parents=True)
    (broken / "config.toml").write_text("game = [")
    trained.rename(tmp_path / "runs" / "good")
    answer = cli("runs")
    assert answer.code == 0
    good, bad = (next(line for line in answer.out.splitlines() if name in line)
                 for name in ("runs/good", "runs/broken"))  # fmt: skip
    assert "connect_four/default" in good and "finished" in good and "random" in good
    assert "damaged" in bad
    assert "damaged: runs/broken: " in answer.out
    found = {one["run"]: one for one in json.loads(cli("runs", "--json").out)}
    assert found["runs/good"]["iterations"] == 2 and not found["runs/good"]["damage"]


def test_a_run_is_running_while_its_lock_is_held(cli, trained, tmp_path):
    trained.rename(tmp_path / "runs")
    with hold_run(tmp_path / "runs"):
        assert json.loads(cli("runs", "--json").out)[0]["status"] == "running"
    assert json.loads(cli("runs", "--json").out)[0]["status"] == "finished"
    # A killed process leaves its name behind, but not its lock.
    (tmp_path / "runs" / "lock").write_text('{"pid": 1}')
    assert json.loads(cli("runs", "--json").out)[0]["status"] == "finished"


def test_before_the_first_run_it_says_how_to_start_one(cli):
    answer = cli("runs")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == "no runs in runs: start one with `stratagem train GAME`\n"


def test_a_wrong_folder_is_named(cli):
    answer = cli("runs", "nowhere")
    assert answer.code == 2 and "nowhere" in answer.err
