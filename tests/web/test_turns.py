"""Turns that a person can follow: what the others do comes step by step, in a real browser."""

import re
from itertools import pairwise

import pytest

from web.browser import CHROMIUM
from web.test_browser import Screen, browser, expect, playwright, site  # noqa: F401

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
    pytest.mark.slow,
]

# Notes when the shown position changes.
WATCH = """() => {
  window.steps = [];
  let last = null;
  setInterval(() => {
    const ply = document.querySelector("main.play")?.dataset.ply ?? null;
    if (ply !== null && ply !== last) window.steps.push([performance.now(), Number(ply)]);
    last = ply;
  }, 10);
}"""


@pytest.fixture
def screen(browser, site):  # noqa: F811
    shown = Screen(browser, site)
    shown.page.add_init_script(f"({WATCH})()")
    yield shown
    shown.context.close()
    assert not shown.complaints, shown.complaints


def steps(screen):
    return screen.page.evaluate("window.steps")


def test_opponents_move_one_step_at_a_time_and_can_be_replayed(screen):
    page = screen.page
    session = screen.site.begin("hexwar/crossroads", "goal-rush", "human")
    screen.open(f"/g/{session['id']}")
    screen.wait_for_turn()
    shown = steps(screen)
    newest = screen.site.state(session["id"])["plies"]
    assert [ply for _, ply in shown] == list(range(newest + 1)), "a step was lost"
    rests = [later[0] - earlier[0] for earlier, later in pairwise(shown)]
    assert len(rests) >= 5 and min(rests) >= 400, rests
    expect(page.locator(".turn strong")).to_have_text("Since your last move")
    expect(page.locator(".turn li").last).to_contain_text("Player 1 places ")
    page.click("#replay-turn")
    expect(page.locator("main")).to_have_attribute("data-ply", "0")
    assert page.locator("#headline.yours").count() == 0
    page.click("#skip")
    expect(page.locator("main")).to_have_attribute("data-ply", str(newest))
    screen.wait_for_turn()


def test_the_speed_is_remembered(screen):
    page = screen.page
    session = screen.site.begin("hexwar/crossroads", "goal-rush", "human")
    screen.open(f"/g/{session['id']}")
    page.get_by_label("Speed of the others' moves").select_option("at once")
    screen.wait_for_turn()
    page.reload()
    screen.wait_for_turn()
    expect(page.get_by_label("Speed of the others' moves")).to_have_value("0")


SIZES = """() => [...document.querySelectorAll(".scene svg text")].map((text) => {
  const matrix = text.getScreenCTM();
  return parseFloat(getComputedStyle(text).fontSize) * Math.hypot(matrix.a, matrix.b);
})"""


def test_text_on_the_board_can_be_read(screen):
    session = screen.site.begin("hexwar/breakthrough", "human", "goal-rush", pace_ms=0)
    screen.open(f"/g/{session['id']}")
    screen.wait_for_turn()
    expect(screen.page.locator(".scene.main svg")).to_have_attribute(
        "style", re.compile("--smallest")
    )
    sizes = screen.page.evaluate(SIZES)
    assert len(sizes) > 100 and min(sizes) >= 10, min(sizes)


def test_pointing_at_actions_moves_nothing_and_one_step_needs_no_confirmation(screen):
    page = screen.page
    session = screen.site.begin("hexwar/crossroads", "human", "goal-rush", pace_ms=0)
    screen.open(f"/g/{session['id']}")
    screen.wait_for_turn()
    button = page.locator(".actions .list button").nth(2)
    before = button.bounding_box()
    button.hover()
    page.wait_for_selector(".preview")
    assert button.bounding_box() == before
    button.click()  # the turn stays here: it is played at once
    expect(page.locator("main")).to_have_attribute("data-ply", "1")
    expect(page.locator(".chip.done")).to_contain_text("You place infantry on ")
