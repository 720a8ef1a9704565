"""Play a newcomer's first hour, starting in an empty folder: `python scripts/newcomer.py`.

Clones the committed state of this checkout, empties the kernel cache, and follows the README, the
tutorial and `stratagem new-game` step by step, each command in its own terminal. Prints a timeline:
how long each step took, its longest silence and the output before that. Exit code 1 means that a
step failed, was silent for more than `--silence` seconds or took longer than the page promises. Run
it on a quiet machine.

`--only WORD` runs the parts whose name contains WORD (setup, readme, tutorial, new-game).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from newcomer_browser import play_in_browser
from newcomer_terminal import Heard, Terminal

ROOT = Path(__file__).resolve().parent.parent
DEMO_SECONDS = 600  # the README: about ten minutes
SETUP_SECONDS = 300  # the README: one to five minutes
EXTRA = 120  # seconds that a command with a budget may take besides: compiling, starting, reports
FLOOR = 0.9  # of the score against random moves after `--budget` of training
GAMES = 100  # of the match that measures it

# The four kinds of game that everybody may begin with.
KINDS = {
    "two_seats": "--seats 2",
    "with_dice": "--chance",
    "secret_hands": "--seats 3 --hidden",
    "on_hexes": "--board hex",
}
# What somebody types who plays in the terminal for the first time.
TYPED = ("hint", "1", "?", "q")


@dataclass
class Step:
    """One thing that the newcomer did."""

    part: str
    what: str
    heard: Heard
    stated: float | None = None  # seconds that the pages promise
    wrong: list[str] = field(default_factory=list)
    note: str = ""

    def assess(self, silence: float) -> None:
        if self.heard.code not in (0, None):
            self.wrong.append(f"exit code {self.heard.code}")
        if self.heard.silence > silence:
            self.wrong.append(f"silent for {self.heard.silence:.1f} s")
        if self.stated is not None and self.heard.seconds > self.stated:
            self.wrong.append(f"longer than the {self.stated:.0f} s stated")

    def row(self) -> str:
        stated = "" if self.stated is None else f"{self.stated:.0f}"
        cells = [
            self.part, f"`{self.what}`", f"{self.heard.seconds:.1f}", stated,
            f"{self.heard.silence:.1f}", self.note or self.heard.before[-50:],
            "; ".join(self.wrong) or "ok",
        ]  # fmt: skip
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


class Newcomer:
    """The folder, the terminal and what was noted so far."""

    def __init__(self, folder: Path, budget: str, silence: float) -> None:
        self.folder, self.budget, self.silence = folder, budget, silence
        self.clone = folder / "stratagem"
        self.steps: list[Step] = []
        self._part = ""
        self._logs = folder / "logs"
        self._logs.mkdir(parents=True)
        self._terminal = Terminal(self._environment())

    def _environment(self) -> dict[str, str]:
        """What a fresh machine has: nothing of ours, an empty cache, the clone's programs."""
        kept = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith(("STRATAGEM_", "PYTHON", "VIRTUAL_ENV"))
        }
        paths = [one for one in kept["PATH"].split(":") if Path(one) != Path(sys.executable).parent]
        return {
            **kept,
            "PATH": ":".join([str(self.clone / ".venv" / "bin"), *paths]),
            "STRATAGEM_CACHE": str(self.folder / "cache"),
            "XDG_STATE_HOME": str(self.folder / "state"),
            "TERM": "xterm",
            "COLUMNS": "120",
        }

    def begin(self, part: str) -> None:
        self._part = part

    def do(
        self,
        command: str,
        place: Path | None = None,
        stated: float | None = None,
        *,
        games: Path | None = None,
        typed: Sequence[str] = (),
        serving: Callable[[str], str] | None = None,
    ) -> Step:
        """Run one command as if typed, and note how it went; `serving` visits what it serves."""
        self._terminal.environment.pop("STRATAGEM_GAMES", None)
        if games is not None:
            self._terminal.environment["STRATAGEM_GAMES"] = str(games)
        log = self._logs / f"{len(self.steps):02d}.txt"
        heard = self._terminal.run(command, place or self.clone, log, typed, serving)
        step = Step(self._part, command, heard, stated)
        step.assess(self.silence)
        if serving is not None:
            step.note = heard.visited
            if not heard.visited or heard.visited.startswith("failed"):
                step.wrong.append("the page could not be used")
        self.steps.append(step)
        sys.stdout.write(step.row() + "\n")
        sys.stdout.flush()
        return step


def set_up(me: Newcomer) -> None:
    me.begin("setup")
    me.do(f"git clone {ROOT} stratagem", me.folder)
    me.do("make setup", stated=SETUP_SECONDS)


def read_readme(me: Newcomer, gate: bool) -> None:
    """Every command of the README, in the order written."""
    me.begin("readme")
    page = (me.clone / "README.md").read_text()
    for command in commands(page):
        if not command.startswith("git clone"):
            follow(me, command, watch="demo")
    run_python(me, page, "readme.py")
    me.do("stratagem runs")
    if gate:
        me.do("make check")


