"""Text in the panels beside a board fits: inside its box, inside the panel, beside other text.

The page draws panels in a narrow column and makes no text smaller than a person can read, so
a panel that is drawn for a wide one runs its words into each other.
"""

from itertools import combinations

import pytest

from stratagem.agents import make_agent
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seeds
from stratagem.evaluate.bench import step_randomly

COLUMN = 264.0  # pixels that a panel has across, at 1280 x 720
SMALLEST = 10.2  # of web/src/board/legible.ts
LETTER = 0.58  # mean width of a letter, of its height
SPECS = [
    "battlefield", "battlefield/squad", "connect_four", "hexwar/asymmetric", "hexwar/breakthrough",
    "catan/colonist1v1", "catan/official?players=4", "catan/trading", "terra_mystica",
    "terra_mystica/5p", "hispania/duel8", "hispania/full55",
]  # fmt: skip


def positions(game):
    """The opening, and places along a game of the game's own bot."""
    agent = make_agent("scripted" if "scripted" in game.rules.bots else "random", game)
    states = game.new_states(derive_seeds(3, "panels", count=1))
    for ply in range(400):
        if ply in (0, 20, 80, 200, 399):
            yield states[0].copy()
        step_randomly(game, agent, states, derive_seeds(ply, "panels", count=1))


def box_of(shape, scale):
    """(left, top, right, bottom) of a shape's text in pixels."""
    height = max(SMALLEST, shape.size * scale)
    width = LETTER * height * len(shape.text)
    xs, ys = zip(*shape.points, strict=True)
    x, y = (min(xs) + max(xs)) / 2 * scale, (min(ys) + max(ys)) / 2 * scale
    left = x - width * {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.anchor]
    return left, y - 0.36 * height, left + width, y + 0.36 * height


def overlap(one, two):
    wide = min(one[2], two[2]) - max(one[0], two[0])
    high = min(one[3], two[3]) - max(one[1], two[1])
    return min(wide, high)


def faults(panel):
    scale = COLUMN / panel.width
    written = [(shape, box_of(shape, scale)) for shape in panel.shapes if shape.text]
    for shape, box in written:
        xs = [x * scale for x, _ in shape.points]
        if shape.kind == "disc":
            xs = [xs[0] - shape.radius * scale, xs[0] + shape.radius * scale]
        inside = (min(xs), max(xs)) if shape.kind in ("polygon", "disc") else (0, COLUMN)
        if box[0] < inside[0] - 2 or box[2] > inside[1] + 2:
            yield f"{panel.title}: {shape.text!r} is wider than its place"
    for (one, first), (two, second) in combinations(written, 2):
        if overlap(first, second) > 1.5:
            yield f"{panel.title}: {one.text!r} runs into {two.text!r}"


@pytest.mark.parametrize("spec", SPECS)
def test_text_of_panels_fits(spec):
    game = load_game(spec)
    found = set()
    for state in positions(game):
        scene = game.rules.view(state)
        for seat in range(game.num_seats):
            for panel in scene.for_seat(seat).panels:
                found.update(faults(panel))
    assert sorted(found) == []
