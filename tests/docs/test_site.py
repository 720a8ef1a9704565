"""The site: every page has a place, links lead to pages, nothing is loaded from elsewhere."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import stratagem

ROOT = Path(__file__).resolve().parents[2]
SITE = (ROOT / "mkdocs.yml").read_text()


@pytest.fixture(scope="module")
def docs_site() -> ModuleType:
    file = ROOT / "scripts" / "docs_site.py"
    found = importlib.util.spec_from_file_location("docs_site", file)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("page", "link", "expected"),
    [
        ("index.md", "[x](../CHANGELOG.md)", "[x](project/changelog.md)"),
        ("games/catan.md", "[x](../words.md#games)", "[x](../words.md#games)"),
        ("add-a-game.md", "[dice](../tests/games/dice)", "dice (`tests/games/dice`)"),
        ("project/log.md", "![x](../docs/pictures/catan.png)", "![x](../pictures/catan.png)"),
        ("notebooks/index.md", "[x](tour.ipynb)", "[x](tour.md)"),
        ("index.md", "[x](https://example.org/)", "[x](https://example.org/)"),
        ("index.md", "[x](nowhere.md)", "[x](nowhere.md)"),
        ("index.md", "```\n[x](../CHANGELOG.md)\n```", "```\n[x](../CHANGELOG.md)\n```"),
    ],
)
def test_links_lead_to_pages_of_the_site(
    docs_site: ModuleType, page: str, link: str, expected: str
) -> None:
    assert docs_site.site_links(link, page) == expected


def test_what_comes_from_another_host_is_found(docs_site: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a href="https://example.org">fine</a><img src="x.png">')
    assert docs_site.fetched_from_elsewhere(tmp_path) == []
    (tmp_path / "b.html").write_text('<script src="https://example.org/x.js"></script>')
    (found,) = docs_site.fetched_from_elsewhere(tmp_path)
    assert found.startswith("b.html: <script")


def test_every_public_name_is_on_the_reference_page() -> None:
    page = (ROOT / "docs" / "reference" / "api.md").read_text()
    shown = set(re.findall(r"^::: (\S+)$", page, re.MULTILINE))
    assert shown == {f"{stratagem._HOME_OF[name]}.{name}" for name in stratagem.__all__}


def test_diagrams_are_current() -> None:
    script = ROOT / "scripts" / "diagrams.py"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + "run: python scripts/diagrams.py"


def test_the_diagram_of_rooms_shows_every_room() -> None:
    drawing = (ROOT / "docs" / "pictures" / "rooms.svg").read_text()
    rooms = {file.parent.name for file in (ROOT / "src" / "stratagem").glob("*/__init__.py")}
    assert [room for room in sorted(rooms) if f">{room}</text>" not in drawing] == []


def test_no_diagram_needs_a_script() -> None:
    pages = (ROOT / "docs").rglob("*.md")
    assert [str(page) for page in pages if "```mermaid" in page.read_text()] == []
