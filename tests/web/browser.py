"""A headless browser for tests and pictures: Debian's chromium, driven by Playwright."""

import shutil
from contextlib import contextmanager

CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip

# Decides for the person who plays, through the page's own list of actions, until the game is
# over or so many decisions were made. Prefers actions whose code begins with one of the words.
PLAY = """
async ({most, words}) => {
  const rest = () => new Promise((done) => setTimeout(done, 4));
  const headline = () => document.getElementById("headline");
  let decisions = 0, salt = 1;
  const limit = performance.now() + 300000;
  while (decisions < most && !document.querySelector(".session-bar .primary")) {
    if (performance.now() > limit) throw new Error("stuck at: " + headline().textContent);
    const list = [...document.querySelectorAll(".actions .list button")];
    if (!headline().classList.contains("yours") || !list.length) { await rest(); continue; }
    salt = (salt * 48271) % 2147483647;
    const wanted = list.find((one) => words.some((word) => one.dataset.code.startsWith(word)));
    const before = document.querySelector("main").dataset.ply;
    (wanted ?? list[salt % list.length]).click();
    decisions += 1;
    while (document.querySelector("main").dataset.ply === before) {
      const refused = document.querySelector(".problem")?.textContent;
      if (refused || performance.now() > limit)
        throw new Error("no answer: " + headline().textContent + " " + refused);
      await rest();
    }
  }
  return decisions;
}
"""


@contextmanager
def chromium():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


def over(page):
    """Whether the page says that the game has ended."""
    return page.locator(".session-bar .primary", has_text="Rematch").count() == 1


def confirm_at_once(page):
    """From now on a chosen action is played without asking."""
    page.add_init_script("localStorage['stratagem.confirm'] = 'false'")
