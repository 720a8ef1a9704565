"""Take screenshots of every screen of the web app for docs/screens: `python scripts/screens.py`.

Starts a server on a free port with its own folder, lets agents play a few moves, and takes
screenshots with Debian's Chromium. `--only WORD` takes those whose name contains WORD.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from web.browser import CHROMIUM, PLAY, chromium  # noqa: E402

FOLDER = ROOT / "docs" / "screens"
COLOURS = 255  # of a picture: flat drawings lose nothing, files become a third
DESK = {"width": 1280, "height": 720}
LARGE = {"width": 1920, "height": 1080}
PHONE = {"width": 390, "height": 844}

# Game, scenario's spec, opponents, decisions that are made before the picture.
POSITIONS = {
    "battlefield": ("battlefield/default", ["scripted"], 3),
    "connect_four": ("connect_four/default", ["scripted"], 4),
    "hexwar": ("hexwar/asymmetric", ["goal-rush"], 14),
    "catan": ("catan/official", ["scripted"] * 3, 12),
    "terra_mystica": ("terra_mystica/halflings-engineers", ["scripted"], 10),
    "hispania": ("hispania/full55", ["scripted"] * 3, 12),
}


@dataclass
class Studio:
    """A server, a browser, and the folder for pictures."""

    address: str
    browser: Any
    only: str

    def ask(self, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"{self.address}/api/{path}", data, {"content-type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=300) as answer:
            return json.load(answer)

    def plies(self, session: str) -> int:
        return int(self.ask(f"sessions/{session}")["plies"])

    def begin(self, game: str, *seats: str) -> str:
        wanted = {"game": game, "seats": list(seats), "seed": 7, "pace_ms": 0}
        return str(self.ask("sessions", wanted)["id"])

    def play(self, page: Any, session: str, decisions: int) -> None:
        """Open a game and make some decisions in it."""
        page.add_init_script("localStorage['stratagem.confirm'] = 'false'")
        page.goto(f"{self.address}/g/{session}")
        page.wait_for_selector(".headline.yours")
        page.evaluate(PLAY, {"most": decisions, "words": []})

    def wants(self, name: str) -> bool:
        return self.only in name

    @contextmanager
    def page(self, viewport: dict[str, int], dark: bool = False) -> Iterator[Any]:
        context = self.browser.new_context(
            viewport=viewport, color_scheme="dark" if dark else "light", reduced_motion="reduce"
        )
        page = context.new_page()
        page.set_default_timeout(180_000)
        page.add_init_script("localStorage['stratagem.visits'] = '200'")
        yield page
        context.close()

    def keep(self, page: Any, name: str, whole: bool = False) -> None:
        from PIL import Image

        FOLDER.mkdir(parents=True, exist_ok=True)
        file = FOLDER / f"{name}.png"
        page.mouse.move(2, 2)
        page.wait_for_timeout(400)
        page.screenshot(path=file, full_page=whole)
        Image.open(file).convert("RGB").quantize(COLOURS).save(file, optimize=True)
        sys.stdout.write(f"{file.relative_to(ROOT)}  {file.stat().st_size // 1024} kB\n")


@contextmanager
def studio(runs: Path, only: str) -> Iterator[Studio]:
    with tempfile.TemporaryDirectory() as data:
        command = [
            sys.executable, "-c", "from stratagem.cli.main import main; main()", "serve",
            "-p", "0", "--json", "--data", data, "--runs", str(runs),
        ]  # fmt: skip
        server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        try:
            address = json.loads(server.stdout.readline())["url"].rstrip("/")
            with chromium() as browser:
                yield Studio(address, browser, only)
        finally:
            server.terminate()
            server.wait()


def start(shop: Studio) -> None:
    for name, viewport, dark in (("start", DESK, False), ("start-phone", PHONE, False)):
        if not shop.wants(name):
            continue
        with shop.page(viewport, dark) as page:
            page.goto(shop.address)
            page.wait_for_selector(".seat-picker")
            shop.keep(page, name, whole=viewport is PHONE)


def play(shop: Studio) -> None:
    for name, (game, opponents, decisions) in POSITIONS.items():
        if not shop.wants(f"play-{name}"):
            continue
        session = shop.begin(game, "human", *opponents)
        with shop.page(DESK) as page:
            shop.play(page, session, decisions)
            page.wait_for_selector(".headline.yours, .session-bar .primary")
            shop.keep(page, f"play-{name}")
        with shop.page(DESK, dark=True) as page:
            page.goto(f"{shop.address}/g/{session}")
            page.wait_for_selector(".scene .shapes")
            shop.keep(page, f"play-{name}-dark")
        for tag, viewport in (("phone", PHONE), ("large", LARGE)):
            with shop.page(viewport) as page:
                page.goto(f"{shop.address}/g/{session}")
                page.wait_for_selector(".scene .shapes")
                shop.keep(page, f"play-{name}-{tag}")


def pictures(shop: Studio) -> None:
    """The board of each game as a small square, for the start page."""
    from PIL import Image

    for name, (game, opponents, decisions) in POSITIONS.items():
        if not shop.wants(f"picture-{name}"):
            continue
        session = shop.begin(game, "human", *opponents)
        with shop.page(LARGE) as page:
            shop.play(page, session, decisions)
            page.mouse.move(2, 2)
            page.wait_for_timeout(600)
            file = ROOT / "src" / "stratagem" / "games" / name / "picture.png"
            page.locator(".scene").first.screenshot(path=file)
        drawn = Image.open(file).convert("RGB")
        side = min(drawn.size)
        left, top = (drawn.width - side) // 2, (drawn.height - side) // 2
        square = drawn.crop((left, top, left + side, top + side)).resize((144, 144), Image.LANCZOS)
        square.quantize(64).save(file, optimize=True)
        sys.stdout.write(f"{file.relative_to(ROOT)}  {file.stat().st_size // 1024} kB\n")


def first_game(shop: Studio) -> None:
    """The guided first game, and the rules in short."""
    if not shop.wants("tour"):
        return
    for name, viewport in (("tour", DESK), ("tour-phone", PHONE)):
        with shop.page(viewport) as page:
            page.goto(shop.address)
            page.locator(".game-choice", has_text="Catan").click()
            page.locator("#tour").click()
            page.wait_for_selector(".tour")
            shop.keep(page, name, whole=viewport is PHONE)
            if viewport is DESK:
                page.get_by_role("button", name="Rules").click()
                page.wait_for_selector("dialog[open] table")
                shop.keep(page, "tour-rules")


def together(shop: Studio) -> None:
    """A game with a friend: the link, what the friend sees first, and the seat taken."""
    if not shop.wants("together"):
        return
    with shop.page(DESK) as host, shop.page(PHONE) as guest:
        host.goto(shop.address)
        host.locator(".game-choice", has_text="Catan").click()
        host.get_by_role("button", name="With a friend, by link").click()
        host.get_by_label("Your name (optional)").fill("Ann")
        host.get_by_role("button", name="Begin").click()
        host.wait_for_selector("#invitation")
        shop.keep(host, "together")
        guest.goto(host.locator("#invitation").input_value())
        guest.get_by_label("Your name (optional)").fill("Bob")
        shop.keep(guest, "together-phone")
        guest.get_by_role("button", name="Take the seat").click()
        host.wait_for_selector("text=Bob")
        shop.keep(guest, "together-seated-phone")


def war(shop: Studio) -> None:
    """A unit's range, several hexes wide, and the end of a phase."""
    if not shop.wants("range"):
        return
    session = shop.begin("hexwar/crossroads", "human", "goal-rush")
    with shop.page(DESK) as page:
        for _ in range(60):
            state = shop.ask(f"sessions/{session}")
            legal = state["legal"]
            if legal and legal[0]["group"] == "movement":
                break
            if legal:
                wanted = {"action": legal[len(legal) // 2]["action"], "ply": state["plies"]}
                shop.ask(f"sessions/{session}/act", wanted)
            time.sleep(0.1)
        page.goto(f"{shop.address}/g/{session}")
        page.locator(".scene.main .target").first.dispatch_event("click")
        page.wait_for_selector(".actions .list button[data-action^='-']")
        shop.keep(page, "range")


def ended(shop: Studio) -> None:
    """The end of a game, and its review."""
    if not shop.wants("review"):
        return
    session = shop.begin("battlefield/default", "human", "scripted")
    with shop.page(DESK) as page:
        shop.play(page, session, 500)
        page.wait_for_selector("#review")
        shop.keep(page, "review-end")
        page.locator("#review").click()
        page.wait_for_selector(".accounts")
        wait_for_graph(shop, session)
        answer = page.get_by_role("button", name="Show the answer").first
        answer.click()
        shop.keep(page, "review")
    with shop.page(PHONE) as page:
        page.goto(f"{shop.address}/g/{session}/analyse?ply={shop.plies(session)}")
        page.wait_for_selector(".accounts")
        shop.keep(page, "review-phone", whole=True)


def hint(shop: Studio) -> None:
    if not shop.wants("hint"):
        return
    session = shop.begin("battlefield/default", "human", "scripted")
    with shop.page(DESK) as page:
        page.goto(f"{shop.address}/g/{session}")
        page.wait_for_selector(".headline.yours")
        page.get_by_role("button", name="Hint").click()
        page.wait_for_selector(".hint-box")
        shop.keep(page, "hint")


def finished(shop: Studio, game: str, *seats: str) -> str:
    """A game among agents, watched until it is over."""
    session = shop.begin(game, *seats)
    with shop.page(DESK) as page:
        page.goto(f"{shop.address}/g/{session}")
        page.wait_for_selector("text=Rematch")
    return session


def analyse(shop: Studio) -> None:
    if not (shop.wants("analyse") or shop.wants("replay")):
        return
    session = finished(shop, "battlefield/default", "best", "goal-rush")
    with shop.page(DESK) as page:
        page.goto(f"{shop.address}/g/{session}/analyse?ply=2")
        page.wait_for_selector(".candidates tbody tr")
        page.locator(".check.prior input").check()
        page.wait_for_selector(".thinking", state="detached")
        shop.keep(page, "analyse")
        page.get_by_role("tab", name="Game").click()
        page.get_by_role("button", name="Analyse the whole game").click()
        wait_for_graph(shop, session)
        shop.keep(page, "analyse-game")
        page.get_by_role("tab", name="Tree").click()
        page.get_by_role("button", name="Search and open the tree").click()
        page.locator(".tree tbody button").first.click()
        page.wait_for_selector(".crumbs button:nth-child(2)")
        shop.keep(page, "analyse-tree")
        page.get_by_role("tab", name="Compare").click()
        page.get_by_role("button", name="Compare").click()
        page.wait_for_selector(".side-by-side > div:nth-child(2) tbody tr")
        shop.keep(page, "analyse-compare")
    for name, viewport in (("replay", DESK), ("replay-phone", PHONE)):
        with shop.page(viewport) as page:
            page.goto(f"{shop.address}/g/{session}/replay?ply=5")
            page.wait_for_selector(".scene .shapes")
            shop.keep(page, name)
    with shop.page(DESK, dark=True) as page:
        page.goto(f"{shop.address}/g/{session}/analyse?ply=2")
        page.wait_for_selector(".candidates tbody tr")
        shop.keep(page, "analyse-dark")


def luck(shop: Studio) -> None:
    """Dice: luck apart from decisions, and the histogram."""
    if not shop.wants("luck"):
        return
    session = finished(shop, "hexwar/symmetric", "goal-rush", "goal-rush")
    with shop.page(DESK) as page:
        page.goto(f"{shop.address}/g/{session}/analyse?ply=12")
        page.get_by_label("Visits", exact=True).select_option("50")
        page.get_by_role("tab", name="Game").click()
        page.get_by_role("button", name="Analyse the whole game").click()
        wait_for_graph(shop, session)
        shop.keep(page, "luck")


def wait_for_graph(shop: Studio, session: str) -> None:
    while shop.ask(f"sessions/{session}/graph")["running"]:
        time.sleep(0.5)


def training(shop: Studio) -> None:
    if not shop.wants("training"):
        return
    names = [run["name"] for run in shop.ask("runs")]
    one = f"/training/{names[0]}" if names else "/training"
    several = one + "".join(f"{'&' if k else '?'}with={name}" for k, name in enumerate(names[1:4]))
    for name, path, viewport in (
        ("training", one, DESK),
        ("training-large", one, LARGE),
        ("training-phone", one, PHONE),
        ("training-compare", several, DESK),
        ("training-compare-phone", several, PHONE),
    ):
        with shop.page(viewport) as page:
            page.goto(shop.address + path)
            page.wait_for_selector(".uplot, main table, main p")
            page.wait_for_timeout(2500)
            shop.keep(page, name, whole=viewport is not PHONE)
    with shop.page(DESK) as page:
        page.goto(f"{shop.address}/training")
        page.wait_for_selector("main table, main p")
        shop.keep(page, "training-runs")


def rest(shop: Studio) -> None:
    for name, path in (("open", "/replay"), ("leaderboard", "/leaderboard")):
        if not shop.wants(name):
            continue
        with shop.page(DESK) as page:
            page.goto(shop.address + path)
            page.wait_for_selector("main table, main label")
            shop.keep(page, name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=Path, default=ROOT / "runs", help="folder of training runs")
    parser.add_argument("--only", default="", help="take pictures whose name has this in it")
    given = parser.parse_args()
    if CHROMIUM is None:
        sys.exit("chromium is not installed (Debian: apt-get install chromium)")
    screens: list[Callable[[Studio], None]] = [
        pictures,
        start,
        play,
        first_game,
        together,
        war,
        ended,
        hint,
        analyse,
        luck,
        training,
        rest,
    ]
    with studio(given.runs, given.only) as shop:
        for take in screens:
            take(shop)


if __name__ == "__main__":
    main()
