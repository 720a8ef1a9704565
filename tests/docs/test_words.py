"""Retired words stay retired: docs/words.md has the word that is used instead.

A pattern is a regular expression over one line. Most are code names or whole phrases, so that
ordinary English passes; where a word is both, `allowed` names the files in which it may stand.
"""

from __future__ import annotations

import fnmatch
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLACES = (
    "README.md", "CONTRIBUTING.md", "VISION.md", "Makefile", "pyproject.toml",
    "src", "web/src", "docs", "tests", "scripts", "benchmarks", "experiments",
)  # fmt: skip
SUFFIXES = {".py", ".md", ".toml", ".ts", ".tsx", ".css", ".html", ""}
THIS = "tests/docs/test_words.py"


@dataclass(frozen=True)
class Retired:
    pattern: str
    instead: str
    allowed: tuple[str, ...] = ()  # glob patterns of files


RETIRED = (
    Retired(r"\b(core/records|core\.records|core import records)\b", "core/state_arrays.py"),
    Retired(r"\bown_view\b", "fixed_perspective"),
    Retired(r"\beven_chance\b|\b[Dd]ice in turn\b", "stratified_chance"),
    Retired(r"\blookers?\b|\bROOT_LOOKS\b|\bLookingEvaluator\b", "observer_seats, ROOT_OBSERVES"),
    Retired(r"\.plant\(|\bdef _?plant\b", "set_roots"),
    Retired(r"\bseveral\(", "expand_seeds"),
    Retired(r"\bRolloutEvaluator\b", "PlayoutEvaluator"),
    Retired(
        r"\bJudgeEvaluator\b|\bmcts:judge\b|\bjudge_kernel\b", "HeuristicEvaluator, mcts:heuristic"
    ),
    Retired(r"\b[Dd]oorkeeper\b", "ConnectionLimiter"),
    Retired(
        r"\bHall\b|\bOpenTable\b|\bTable(State|Drawing|Summary|Message)\b|\bNewTable\b|/api/tables",
        "ServerContext, LiveSession, SessionState; /api/sessions",
    ),
    Retired(r"^(also|passes|rate|rate_end) = |\blearn\.(batch|passes|rate)\b", "see [learning]"),
    Retired(r"^\[(learn|imitate)\]|\bimitation\.agent\b", "[learning], [imitation] teacher"),
    Retired(r"\bdials?\b", "settings, options"),
    Retired(r"\b_?Harvest\b|\bteach\(", "SelfPlayResult, demonstrations"),
    Retired(r"\b[Ll]essons?\b", "demonstrations"),
    Retired(r"\b[Ss]parring\b|\bsparring_share\b", "[opponents]"),
    Retired(r"\b_words\(|\bload_tables\b", "random_seeds, load_scenarios"),
    Retired(r"\bSitting\b|\bteller\b", "PlaySession, printer"),
    Retired(r"\b_?(told|tell|hear)\(", "text, sentence, report, receive"),
    Retired(r"\bdef judge\b|\bimport judge\b", "test_candidate, heuristic", ("tests/search/*",)),
    Retired(r"\bclass Rollout\b|\bppo[./]rollout\b", "collect"),
    Retired(r"\bconduct(_report)?\b|\bRunTactics\b|/tactics\b", "behaviour, measures"),
    Retired(r"\b[Mm]a(d|k)es? again\b|\bKnows no(thing)?\b", "say what it does"),
    Retired(r"\bunder way\b", "in progress, running, unfinished"),
    Retired(r"\bone after the other\b", "one after another"),
    Retired(r"\bstands in it twice\b|\bchases ghosts\b", "is listed twice, stale code"),
    Retired(r"\bholds no (run|result|best response)\b", "does not contain a run"),
    Retired(r": name (a|another) (file|folder|record)\b", "use another file, give a folder"),
    Retired(r"\bmake room\b", "free some space"),
    Retired(r"\bWhom the measured\b", "Agent spec behind the leaderboard row"),
    Retired(
        r"\bspec \d\.\d|\([BDE]\d{1,2}(\.\d+)?(, [BDE]\d[\d.]*)*\)|\b(DESIGN|EXHIBITS|REVIEW)\.md",
        "say it here: readers do not have that document",
    ),
)


def files() -> list[str]:
    """Every text file of the places above that git knows, without what is generated."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *PLACES],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    return [
        name
        for name in listed
        if Path(name).suffix in SUFFIXES and name != THIS and (ROOT / name).is_file()
    ]


@pytest.fixture(scope="module")
def texts() -> dict[str, list[str]]:
    return {name: (ROOT / name).read_text(errors="ignore").splitlines() for name in files()}


@pytest.mark.parametrize("retired", RETIRED, ids=lambda retired: retired.pattern)
def test_retired_words_do_not_come_back(retired: Retired, texts: dict[str, list[str]]) -> None:
    pattern = re.compile(retired.pattern)
    found = [
        f"{name}:{number}: {line.strip()}"
        for name, lines in texts.items()
        if not any(fnmatch.fnmatch(name, allowed) for allowed in retired.allowed)
        for number, line in enumerate(lines, 1)
        if pattern.search(line)
    ]
    assert not found, f"use instead: {retired.instead}\n" + "\n".join(found)
