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


def test_settings_of_any_type_do_not_end_the_list(cli, tmp_path):
    """A date, a number and a list where words belong; each of them ended the list for all runs."""
    folder = tmp_path / "runs" / "odd"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text(
        'game = 5\nalgorithm = ["x"]\nseed = 1979-05-27\nbudget_seconds = "x"\niterations = nan\n'
    )
    with hold_run(folder):
        assert "runs/odd" in cli("runs").out
        (found,) = json.loads(cli("runs", "--json").out)
    assert (found["game"], found["algorithm"], found["seed"]) == (None, None, None)


def test_what_moves_the_cursor_is_spelled_out(cli, tmp_path):
    folder = tmp_path / "runs" / "odd"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text('game = "\\u001B]0;title\\u0007\\u001B[2J"\n')
    answer = cli("runs")
    assert "\x1b" not in answer.out and r"\x1b]0;title\x07" in answer.out
