"""Scenes become drawings: every shape arrives, seats differ by more than colour."""

from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Polygon

from stratagem.agents import make_agent
from stratagem.core.errors import BadSetting
from stratagem.core.record import replay
from stratagem.core.registry import load_game
from stratagem.core.scene import Scene, Shape
from stratagem.evaluate.drawing.palette import ROLES, SEAT_COLOURS, THEMES, paper_of, style_of
from stratagem.evaluate.drawing.scenes import (
    draw_scene,
    evenly_picked,
    game_strip,
    position_picture,
)
from stratagem.evaluate.drawing.sheets import arrange
from stratagem.evaluate.matches import play_match

SCENE = Scene(
    3,
    2,
    (
        Shape("polygon", ((0, 0), (1, 0), (1, 1), (0, 1)), "wall"),
        Shape("disc", ((0.5, 0.5),), "seat0", "A2", 0.4),
        Shape("disc", ((1.5, 0.5),), "seat1", radius=0.4),
        Shape("line", ((0.5, 0.5), (1.5, 0.5)), "seat0-target"),
        Shape("label", ((2.5, 1.5),), "text", "x"),
        Shape("polygon", ((1, 1), (2, 1), (2, 2)), "a-role-of-tomorrow"),
    ),
)


def test_every_shape_is_drawn() -> None:
    axes = Figure().subplots()
    draw_scene(SCENE, axes)
    kinds = [type(patch) for patch in axes.patches]
    assert kinds == [Polygon, Circle, Circle, Polygon]
    assert [text.get_text() for text in axes.texts] == ["A2", "x"]
    assert len(axes.lines) == 1
    low, high = axes.get_ylim()
    assert low > high  # rows count downwards
    assert [patch.get_zorder() for patch in axes.patches] == [0, 1, 2, 5]


def test_an_unknown_shape_is_refused() -> None:
    with pytest.raises(BadSetting, match="'spiral'"):
        draw_scene(Scene(1, 1, (Shape("spiral", ((0, 0),), "wall"),)), Figure().subplots())


def test_looks_of_roles() -> None:
    seats = [style_of(f"seat{seat}") for seat in range(len(SEAT_COLOURS))]
    assert len({style.fill for style in seats}) == len(SEAT_COLOURS)
    assert style_of("a-role-of-tomorrow") == style_of("another")
    assert style_of("seat1-target").dash and not style_of("seat1").dash
    for role in ROLES:
        light, dark = (style_of(role, theme) for theme in THEMES)
        assert light.width == dark.width, role


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("role", ROLES)
def test_texts_stand_out(role: str, theme: str) -> None:
    """A contrast of 3 or more against what lies behind, as WCAG asks of large text and symbols."""
    style = style_of(role, theme)
    behind = paper_of(theme) if style.fill == "none" else style.fill
    if not role.endswith("-mark") and role not in _FAINT:
        bright, dim = sorted((_luminance(style.text), _luminance(behind)), reverse=True)
        assert (bright + 0.05) / (dim + 0.05) >= 3.0


_FAINT = ("slot-used", "tile-past")  # used up: meant to recede


def _luminance(colour: str) -> float:
    parts = np.array(to_rgb(colour))
    linear = np.where(parts <= 0.03928, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))


def test_panels_stand_beside_the_board(tmp_path: Path) -> None:
    panels = tuple(Scene(4, 2, SCENE.shapes[:2], title=f"panel {k}") for k in range(5))
    scene = Scene(10, 8, SCENE.shapes, title="board", panels=panels)
    sheet = arrange(scene)
    boxes = [(x, y, x + s.width * k, y + s.height * k) for s, x, y, k in sheet.parts]
    assert len(boxes) == 6
    for k, (left, top, right, bottom) in enumerate(boxes):
        assert 0 <= left < right <= sheet.width and 0 <= top < bottom <= sheet.height
        for x, y, x_end, y_end in boxes[:k]:
            assert right <= x or x_end <= left or bottom <= y or y_end <= top
    light = position_picture(scene, tmp_path / "light.png")
    dark = position_picture(scene, tmp_path / "dark.png", theme="dark")
    assert light.read_bytes() != dark.read_bytes()


def test_even_picks() -> None:
    assert evenly_picked(9, 5) == [0, 2, 4, 6, 8]
    assert evenly_picked(3, 5) == [0, 1, 2]
    assert evenly_picked(1, 5) == [0]
    assert evenly_picked(30, 1) == [0]


@pytest.mark.parametrize("name", ["connect_four", "battlefield"])
def test_strip_of_a_real_game(name: str, tmp_path: Path) -> None:
    game = load_game(name)
    agents = [make_agent("random", game)] * 2
    (record,) = play_match(game, agents, 1, seed=2, keep=True).records
    states = replay(record, game)
    short = game_strip(game, states, [0, -1], tmp_path / "two.png")
    picks = evenly_picked(len(states), 5)
    long = game_strip(game, states, picks, tmp_path / "five.png", "a real game")
    assert long.stat().st_size > short.stat().st_size > 2_000
    assert long.read_bytes()[:4] == b"\x89PNG"
    assert states["seat"][0] == 0  # drawing changes nothing


def test_strips_need_a_view_and_positions(tmp_path: Path) -> None:
    four, dice = load_game("connect_four"), load_game("dice")
    with pytest.raises(BadSetting, match="dice has no view"):
        game_strip(dice, dice.new_states(np.ones(1, np.uint64)), [0], tmp_path / "x.png")
    with pytest.raises(BadSetting, match="at least one position"):
        game_strip(four, four.new_states(np.ones(1, np.uint64)), [], tmp_path / "x.png")
    assert list(tmp_path.iterdir()) == []
