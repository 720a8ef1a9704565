"""AlphaZero's page lists every dial of a run as the code declares it.

    PYTHONPATH=tests python tests/train/test_page.py

prints the table that belongs between the marks of docs/algorithms/alphazero.md.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from stratagem.search import SearchSettings
from stratagem.train.settings import TrainSettings

PAGE = Path(__file__).parents[2] / "docs" / "algorithms" / "alphazero.md"
BEGIN, END = "<!-- settings: begin -->\n", "<!-- settings: end -->"


def dials(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, FieldInfo]]:
    """Every plain value by its full key; the search's have a page of their own."""
    for name, field in model.model_fields.items():
        kind = field.annotation
        if kind is SearchSettings:
            continue
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from dials(kind, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", field


def default_of(field: FieldInfo) -> str:
    value = field.get_default(call_default_factory=True)
    if value is PydanticUndefined:
        return ""
    if isinstance(value, tuple):
        return ", ".join(f"`{one}`" for one in value)
    return f"`{value}`" if value not in ("", {}) else ""


def settings_table() -> str:
    lines = ["| setting | default | meaning |", "|---|---|---|"]
    lines += [f"| `{key}` | {default_of(f)} | {f.description} |" for key, f in dials(TrainSettings)]
    return "\n".join(lines) + "\n"


def test_the_page_holds_the_generated_table():
    table = PAGE.read_text().split(BEGIN)[1].split(END)[0]
    assert table == settings_table(), "run this file and paste what it prints"


def test_every_dial_is_explained():
    assert [key for key, field in dials(TrainSettings) if not field.description] == []


def test_the_table_holds_every_section():
    keys = {key for key, _ in dials(TrainSettings)}
    assert {"seed", "selfplay.slots", "learn.rate", "gate.p1", "anchors.agents"} <= keys


if __name__ == "__main__":
    sys.stdout.write(settings_table())
