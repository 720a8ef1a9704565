"""The small picture of each game on the start page: `picture.png` in the game's folder."""

from __future__ import annotations

from stratagem.core.registry import game_folders
from stratagem.web.problems import NotFound

FILE = "picture.png"
_MOST_BYTES = 200_000
_PNG = b"\x89PNG\r\n\x1a\n"


def has_picture(game: str) -> bool:
    """Whether a known game has one."""
    return (game_folders()[game] / FILE).is_file()


def read_picture(game: str) -> bytes:
    """Read the picture of a known game."""
    folders = game_folders()
    if game not in folders:
        raise NotFound(f"no game {game!r}: choose one of {', '.join(sorted(folders))}")
    file = folders[game] / FILE
    if not file.is_file():
        raise NotFound(f"{game} has no picture: add {FILE} to its folder")
    with file.open("rb") as stream:
        data = stream.read(_MOST_BYTES + 1)
    if not data.startswith(_PNG) or len(data) > _MOST_BYTES:
        raise NotFound(f"{FILE} of {game} is not a PNG of at most {_MOST_BYTES} bytes")
    return data
