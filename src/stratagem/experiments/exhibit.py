"""What every experiment file has: a name, a budget, and its section on the results pages.

An exhibit is a table or figure from a paper next to ours. Its text is written by people and
contains no measured numbers: `{arms.0.games}` is replaced by a value from the result.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pydantic import Field, field_validator

from stratagem.core.errors import BadSetting
from stratagem.core.settings import SettingsModel

NOT_RUN = "not run yet"
_PLACEHOLDER = re.compile(r"\{([\w./*+-]+)(?::([^{}]+))?\}")
# Digits that are names, not measurements: table 3, section 4.2, 12x12, `code`, 95 %.
_NAMES = re.compile(
    r"`[^`]*`|\b(?:tables?|figures?|sections?|appendix|chapters?|seeds?|level)\s*[\d., and-]*\d"
    r"|\b\d+ ?x ?\d+\b|\b95 %|\b1v1\b|Level5|\b[\d,]+ (?:turns|simulations)\b",
    re.IGNORECASE,
)


class Part(SettingsModel):
    """A section of an experiment file."""


class Exhibit(Part):
    """How an experiment appears on its paper's results page and in the index."""

    number: str = Field("", description="number of the table or figure in the paper")
    paper: str = Field("", description="what the paper found, in one line")
    ours: str = Field(
        "", description="what we found, in one line; {path} is filled in from the result"
    )
    verdict: str = Field("", description="in about three words, once there is a result")
    text: str = Field(
        "", description="two or three sentences: what agrees, what differs, how certain it is"
    )
    order: int = Field(0, description="position on the page; lowest first")
    page: str = Field("", description="game whose page shows it; empty: the experiment's own")

    @field_validator("text", "ours", "verdict")
    @classmethod
    def _no_typed_numbers(cls, text: str) -> str:
        rest = _NAMES.sub("", _PLACEHOLDER.sub("", text))
        if found := re.search(r"\S*\d\S*", rest):
            raise ValueError(
                f"{found.group()!r} is a typed number: write the {{path}} of the value in the "
                f"result"
            )
        return text


class ExperimentFile(Part):
    """The head of every experiment file, whatever its kind."""

    title: str
    source: str = Field("", description="what is reproduced, with the section")
    budget: str = Field("30m", description="wall-clock time needed for a result worth publishing")
    exhibit: Exhibit = Exhibit()
    name: str = Field(description="game/file")


def fill_in(text: str, result: Mapping[str, Any]) -> str:
    """Replace every `{path:format}` by that value of the result."""

    def value(match: re.Match[str]) -> str:
        found: Any = result
        for key in match.group(1).split("."):
            try:
                found = _step(found, key)
            except (LookupError, ValueError, TypeError):
                raise BadSetting(
                    f"{{{match.group(1)}}}: the result has no {key!r} there; read its JSON"
                ) from None
        if match.group(2) == "percent":
            return f"{100 * found:.1f} %"
        return format(found, match.group(2) or "")

    return _PLACEHOLDER.sub(value, text.strip())


def _step(found: Any, key: str) -> Any:
    """Go one step down: a key, an index of a list, or the list entry with that name."""
    if not isinstance(found, list):
        return found[key]
    if key.isdigit():
        return found[int(key)]
    for one in found:
        if key in (one.get("arm"), one.get("name"), one.get("model")):
            return one
    raise LookupError(key)
