"""The rules of a game for its players: the section `Rules` of its page in docs/games."""

from __future__ import annotations

from pathlib import Path

from stratagem.core.registry import game_folders
from stratagem.web.problems import NotFound
from stratagem.web.schema import Rulebook
from stratagem.web.tours import rules_in_short

_SHIPPED = Path(__file__).parent / "rulebooks"  # in an installed package
_CHECKOUT = Path(__file__).resolve().parents[3] / "docs" / "games"
_SECTIONS = ("Rules", "Dice", "Scenarios")


def read_rulebook(game: str) -> Rulebook:
    """Read the rules of a known game as Markdown; other games have their own `rules.md`."""
    folders = game_folders()
    if game not in folders:
        raise NotFound(f"no game {game!r}: choose one of {', '.join(sorted(folders))}")
    shipped = _SHIPPED if _SHIPPED.is_dir() else _CHECKOUT
    for file in (folders[game] / "rules.md", shipped / f"{game}.md"):
        if file.is_file():
            short = rules_in_short(folders[game])
            return Rulebook(game=game, text=short + rules_of(file.read_text()))
    raise NotFound(f"{game} has no rules to show: add rules.md to its folder")


def rules_of(page: str) -> str:
    """Return the sections for players of a page; the whole page if it has none of them."""
    parts = page.split("\n## ")
    kept = [f"## {part}" for part in parts[1:] if part.split("\n", 1)[0].strip() in _SECTIONS]
    return "\n".join(kept) if kept else page
