"""The page in a real browser: whole games, analysis, replays and training as a person sees them."""

import os
import re
import shutil
from pathlib import Path

import pytest

from runs.made_up import some_metrics
from stratagem.cli.main import run
from stratagem.runs.lock import hold_run
from stratagem.web.settings import ServerLimits, ServerSettings
from web.browser import CHROMIUM, PLAY, chromium, confirm_at_once, over

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="chromium is not installed (Debian: apt-get install chromium)"
)
playwright = pytest.importorskip(
    "playwright.sync_api", reason="playwright is not installed: pip install playwright"
)

# The page draws after the event that changed it, so what it shows is awaited, never read at once.
expect = playwright.expect
expect.set_options(timeout=30_000)

# A short scenario of each game, a quick opponent, and words that bring the game to its end.
GAMES = [
    ("battlefield/duel", "scripted", []),
    ("hexwar/symmetric", "goal-rush", []),
    ("catan/colonist1v1?turn_limit=20", "scripted", ["end turn", "roll"]),
    ("terra_mystica/halflings-engineers", "scripted", ["pass"]),
    ("hispania/duel8", "scripted", ["stop"]),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory, make_server, run_folder):
    runs = tmp_path_factory.mktemp("watched")
    shutil.copytree(run_folder / "first", runs / "first")
    settings = ServerSettings(
        data=tmp_path_factory.mktemp("browsed"),
        runs=runs,
        workers=1,
        limits=ServerLimits(sims=2000),
    )
    with make_server(settings) as player:
        player.runs = runs
        yield player


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


class Screen:
    """A page that must not complain: errors in the console and foreign requests are failures."""

    def __init__(self, browser, site, **options):
        self.site = site
        self.address = str(site.client.base_url).rstrip("/")
        options = {"viewport": {"width": 1280, "height": 720}, **options}
        self.context = browser.new_context(accept_downloads=True, **options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(90_000)  # others may use this machine
        self.complaints = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._heard)
        self.page.on("request", self._asked)

    def _heard(self, message):
        if message.type == "error":
            self.complaints.append(message.text)

    def _asked(self, request):
        if not request.url.startswith((self.address, "data:", "blob:", "file:")):
            self.complaints.append(f"foreign request: {request.url}")

    def open(self, path):
        self.page.goto(self.address + path)

    def begin(self, game, *seats, **more):
        """A new game through the interface, opened in the page."""
        session = self.site.begin(game, *seats, pace_ms=0, **more)
        self.open(f"/g/{session['id']}")
        return session["id"]

    def ply(self):
        return int(self.page.locator("main").get_attribute("data-ply"))

    def wait_for_turn(self):
        self.page.wait_for_selector(".headline.yours")


@pytest.fixture
def screen(browser, site):
    shown = Screen(browser, site)
    yield shown
    shown.context.close()
    assert not shown.complaints, shown.complaints


@pytest.mark.slow
@pytest.mark.parametrize(("game", "opponent", "words"), GAMES, ids=[one[0] for one in GAMES])
def test_a_whole_game(screen, game, opponent, words):
    confirm_at_once(screen.page)
    session = screen.begin(game, "human", opponent)
    screen.wait_for_turn()
    assert screen.page.locator(".scene .shapes > g").count() > 10
    screen.page.evaluate(PLAY, {"most": 4, "words": []})
    before = screen.site.state(session)
    screen.page.reload()  # in the middle: nothing is lost
    screen.page.wait_for_selector(".headline")
    assert screen.ply() >= before["plies"]
    decisions = screen.page.evaluate(PLAY, {"most": 5000, "words": words})
    assert over(screen.page)
    state = screen.site.state(session)
    assert state["status"] == "over" and state["plies"] > decisions
    expect(screen.page.locator("#headline")).to_have_text(re.compile("You won|You lost|A draw"))


def test_clicks_on_the_board_trail_back_and_confirm(screen):
    session = screen.begin("battlefield/default", "human", "scripted")
    page = screen.page
    screen.wait_for_turn()
    confirm = page.locator("#confirm")
    expect(confirm).to_be_disabled()
    targets = page.locator(".target")
    reachable = targets.count()
    assert reachable >= 2  # the first agent is chosen by itself: only its cells are left
    targets.nth(1).click()
    expect(page.locator(".chip")).to_contain_text("→")
    page.get_by_role("button", name="Back", exact=True).click()
    expect(targets).to_have_count(reachable)
    for _ in range(4):
        if confirm.is_enabled():
            break
        options = page.locator(".options button")
        if targets.count():
            targets.nth(0).click()
        else:
            options.nth(0).click()
    assert screen.ply() == 0
    confirm.click()
    page.wait_for_selector("main:not([data-ply='0'])")
    assert screen.site.wait(session)["plies"] >= 1


