"""Pages can be read and found: short lines, working links, every page reachable from the index."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import stratagem

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "VISION.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "experiments" / "LOG.md",
]
ALGORITHMS = [ROOT / "docs" / "adapters.md", *sorted((ROOT / "docs" / "algorithms").glob("*.md"))]
LONGEST = 160  # characters of a line outside tables


def links(page: Path) -> list[Path]:
    """The files that a page links to, without addresses of other sites."""
    targets = re.findall(r"\]\(([^)#\s]+)", page.read_text())
    return [(page.parent / target).resolve() for target in targets if not target.startswith("http")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_lines_are_short(page: Path) -> None:
    long = [
        f"{page.name}:{number}"
        for number, line in enumerate(page.read_text().splitlines(), 1)
        if len(line) > LONGEST and not line.lstrip().startswith("|")
    ]
    assert not long


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    assert [str(target) for target in links(page) if not target.exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_to_sections_lead_somewhere(page: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", page.read_text()):
        if not target.startswith("http"):
            aim = page.parent / target if target else page
            headings = re.findall(r"^#+ (.*)$", aim.read_text(), re.MULTILINE)
            assert anchor in {slug(heading) for heading in headings}, f"{target}#{anchor}"


def slug(heading: str) -> str:
    """The name that a heading gets in links."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.slow
@pytest.mark.parametrize("page", ALGORITHMS, ids=lambda page: page.stem)
def test_python_on_the_pages_runs(page: Path, tmp_path: Path) -> None:
    code = "\n".join(re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL))
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr


def test_the_citation_names_the_newest_release() -> None:
    version, date = re.findall(r"^## (\S+), (\S+)$", (ROOT / "CHANGELOG.md").read_text(), re.M)[0]
    citation = (ROOT / "CITATION.cff").read_text()
    assert version == stratagem.__version__
    assert f"version: {version}\ndate-released: {date}\n" in citation


def test_every_page_is_reachable_from_the_index() -> None:
    found: set[Path] = set()
    waiting = [ROOT / "docs" / "index.md"]
    while waiting:
        page = waiting.pop()
        if page in found or page.suffix != ".md" or not page.is_file():
            continue
        found.add(page)
        waiting += links(page)
    pages = [page for page in PAGES if page.name != "README.md"]  # where readers come from
    assert [str(page.relative_to(ROOT)) for page in pages if page not in found] == []
