"""What opponents do can be followed: a step at a time, none lost, skipped or shown again."""

from itertools import pairwise

import pytest

from web.browser import CHROMIUM, chromium

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        CHROMIUM is None, reason="chromium is not installed (Debian: apt-get install chromium)"
    ),
]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

LEAST = 400  # milliseconds between two steps
ALLOWED = 25  # by which a browser's timers are early
PLIES = 50

# Every position that is shown, with its time.
WATCH = """
() => {
  window.shown = [];
  const look = () => {
    const ply = Number(document.querySelector("main")?.dataset.ply ?? -1);
    const last = window.shown.at(-1);
    if (ply >= 0 && ply !== last?.[0]) window.shown.push([ply, performance.now()]);
  };
  new MutationObserver(look).observe(document, {subtree: true, childList: true, attributes: true});
}
"""
SIZE = {"width": 1280, "height": 720}  # without the page's policy: waiting evaluates text


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


def long_turn(server):
    """A game of Hispania in which others have just taken many steps."""
    session = server.begin("hispania/full55", "human", "scripted", "scripted", "scripted")["id"]
    for _ in range(120):
        before = server.wait(session)["plies"]
        stop = lambda legal: next((a for a in legal if a["text"] == "stop"), legal[0])  # noqa: E731
        after = server.act(session, stop)["plies"]
        if after - before > PLIES + 2:
            return session, before + 1, after
    raise AssertionError(f"nobody takes {PLIES} steps in a row")


def test_fifty_steps_of_opponents_are_shown_one_by_one(browser, server):
    session, first, plies = long_turn(server)
    context = browser.new_context(viewport=SIZE, bypass_csp=True)
    page = context.new_page()
    page.set_default_timeout(240_000)
    page.add_init_script(f"({WATCH.strip()})()")
    page.add_init_script("localStorage['stratagem.pace'] = '400'")
    page.goto(f"{str(server.client.base_url).rstrip('/')}/g/{session}")
    page.wait_for_selector(f"main[data-ply='{plies}']")
    page.locator("#replay-turn").click()
    page.wait_for_function(f"window.shown.some(([ply]) => ply === {first + PLIES})")
    shown = page.evaluate("window.shown")
    begun = next(place for place, (ply, _) in enumerate(shown) if ply == first)
    followed(shown[begun:], first, first + PLIES)
    page.locator("#skip").click()
    page.wait_for_selector(f"main[data-ply='{plies}']")
    assert page.locator(".turn li").count() >= 1
    context.close()


def followed(shown, first, last):
    steps = [(ply, when) for ply, when in shown if ply <= last]
    assert [ply for ply, _ in steps] == list(range(first, last + 1)), "a step was lost"
    for (_, before), (_, after) in pairwise(steps):
        assert after - before >= LEAST - ALLOWED


def test_the_usual_pace_is_slow_enough(server):
    state = server.begin("connect_four", "human", "random")
    assert state["pace_ms"] >= LEAST