def test_keyboard_alone_plays_takes_back_and_asks_for_a_hint(screen):
    session = screen.begin("connect_four/default", "human", "random")
    page = screen.page
    screen.wait_for_turn()
    page.keyboard.press("/")
    page.keyboard.type("4")
    page.keyboard.press("Enter")
    expect(page.locator("#confirm")).to_be_enabled()
    page.keyboard.press("Enter")
    page.wait_for_selector("main[data-ply='2']")
    page.locator("body").click(position={"x": 2, "y": 2})
    page.keyboard.press("h")
    page.wait_for_selector(".hint-box")
    expect(page.locator(".hint-box")).to_contain_text("Wins about")
    expect(page.locator(".overlay.line")).to_have_count(1)
    page.keyboard.press("u")
    page.wait_for_selector("main[data-ply='0']")
    assert screen.site.state(session)["plies"] == 0
    expect(page.locator(".hint-box")).to_have_count(0)


def test_resign_and_rematch(screen):
    first = screen.begin("connect_four/default", "human", "random")
    page = screen.page
    screen.wait_for_turn()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really resign").click()
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda url: "/g/" in url and first not in url)
    page.wait_for_selector(".headline.yours")
    expect(page.locator(".seats li").nth(1)).to_have_text(re.compile("^2"))


def test_setting_up_a_game_shows_what_was_measured(screen):
    screen.open("/")
    page = screen.page
    page.locator(".game-choice", has_text="Battlefield").click()
    page.wait_for_selector(".seat-picker")
    second = page.locator(".seat-picker").nth(1)
    expect(second).to_contain_text(
        re.compile(r"Beats .+ in \d+ % of \d+ games \(95 %: \d+ to \d+\)")
    )
    second.locator("input[type=range]").fill("2")
    expect(second).to_contain_text("not measured")
    page.get_by_role("button", name="Watch the computer play").click()
    first = page.locator(".seat-picker").nth(0)
    first.locator("select").select_option("random")
    second.locator("select").select_option("random")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/g/*")
    page.get_by_label("Pace", exact=True).select_option("0")
    page.wait_for_selector("text=Rematch")


@pytest.fixture(scope="module")
def finished(site):
    """A short finished game with dice."""
    session = site.begin("hexwar/symmetric", "human", "goal-rush", pace_ms=0)["id"]
    site.play_out(session)
    return session


def test_analysis_of_a_position_and_of_the_game(screen, finished):
    page = screen.page
    page.add_init_script("localStorage['stratagem.visits'] = '50'")
    screen.open(f"/g/{finished}/analyse?ply=2")
    page.wait_for_selector(".candidates tbody tr")
    page.wait_for_selector(".overlay.visits")
    page.locator(".check.prior input").check()
    expect(page.locator(".main .overlay.prior")).to_have_count(1)
    page.locator(".check.visits input").uncheck()
    expect(page.locator(".main .overlay.visits")).to_have_count(0)
    page.get_by_role("tab", name="Game").click()
    page.get_by_role("button", name="Analyse the whole game").click()
    page.wait_for_selector(".accounts tbody tr")
    page.wait_for_selector(".value-graph .series")
    page.get_by_role("tab", name="Tree").click()
    page.get_by_role("button", name="Search and open the tree").click()
    page.locator(".tree tbody button").first.click()
    page.wait_for_selector(".crumbs button:nth-child(2)")
    page.get_by_role("tab", name="Compare").click()
    page.get_by_role("button", name="Compare").click()
    page.wait_for_selector(".side-by-side > div:nth-child(2) tbody tr")
    page.reload()  # analysis is stored with the game
    page.wait_for_selector(".candidates tbody tr")
    page.get_by_role("button", name="Play on from here").click()
    page.wait_for_url("**/g/*")
    assert finished not in page.url


def test_replay_is_scrubbed_linked_and_downloaded(screen, finished, tmp_path):
    page = screen.page
    screen.open(f"/g/{finished}/replay?ply=3")
    page.wait_for_selector(".log [aria-current]")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/replay?ply=4")
    page.keyboard.press("End")
    plies = screen.site.state(finished)["plies"]
    page.wait_for_url(f"**/replay?ply={plies}")
    page.locator("#scrub").fill("1")
    page.wait_for_url("**/replay?ply=1")
    page.keyboard.press("Home")
    page.keyboard.press(" ")  # plays by itself
    page.wait_for_url("**/replay?ply=2")
    with page.expect_download() as saving:
        page.get_by_role("link", name="Download").click()
    saving.value.save_as(tmp_path / "game.jsonl")
    screen.open("/replay")
    page.locator("input[type=file]").set_input_files(tmp_path / "game.jsonl")
    page.wait_for_url("**/g/*/replay?ply=0")
    page.wait_for_selector(".log li")
    screen.open("/replay")
    broken = tmp_path / "broken.jsonl"
    broken.write_text("{}")
    page.locator("input[type=file]").set_input_files(broken)
    expect(page.locator(".problem")).to_contain_text("broken.jsonl")
    screen.complaints.clear()  # the browser reports the refusal