def read_tutorial(me: Newcomer) -> None:
    me.begin("tutorial")
    page = (me.clone / "docs" / "tutorial.md").read_text()
    for command in commands(page):
        follow(me, command, watch="runs/tutorial")
    run_python(me, page, "tutorial.py")


def follow(me: Newcomer, command: str, watch: str) -> None:
    """Do what a page says, with whatever a person would do in it."""
    if command == "stratagem serve":
        visit = play_in_browser("battlefield", "scripted", watch)
        me.do("stratagem serve -p 0", serving=visit)
    elif command.startswith("stratagem play"):
        me.do(command, typed=TYPED)
    else:
        me.do(command, stated=stated_seconds(command))


def make_games(me: Newcomer) -> None:
    """A new game of each kind: written, checked, trained, measured and played on the page."""
    for name, options in KINDS.items():
        me.begin(f"new-game {name}")
        me.do(f"stratagem new-game {name} {options} --out {me.folder}")
        place = me.folder / name
        me.do(f"python -m stratagem.core.conformance {name}", place, games=place)
        train = f"stratagem train {name} --budget {me.budget} --run runs/{name}"
        me.do(train, place, stated_seconds(train), games=place)
        match = f'stratagem match {name} "mcts:runs/{name}?sims=64" random --games {GAMES}'
        measured = me.do(match, place, games=place)
        measured.note, measured.wrong = check_score(measured)
        visit = play_in_browser(name, f"run:{name}", f"runs/{name}")
        me.do("stratagem serve -p 0", place, games=place, serving=visit)


def check_score(step: Step) -> tuple[str, list[str]]:
    """The score of the first agent in a match's table, and what is wrong with the step then."""
    found = re.search(
        r"mcts:\S+ +(\d+) +(\d+) +(\d+) +([01]\.\d+) +([\d.]+ to [\d.]+)", step.heard.text
    )
    if found is None:
        return "", [*step.wrong, "no score"]
    low = [] if float(found[4]) >= FLOOR else [f"below {FLOOR}"]
    return f"score {found[4]} ({found[5]})", [*step.wrong, *low]


def commands(page: str) -> list[str]:
    """The commands of a page in order, without those that name something to fill in."""
    lines = [
        line.split("  #")[0].strip()
        for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
        for line in block.splitlines()
    ]
    return [line for line in lines if line and not line.startswith("#")]


def run_python(me: Newcomer, page: str, name: str) -> None:
    """The Python of a page, as one program."""
    text = "\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
    (me.clone / name).write_text(text)
    me.do(f"python {name}")


def stated_seconds(command: str) -> float | None:
    """How long the pages say a command takes; None where they say nothing."""
    if command == "make demo":
        return DEMO_SECONDS
    found = re.search(r"--budget (\d+)([smh])", command)
    if found is None:
        return None
    return int(found[1]) * {"s": 1, "m": 60, "h": 3600}[found[2]] + EXTRA


def timeline(me: Newcomer) -> str:
    lines = [
        "| part | step | seconds | stated | longest silence | after | result |",
        "|---|---|---|---|---|---|---|",
        *(step.row() for step in me.steps),
    ]
    total = sum(step.heard.seconds for step in me.steps)
    wrong = sum(bool(step.wrong) for step in me.steps)
    longest = max((step.heard.silence for step in me.steps), default=0.0)
    lines.append(
        f"\n{len(me.steps)} steps in {total:.0f} s, {wrong} with something wrong; longest silence "
        f"{longest:.1f} s; {os.cpu_count()} cores, load {os.getloadavg()[1]:.1f} over five minutes"
    )
    return "\n".join(lines)


def keep(me: Newcomer) -> None:
    """The timeline as a page and as data, beside the logs."""
    (me.folder / "timeline.md").write_text(timeline(me) + "\n")
    rows = [{**asdict(step), "heard": asdict(step.heard) | {"text": ""}} for step in me.steps]
    (me.folder / "timeline.json").write_text(json.dumps(rows, indent=1) + "\n")


def parts(gate: bool) -> Iterator[tuple[str, Callable[[Newcomer], None]]]:
    yield "setup", set_up
    yield "readme", lambda me: read_readme(me, gate)
    yield "tutorial", read_tutorial
    yield "new-game", make_games


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, help="empty or new; default: a temporary one")
    parser.add_argument("--budget", default="3m", help="training of each new game (3m)")
    parser.add_argument("--silence", type=float, default=5.0, help="seconds without a word (5)")
    parser.add_argument("--only", default="", help="parts whose name has this word in it")
    parser.add_argument("--gate", action="store_true", help="`make check` too: ten minutes more")
    chosen = parser.parse_args()
    if shutil.which("git") is None:
        parser.error("git is not installed")
    folder = chosen.folder or Path(tempfile.mkdtemp(prefix="newcomer-"))
    me = Newcomer(folder.resolve(), chosen.budget, chosen.silence)
    commit = subprocess.check_output(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], text=True)
    sys.stdout.write(f"commit {commit.strip()}, in {me.folder}\n\n")
    for name, play in parts(chosen.gate):
        if name == "setup" or chosen.only in name:
            play(me)
            keep(me)
    sys.stdout.write("\n" + timeline(me) + "\n")
    return int(any(step.wrong for step in me.steps))


if __name__ == "__main__":
    sys.exit(main())
