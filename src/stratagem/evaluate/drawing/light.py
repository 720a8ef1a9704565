"""Small pictures for the repository: few colours, and a note on their origin."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from stratagem.core.files import write_atomically

_COLOURS = 96
_WIDEST = 1280  # pixels


def lighten(file: Path, notes: Mapping[str, str]) -> None:
    """Rewrite a PNG with a palette, at most as wide as a page needs, with notes in its header."""
    with Image.open(file) as opened:
        image = opened.convert("RGB")
    if image.width > _WIDEST:
        image = image.resize((_WIDEST, round(image.height * _WIDEST / image.width)))
    header = PngInfo()
    for key, text in notes.items():
        header.add_text(key, text)
    few = image.quantize(_COLOURS, dither=Image.Dither.NONE)
    drawn = io.BytesIO()
    few.save(drawn, "PNG", optimize=True, pnginfo=header)
    write_atomically(file, drawn.getvalue())


def note_in(file: Path, key: str) -> str:
    """Return a note written by `lighten`; empty if there is none."""
    with Image.open(file) as image:
        return str(image.info.get(key, ""))
