"""Rewrite the generated tables of the documentation: `python scripts/tables.py [--check]`.

A generated table stands between `<!-- table: NAME -->` and `<!-- end -->`; what it says has its
home elsewhere (a game's game.toml, a settings model, the leaderboard's rows). With --check nothing
is written and the exit code says whether every page is current.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from pydantic import BaseModel

from stratagem.core.registry import list_games
from stratagem.search.settings import SearchSettings
from stratagem.train.settings import TrainSettings

ROOT = Path(__file__).resolve().parent.parent
_BLOCK = re.compile(r"<!-- table: ([\w-]+) -->\n.*?<!-- end -->", re.DOTALL)


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def games_table() -> str:
    """Every game with its seats, scenarios and what its rules were checked against."""
    rows = [
        (
            f"[{about.title}](docs/games/{about.name}.md)",
            about.seats,
            ", ".join(f"`{scenario}`" for scenario in scenarios),
            about.checked_by,
        )
        for about, scenarios in list_games()
    ]
    return markdown(("game", "seats", "scenarios", "rules checked by"), rows)


def settings_table(model: type[BaseModel], prefix: str = "") -> str:
    """Every dial of a settings model, sections included, with default and meaning."""
    return markdown(("setting", "default", "meaning"), _settings_rows(model, prefix))


def _settings_rows(model: type[BaseModel], prefix: str) -> Iterable[tuple[str, str, str]]:
    for name, field in model.model_fields.items():
        section = field.annotation
        if isinstance(section, type) and issubclass(section, BaseModel):
            yield from _settings_rows(section, f"{prefix}{name}.")
            continue
        default = "required" if field.is_required() else f"`{field.get_default(call_default_factory=True)!r}`"
        yield f"`{prefix}{name}`", default, field.description or ""


TABLES: dict[str, Callable[[], str]] = {
    "games": games_table,
    "search-settings": lambda: settings_table(SearchSettings),
    "train-settings": lambda: settings_table(TrainSettings),
}


def render(text: str) -> str:
    """A page with its tables made anew."""

    def replace(match: re.Match[str]) -> str:
        name = match.group(1)
        return f"<!-- table: {name} -->\n{TABLES[name]()}\n<!-- end -->"

    return _BLOCK.sub(replace, text)


def pages() -> list[Path]:
    """Every page that may hold a generated table."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def main() -> int:
    check = "--check" in sys.argv[1:]
    stale = []
    for page in pages():
        old = page.read_text()
        new = render(old)
        if new != old:
            stale.append(page.relative_to(ROOT))
            if not check:
                page.write_text(new)
    for page in stale:
        sys.stdout.write(f"{'stale' if check else 'written'}: {page}\n")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
