"""Whole games as a person plays them: by clicks alone, by keyboard alone, asked once a turn."""

from itertools import pairwise

import pytest

from stratagem.core.registry import load_game
from web.browser import CHROMIUM, chromium, over

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        CHROMIUM is None, reason="chromium is not installed (Debian: apt-get install chromium)"
    ),
]
PlaywrightTimeout = pytest.importorskip(
    "playwright.sync_api", reason="playwright is not installed"
).TimeoutError

# Scenario, opponents, words of actions that bring the game forward, text on the page that ends it.
GAMES = [
    ("connect_four/default", 1, [], ""),
    ("battlefield/duel", 1, [], ""),
    ("hexwar/symmetric", 1, [], ""),
    ("hexwar/breakthrough", 1, ["stay", "pass"], ""),
    ("catan/colonist1v1?turn_limit=30", 1, ["end turn", "roll"], ""),
    ("catan/official?turn_limit=40", 3, ["end turn", "roll"], ""),
    ("terra_mystica/halflings-engineers", 1, ["pass"], ""),
    ("hispania/duel8", 1, ["stop"], ""),
    ("hispania/full55", 3, ["stop"], "Round 4:"),
]
NAMES = [game.split("?")[0] for game, *_ in GAMES]

# Clicks where a person would: on the board where something is highlighted, else in the list. Every
# third decision prefers an action that brings the game forward. Returns what happened.
CLICKS = """
async ({words, until}) => {
  const rest = () => new Promise((done) => setTimeout(done, 4));
  const find = (what) => [...document.querySelectorAll(what)];
  const main = () => document.querySelector("main");
  const over = () => document.querySelector(".session-bar .primary") ||
    (until && main().textContent.includes(until));
  const limit = performance.now() + 500000;
  let salt = 7, clicks = 0, board = 0, idle = 0;
  const asked = [];  // plies at which Confirm was needed
  const pick = (list) => list[(salt = (salt * 48271) % 2147483647) % list.length];
  const press = (element) => {
    clicks += 1;
    element.dispatchEvent(new MouseEvent("click", {bubbles: true, detail: 1}));
  };
  while (!over()) {
    if (performance.now() > limit)
      throw new Error("stuck at: " + document.getElementById("headline").textContent);
    if (!document.getElementById("headline").classList.contains("yours")) {
      await rest(); continue;
    }
    const chips = () => find(".chip").map((one) => one.textContent).join();
    const state = () => main().dataset.ply + "|" + chips();
    const before = state();
    const confirm = document.getElementById("confirm");
    const options = find(".options button");
    const targets = find(".scene .target");
    const list = find(".actions .list button[data-action]");
    const wanted = list.filter((one) => words.some((word) => one.dataset.code.startsWith(word)));
    if (confirm && !confirm.disabled) { asked.push(Number(main().dataset.ply)); press(confirm); }
    else if (options.length) press(pick(options));
    else if (wanted.length && (idle || clicks % 3 === 0)) press(pick(wanted));
    else if (targets.length && !idle) { board += 1; press(pick(targets)); }
    else if (list.length) press(pick(list));
    const until_changed = performance.now() + 400;
    while (state() === before && performance.now() < until_changed && !over()) await rest();
    idle = state() === before ? idle + 1 : 0;
    const refused = document.querySelector(".problem")?.textContent;
    if (refused) throw new Error(refused);
  }
  return {clicks, board, asked};
}
"""
PATIENCE = 3000  # ms until somebody presses a key again
MOST_MISSED = 30
LONGEST_WAIT = 60_000  # ms without anything to press
SIZE = {"width": 1280, "height": 720}  # without the page's policy: waiting evaluates text


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


@pytest.fixture
def page(browser, server):
    context = browser.new_context(viewport=SIZE, bypass_csp=True)
    shown = context.new_page()
    shown.set_default_timeout(120_000)
    shown.add_init_script("localStorage['stratagem.pace'] = '0'")
    complaints = []
    shown.on("pageerror", lambda error: complaints.append(str(error)))
    yield shown
    context.close()
    assert not complaints, complaints


