"""Charts are written as real pictures, in parallel, without global drawing state."""

import struct
import subprocess
import sys
from pathlib import Path

import pytest

from stratagem.core.registry import load_game
from stratagem.evaluate.curves import Curve
from stratagem.evaluate.drawing.charts import (
    draw_curves,
    draw_matrix,
    draw_measures,
    draw_ratings,
    short_name,
)
from stratagem.evaluate.intervals import mean_interval
from stratagem.evaluate.measures import Measures
from stratagem.evaluate.tournaments import Tournament, play_tournament


def picture_size(file: Path) -> tuple[int, int]:
    head = file.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", head[16:24])
    return width, height


@pytest.fixture(scope="module")
def tournament() -> Tournament:
    return play_tournament(load_game("dice"), ["random", "keeper", "scripted"], 10, seed=1)


def test_curves(tmp_path: Path) -> None:
    plain = [Curve("a", (0.0, 1.0), (0.0, 1.0)), Curve("b", (0.0, 1.0), (1.0, 0.5))]
    banded = [Curve("a", (0.0, 1.0), (0.0, 1.0), (-0.5, 0.5), (0.5, 1.5))]
    one = draw_curves(plain, tmp_path / "deep" / "plain.png", "title", "x", "y", level=0.5)
    two = draw_curves(banded, tmp_path / "banded.png")
    assert picture_size(one) > (600, 300)
    assert one.read_bytes() != two.read_bytes()
    assert picture_size(draw_curves([], tmp_path / "empty.png")) > (600, 300)


def test_the_same_picture_twice(tmp_path: Path) -> None:
    curves = [Curve("a", (0.0, 1.0), (0.0, 1.0))]
    one, two = (draw_curves(curves, tmp_path / f"{name}.png") for name in "ab")
    assert one.read_bytes() == two.read_bytes()


def test_tournament_pictures(tournament: Tournament, tmp_path: Path) -> None:
    assert picture_size(draw_ratings(tournament, tmp_path / "ratings.png")) > (600, 200)
    assert picture_size(draw_matrix(tournament, tmp_path / "matrix.png")) > (400, 400)


def test_measures_picture(tmp_path: Path) -> None:
    measured = {"shots": mean_interval([1.0, 2.0]), "hits": mean_interval([-3.0])}
    both = Measures("dice", 2, {"a": measured, "b": {"shots": mean_interval([0.0, 0.0])}})
    assert picture_size(draw_measures(both, tmp_path / "measures.png")) > (600, 300)


def test_no_global_drawing_state() -> None:
    code = "import sys, stratagem.evaluate.reports, stratagem.evaluate.drawing.charts; "
    subprocess.run(
        [sys.executable, "-c", code + "assert 'matplotlib.pyplot' not in sys.modules"], check=True
    )


def test_long_names_keep_their_end() -> None:
    assert short_name("random") == "random"
    assert short_name("mcts:runs/a-long-folder-name/ckpt/step_000012", 12) == "…step_000012"
