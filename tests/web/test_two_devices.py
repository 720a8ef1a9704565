"""Two browsers at one game of Catan with hidden hands: invited by link, watched on the wire."""

import json

import pytest

from web.browser import CHROMIUM, PLAY, chromium, confirm_at_once, over

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="chromium is not installed (Debian: apt-get install chromium)"
)
playwright = pytest.importorskip(
    "playwright.sync_api", reason="playwright is not installed: pip install playwright"
)
expect = playwright.expect
expect.set_options(timeout=30_000)

# Without waiting for the end.
BEGIN = f"(given) => {{ window.playing = ({PLAY.strip()})(given).catch(() => 0); }}"


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


class Device:
    """A browser of its own, and all that the server sent to it about a game."""

    def __init__(self, browser):
        self.context = browser.new_context(viewport={"width": 1280, "height": 720})
        self.page = self.context.new_page()
        self.page.set_default_timeout(90_000)
        confirm_at_once(self.page)
        self.page.add_init_script("localStorage['stratagem.pace'] = '0'")
        self.texts = []
        self.page.on("websocket", self._listen)
        self.page.on("response", self._answered)
        self.answers = []

    def _listen(self, socket):
        socket.on("framereceived", lambda frame: self.texts.append(frame))

    def _answered(self, response):
        if "/api/sessions/" in response.url:
            self.answers.append(response)

    def received(self):
        """Every JSON document that came in."""
        for response in self.answers:
            if response.request.resource_type == "fetch" and response.status == 200:
                self.texts.append(response.text())
        self.answers.clear()
        return [json.loads(text) for text in self.texts]


def states_in(documents):
    found = [one.get("state", one) for one in documents if isinstance(one, dict)]
    return [one for one in found if "seats" in one and "position" in one]


def scenes_in(value):
    """Every drawing anywhere in a document."""
    if isinstance(value, dict):
        if "shapes" in value:
            yield value
        for inner in value.values():
            yield from scenes_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from scenes_in(inner)


@pytest.mark.slow
def test_two_devices_play_catan_and_neither_sees_the_others_cards(browser, server):
    address = str(server.client.base_url).rstrip("/")
    host, guest, watcher = Device(browser), Device(browser), Device(browser)
    host.page.goto(address)
    host.page.locator(".game-choice", has_text="Catan").click()
    host.page.get_by_label("Scenario").select_option("catan/colonist1v1")
    host.page.get_by_role("button", name="With a friend, by link").click()
    host.page.get_by_label("Your name (optional)").fill("Ann")
    host.page.get_by_role("button", name="Begin").click()
    host.page.wait_for_url("**/g/*")
    link = host.page.locator("#invitation").input_value()

    guest.page.goto(link)
    guest.page.get_by_label("Your name (optional)").fill("Bob")
    guest.page.get_by_role("button", name="Take the seat of player 2").click()
    guest.page.wait_for_url("**/g/*")
    expect(guest.page.locator(".seats")).to_contain_text("Ann")
    expect(host.page.locator(".seats")).to_contain_text("Bob")
    expect(host.page.locator("#invitation")).to_have_count(0)
    session = guest.page.url.rsplit("/", 1)[1]
    watcher.page.goto(f"{address}/g/{session}")
    expect(watcher.page.locator(".watching")).to_be_visible()

    words = ["city", "settlement", "buy", "roll"]
    host.page.evaluate(BEGIN, {"most": 1000, "words": words})
    guest.page.evaluate(PLAY, {"most": 40, "words": words})
    before = {device: device.received() for device in (host, guest, watcher)}
    guest.page.get_by_role("button", name="Resign").click()
    guest.page.get_by_role("button", name="Really resign").click()
    for device in (host, guest):
        expect(device.page.locator("#headline")).to_contain_text("by resignation")
        assert over(device.page)

    for device, own in ((host, 0), (guest, 1), (watcher, None)):
        documents = before[device]
        states = states_in(documents)
        assert len(states) > 20
        plies = {state["plies"] for state in states}
        assert len(plies) > 20
        for state in states:
            assert state["dice"]["seed"] is None
            assert not state["legal"] or state["position"]["seat"] == own
        for scene in (found for one in documents for found in scenes_in(one)):
            assert all(shape.get("seen_by", -1) in (-1, own) for shape in scene["shapes"])
    # What was drawn face down is known to whoever drew it alone.
    events = {
        device: {
            event["ply"]: event for one in states_in(before[device]) for event in one["events"]
        }
        for device in (host, guest, watcher)
    }
    hidden = {
        device: {ply for ply, event in known.items() if event["action"] is None}
        for device, known in events.items()
    }
    assert not hidden[host] & hidden[guest]
    assert hidden[watcher] >= (hidden[host] | hidden[guest])
    for device in (host, guest, watcher):
        device.context.close()