def test_a_page_without_a_server(screen, finished, tmp_path):
    record, target = tmp_path / "game.jsonl", tmp_path / "game.html"
    record.write_bytes(screen.site.get(f"sessions/{finished}/record").content)
    assert run(["replay", str(record), "--html", str(target)]) == 0
    page = screen.page
    page.goto(target.as_uri())
    page.wait_for_selector(".log li")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**#1")
    page.keyboard.press("End")
    assert page.locator(".scene .shapes > g").count() > 10


def test_a_live_training_run(screen):
    screen.open("/training")
    page = screen.page
    page.get_by_role("link", name="first").click()
    page.wait_for_selector(".uplot")
    expect(page.locator("text=3 iterations")).to_have_count(1)
    gate = {"accepted": True, "games": 40, "score": 0.9, "reason": "threshold"}
    with (screen.site.runs / "first" / "metrics.jsonl").open("a") as stream:
        stream.write("\n" + some_metrics(4, gate=gate).as_line() + "\n")
    page.wait_for_selector("text=4 iterations")
    expect(page.locator("tr", has_text="✓ accepted")).to_have_count(3)
    expect(page.locator(".badge", has_text="stopped")).to_have_count(1)
    with hold_run(screen.site.runs / "first"):
        expect(page.locator(".badge.live", has_text="running")).to_have_count(1)
    expect(page.locator(".badge.live")).to_have_count(0)
    page.get_by_label("x axis").select_option("games")
    expect(page.locator(".u-legend th", has_text=re.compile("^games$")).first).to_be_visible()
    shutil.copytree(screen.site.runs / "first", screen.site.runs / "twin")
    screen.open("/training/first?with=twin")
    expect(page.locator("h1", has_text="2 training runs")).to_have_count(1)
    expect(page.locator(".u-legend", has_text="twin").first).to_be_visible()
    expect(page.locator("text=All settings are the same.")).to_have_count(1)
    shutil.rmtree(screen.site.runs / "twin")
    screen.open("/leaderboard")
    page.wait_for_selector("table.leaderboard tr, main p")


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_is_wider_than_the_screen(browser, site, finished, width):
    shown = Screen(browser, site, viewport={"width": width, "height": 844})
    session = shown.site.begin("terra_mystica/halflings-engineers", "human", "scripted")["id"]
    paths = [
        "/",
        f"/g/{session}",
        f"/g/{finished}/analyse?ply=1",
        f"/g/{finished}/replay",
        "/replay",
        "/training",
        "/training/first",
        "/leaderboard",
    ]
    for path in paths:
        shown.open(path)
        shown.page.wait_for_selector("main")
        shown.page.wait_for_timeout(300)
        wide = shown.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, path
    shown.context.close()
    assert not shown.complaints, shown.complaints