def sit_down(page, server, game, opponents):
    session = server.begin(game, "human", *["scripted"] * opponents, pace_ms=0)["id"]
    page.goto(f"{server.client.base_url}/g/{session}".replace("//g", "/g"))
    page.wait_for_selector(".headline.yours")
    return session


def asked_once_a_turn(state, plies):
    """Between two confirmations others have had a turn, which is more than to answer in mine."""
    game = load_game(state["game"])
    if game.name == "hispania":
        return  # a player has several nations, whose turns may follow each other
    names = game.rules.about.responses.split()
    groups = [group for group in game.rules.groups(game.scenario) if group.name in names]

    def is_turn(event):
        if event["seat"] <= 0:
            return False
        action = event["action"]
        return action is None or not any(one.start <= action < one.stop for one in groups)

    turns = {event["ply"] for event in state["events"] if is_turn(event)}
    for first, second in pairwise(sorted(set(plies))):
        assert any(first < ply < second for ply in turns), (first, second)


@pytest.mark.parametrize(("game", "opponents", "words", "until"), GAMES, ids=NAMES)
def test_a_game_by_clicks_alone(page, server, game, opponents, words, until):
    session = sit_down(page, server, game, opponents)
    found = page.evaluate(CLICKS, {"words": words, "until": until})
    assert found["board"] > 0
    asked_once_a_turn(server.state(session), found["asked"])
    if until:
        assert until in page.locator("main").text_content()
    else:
        assert over(page)
        assert server.state(session)["status"] == "over"


@pytest.mark.parametrize(("game", "opponents", "words", "until"), GAMES, ids=NAMES)
def test_a_game_by_keyboard_alone(page, server, game, opponents, words, until):
    """Search, Enter, Enter: no pointer is touched. The words that were searched for find a code."""
    session = sit_down(page, server, game, opponents)
    ended = (
        "(until) => document.querySelector('.session-bar .primary') || "
        "(until && document.querySelector('main').textContent.includes(until))"
    )
    turn = missed = waited = 0
    asked = []
    while not page.evaluate(ended, until):
        state = page.evaluate(
            "() => [document.querySelector('#headline').className.includes('yours'),"
            " document.querySelector('main').dataset.ply,"
            " [...document.querySelectorAll('.actions .list button')].map(b => b.dataset.code)]"
        )
        yours, ply, codes = state
        if not yours or not codes:
            page.wait_for_timeout(20)
            waited += 20
            assert waited < LONGEST_WAIT, "nothing to press any more"
            if yours and waited % PATIENCE == 0:  # letters that came late hide the list
                page.keyboard.press("/")
                page.keyboard.press("Control+A")
                page.keyboard.press("Delete")
            continue
        waited = 0
        turn += 1
        wanted = next((c for c in codes if words and c.startswith(tuple(words))), None)
        page.keyboard.press("/")
        if wanted is not None:
            page.keyboard.type(wanted)
        else:
            for _ in range(1 + turn % min(3, len(codes))):
                page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.wait_for_timeout(10)
        changed = (
            "(ply) => document.querySelector('main').dataset.ply !== ply || "
            "document.querySelector('#confirm:not(:disabled)') || "
            "document.querySelector('.session-bar .primary')"
        )
        try:
            page.wait_for_function(changed, arg=ply, timeout=PATIENCE)
        except PlaywrightTimeout:  # pressed while the page was drawn anew: a person presses again
            missed += 1
            assert missed < MOST_MISSED, "keys have no effect"
            page.keyboard.press("Escape")
            continue
        same = page.evaluate("() => document.querySelector('main').dataset.ply") == ply
        if same and page.locator("#confirm:not(:disabled)").count():
            asked.append(int(ply))
            page.keyboard.press("Enter")
            moved_on = "(ply) => document.querySelector('main').dataset.ply !== ply"
            try:
                page.wait_for_function(moved_on, arg=ply, timeout=PATIENCE)
            except PlaywrightTimeout:
                missed += 1
                assert missed < MOST_MISSED, "Enter confirms nothing"
        assert page.locator(".problem").count() == 0
    asked_once_a_turn(server.state(session), asked)
    if not until:
        assert over(page)
        assert server.state(session)["status"] == "over"
