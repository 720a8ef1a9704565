"""`report` turns a run into a page with pictures."""

import json
import re
import shutil
from pathlib import Path


def test_page_and_pictures(cli, trained):
    answer = cli("report", trained, "--json")
    assert answer.code == 0
    page = (trained / "report.md").read_text()
    pictures = {"losses.png", "anchors.png", "speed.png", "game.png"}
    assert {path.rsplit("/", 1)[1] for path in json.loads(answer.out)["pictures"]} >= pictures
    for picture in pictures:
        assert picture in page
        assert (trained / picture).read_bytes().startswith(b"\x89PNG")
    assert "[search]" in page and "connect_four" in page
    assert "An equally strong player would score about 0.5." in page
    assert re.search(r"\| `random` +\| [01]\.\d+ +\| [\d.]+ to [\d.]+ +\| 4 ", page)


def test_a_run_without_an_iteration_says_so(cli, trained):
    (trained / "metrics.jsonl").unlink()
    answer = cli("report", trained)
    assert answer.code == 2 and "no finished iteration" in answer.err


def test_the_page_of_a_match(cli, tmp_path):
    out = tmp_path / "match"
    words = ("match", "hispania/duel8", "scripted", "random", "--games", "4", "--out", str(out))
    assert cli(*words).code == 0
    answer = cli("report", str(out))
    assert answer.code == 0, answer.err
    page = (out / "report.md").read_text()
    for text in ("`scripted`", "vp share without handicap", "## vp by side", "game.png", "CAR"):
        assert text in page
    for picture in ("game.png", "vp_by_side.png", "alignment_by_side.png", "regions_by_round.png"):
        assert (out / picture).read_bytes().startswith(b"\x89PNG")


def test_several_runs_become_one_page(cli, trained, tmp_path):
    other = Path(shutil.copytree(trained, tmp_path / "other"))
    config = other / "config.toml"
    config.write_text(config.read_text().replace("seed = 0", "seed = 7"))
    for state in other.glob("ckpt/*/train_state.json"):
        state.unlink()  # it would say that the settings were changed
    page = tmp_path / "runs.html"
    assert "--html" in cli("report", trained, other).err
    answer = cli("report", trained, other, "--html", page)
    assert answer.code == 0, answer.err
    text = page.read_text()
    assert "Over seeds" in text and "<td>seed</td>" in text and text.count("data:image/png") >= 3
    assert "http" not in text.replace("http-equiv", "")  # nothing is loaded from elsewhere
