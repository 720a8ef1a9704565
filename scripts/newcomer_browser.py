"""A newcomer in the browser: sets up a game, plays and resigns by clicking. For newcomer.py."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from web.browser import PLAY, chromium, confirm_at_once, over  # noqa: E402

_PATIENCE = 300_000  # milliseconds: the first visit compiles the game


def play_in_browser(game: str, opponent: str, run: str) -> Callable[[str], str]:
    """What to do at an address: look for the run, choose the game and play it to its end."""

    def visit(address: str) -> str:
        complaints: list[str] = []
        began = time.monotonic()
        with chromium() as browser:
            page = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
            page.set_default_timeout(_PATIENCE)
            page.on("pageerror", lambda error: complaints.append(str(error)))
            confirm_at_once(page)
            page.goto(f"{address}/training")
            page.wait_for_selector(f"text={Path(run).name}")
            page.goto(address)
            title = game.replace("_", " ").capitalize()
            page.locator(".game-choice", has_text=title).click()
            page.wait_for_selector(".seat-picker")
            second = page.locator(".seat-picker").nth(1).locator("select").first
            choose(second, opponent)
            page.get_by_role("button", name="Begin").click()
            page.wait_for_url("**/g/*")
            page.wait_for_selector(".headline.yours")
            waited = time.monotonic() - began
            decisions = page.evaluate(PLAY, {"most": 500, "words": []})
            ended = over(page)
        if complaints:
            return f"failed: {complaints[0][:100]}"
        how = "to the end" if ended else "and left"
        return f"first move after {waited:.0f} s, played {decisions} moves {how}"

    return visit


def choose(select: object, opponent: str) -> None:
    """The option whose value or text names the opponent."""
    values = select.evaluate(  # type: ignore[attr-defined]
        "one => [...one.options].map((option) => [option.value, option.textContent])"
    )
    for value, text in values:
        if opponent in value or opponent in text:
            select.select_option(value)  # type: ignore[attr-defined]
            return
    raise LookupError(f"no opponent {opponent} among {[value for value, _ in values]}")
