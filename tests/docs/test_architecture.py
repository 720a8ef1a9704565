"""The page about the architecture speaks of rooms and files that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text()
POSITION, CLICK = (
    re.findall(r"^\| \d+ \| `([^`]+)` \|", walk, re.MULTILINE)
    for walk in re.split(r"^## Walk \d", PAGE, flags=re.MULTILINE)[1:3]
)


@pytest.mark.parametrize(
    ("files", "most"), [(POSITION, 20), (CLICK, 12)], ids=("position", "click")
)
def test_walks_are_short_and_their_files_exist(files: list[str], most: int) -> None:
    assert 5 < len(files) <= most
    assert [name for name in files if not (ROOT / name).is_file()] == []


def test_every_room_is_on_the_page() -> None:
    package = ROOT / "src" / "stratagem"
    rooms = {file.parent.name for file in package.glob("*/__init__.py")} - {"games"}
    shown = set(re.findall(r"^\| `([a-z]+)(?:/<name>)?` \|", PAGE, re.MULTILINE))
    assert rooms - shown == set()
