"""Pages, plots and result files belong together, and no number on a page is typed by hand."""

import json
from pathlib import Path

import pytest
from PIL import Image

from stratagem.evaluate.drawing.charts import Bar, draw_bars
from stratagem.evaluate.drawing.light import lighten, note_in
from stratagem.experiments import files, pages
from stratagem.experiments.exhibit import NOT_RUN
from stratagem.experiments.pages import exhibits, problems, write_pages
from stratagem.experiments.results import checkout_root, published_file

ROOT = Path(__file__).resolve().parents[2]
HEAVIEST = 150_000  # bytes of a committed plot


def test_what_is_committed_belongs_together():
    assert checkout_root() == ROOT
    assert list(problems(ROOT)) == []


def test_plots_are_light_and_results_name_no_folder_of_a_machine():
    for file in (ROOT / "docs" / "results").rglob("*.png"):
        assert file.stat().st_size < HEAVIEST, file.name
    for file in (ROOT / "results").glob("*.json"):
        text = file.read_text()
        assert '"/' not in text and ":/" not in text.replace("://", ""), file.name


def test_every_document_has_its_page():
    found = {game.replace("_", "-") for game in exhibits(ROOT)}
    assert {"battlefield", "hexwar", "terra-mystica", "catan", "hispania"} <= found
    assert "results/index.md" in (ROOT / "README.md").read_text()


REPEATS = """
kind = "repeats"
title = "Small"
source = "a paper, section 3"
scenario = "thesis"
preset = "hdqn"
settings = { iterations = 1 }
measures = [{ name = "points", title = "points", figure = "figure 9" }]
paper = [{ arm = "ff", value = 9.5 }]
arms = [{ name = "ff", title = "FF" }]

[exhibit]
number = "figure 9"
paper = "9.5 points"
ours = "{arms.ff.measures.points.mean:.1f} points"
verdict = "same"
text = "As in figure 9, with {arms.ff.games} games."
"""
RESULT = {
    "name": "catan/small", "title": "Small", "game": "catan/thesis", "seed": 0, "seeds": 1,
    "window": 1, "baseline": "", "commit": "abc1234", "budget_seconds": 60.0, "findings": ["So."],
    "arms": [{
        "arm": "ff", "title": "FF", "runs": 1, "unfinished": 0, "games": 77, "decisions": 1,
        "steps": 1, "seconds": 6.0, "paper": 9.5,
        "measures": {"points": {"mean": 8.25, "low": None, "high": None, "by_run": [8.25],
                                "above_baseline": None}},
    }],
}  # fmt: skip


@pytest.fixture
def root(tmp_path, monkeypatch):
    file = tmp_path / "small.toml"
    file.write_text(REPEATS)
    for module in (files, pages):
        monkeypatch.setattr(module, "experiment_files", lambda: {"catan/small": file})
    return tmp_path


def test_an_exhibit_without_a_result_says_so(root):
    write_pages(root)
    assert NOT_RUN in (root / "docs/results/index.md").read_text()
    assert list(problems(root)) == []


def test_a_result_makes_its_page_and_plots(root):
    target = published_file(root, "catan/small")
    target.parent.mkdir()
    target.write_text(json.dumps(RESULT))
    write_pages(root, ["catan/small"])
    assert list(problems(root)) == []
    page = (root / "docs/results/catan.md").read_text()
    assert "8.2 points" in page and "with 77 games" in page and "abc1234" in page
    assert "stratagem experiment catan/small --publish" in page
    assert "There is only one arm" in page and "So." not in page
    plot = root / "docs/results/plots/catan-small/points_bars.png"
    assert f"({plot.relative_to(root / 'docs/results')})" in page

    changed = page.replace("8.25", "9.99")
    assert changed != page
    (root / "docs/results/catan.md").write_text(changed)
    (line,) = problems(root)
    assert "catan.md does not match the results" in line
    write_pages(root)
    target.write_text(json.dumps(RESULT | {"findings": ["Otherwise."]}))
    write_pages(root)
    assert any("is from another result" in line for line in problems(root))
    write_pages(root, ["catan/small"])
    plot.with_name("stray.png").write_bytes(plot.read_bytes())
    (line,) = problems(root)
    assert "stray.png is on no page" in line
    plot.with_name("stray.png").unlink()
    plot.unlink()
    (line,) = problems(root)
    assert "points_bars.png is missing" in line


def size_of(file):
    with Image.open(file) as image:
        return image.size


def test_light_pictures_keep_their_size_and_note(tmp_path):
    file = draw_bars([Bar("a", 1.0, 0.5, 1.5, 2.0)], tmp_path / "bars.png", "x")
    before, size = file.stat().st_size, size_of(file)
    lighten(file, {"result": "1234"})
    assert file.stat().st_size < before and size_of(file) == size
    assert note_in(file, "result") == "1234" and note_in(file, "other") == ""