# Sizes of what can be read, in pixels on the screen: [size, text].
TEXTS = """
() => [...document.querySelectorAll("main *")].flatMap((element) => {
  const own = [...element.childNodes].filter((node) => node.nodeType === 3);
  const text = own.map((node) => node.textContent.trim()).join("");
  if (!text || !element.getBoundingClientRect().width) return [];
  const matrix = element.ownerSVGElement ? element.getScreenCTM() : null;
  const scale = matrix ? Math.hypot(matrix.a, matrix.b) : 1;
  return [[scale * parseFloat(getComputedStyle(element).fontSize), text]];
})
"""
# How far a finger may miss the middle of each target of the board and still hit it: [pixels, key].
REACH = """
() => [...document.querySelectorAll(".scene.main .target")].flatMap((target) => {
  const outline = target.querySelector("path, circle");
  const box = outline.getBoundingClientRect();
  const stroke = parseFloat(getComputedStyle(outline).strokeWidth);
  const seen = outline.ownerSVGElement.getBoundingClientRect();
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  if (x < seen.left || x > seen.right || y < seen.top || y > seen.bottom) return [];
  return [[Math.max(Math.min(box.width, box.height) + stroke, stroke), target.dataset.key]];
})
"""
BOARDS = [
    ("battlefield/default", 2),
    ("hexwar/breakthrough", 2),
    ("catan/official", 4),
    ("terra_mystica/halflings-engineers", 2),
    ("hispania/full55", 4),
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), BOARDS, ids=[one[0] for one in BOARDS])
def test_boards_can_be_read_and_tapped(browser, site, game, seats):
    session = site.begin(game, "human", *["scripted"] * (seats - 1), pace_ms=0)["id"]
    for width, height, touch in ((1280, 720, False), (390, 844, True)):
        size = {"width": width, "height": height}
        shown = Screen(browser, site, viewport=size, has_touch=touch, is_mobile=touch)
        shown.open(f"/g/{session}")
        shown.wait_for_turn()
        shown.page.wait_for_timeout(500)  # the board finds its size
        small = [one for one in shown.page.evaluate(TEXTS) if one[0] < 10]
        assert not small, f"text under 10 pixels at {width}: {small[:5]}"
        if touch:
            missed = [one for one in shown.page.evaluate(REACH) if one[0] < 32]
            assert not missed, f"targets under 32 pixels: {missed[:5]}"
        shown.context.close()
        assert not shown.complaints, shown.complaints


def test_the_first_paint_is_quick(screen):
    """Under a second on a quiet machine; what does not depend on others is the work it takes."""
    times = []
    for _ in range(3):
        screen.open("/")
        screen.page.wait_for_selector(".game-choice")
        entry = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
        times.append(screen.page.evaluate(entry))
    meter = screen.context.new_cdp_session(screen.page)
    meter.send("Performance.enable", {"timeDomain": "threadTicks"})
    found = meter.send("Performance.getMetrics")["metrics"]
    metrics = {one["name"]: one["value"] for one in found}
    assert metrics["ScriptDuration"] + metrics["LayoutDuration"] < 0.5  # seconds of the processor
    if os.getloadavg()[0] < (os.cpu_count() or 1):
        assert min(times) < 1000, times  # milliseconds


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_follow_the_system_and_the_switch(browser, site, scheme):
    shown = Screen(browser, site, color_scheme=scheme, reduced_motion="reduce")
    shown.open("/")
    shown.page.wait_for_selector(".game-choice")
    ground = shown.page.evaluate("getComputedStyle(document.body.parentElement).backgroundColor")
    brightness = sum(map(int, re.findall(r"\d+", ground)[:3])) / 3
    assert (brightness < 90) == (scheme == "dark")
    switch = shown.page.get_by_title(re.compile("^Colours"))
    switch.click()
    shown.page.wait_for_selector("html[data-theme=light]")
    switch.click()
    shown.page.reload()  # remembered
    shown.page.wait_for_selector("html[data-theme=dark]")
    shown.context.close()
    assert not shown.complaints, shown.complaints


def test_addresses_that_lead_nowhere(screen):
    screen.open("/g/nobody-sits-here")
    screen.page.wait_for_selector(".problem")
    screen.open("/no/such/screen")
    screen.page.wait_for_selector("text=There is nothing at /no/such/screen")
    screen.complaints.clear()  # the browser reports the 404


def test_screens_are_kept():
    """The pictures in the documentation exist; scripts/screens.py draws them anew."""
    kept = {file.stem for file in (Path(__file__).parents[2] / "docs" / "screens").glob("*.png")}
    assert {"start", "play-battlefield", "analyse", "replay", "training"} <= kept
