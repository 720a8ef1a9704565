"""The search's page lists every dial as the code declares it.

    PYTHONPATH=tests python tests/search/test_settings.py

prints the table that belongs between the marks of docs/algorithms/search.md.
"""

import sys
from pathlib import Path

import pytest
from pydantic import ValidationError

from stratagem.search import SearchSettings

PAGE = Path(__file__).parents[2] / "docs" / "algorithms" / "search.md"
BEGIN, END = "<!-- settings: begin -->\n", "<!-- settings: end -->"


def settings_table():
    lines = ["| setting | default | meaning |", "|---|---|---|"]
    for name, field in SearchSettings.model_fields.items():
        lines.append(f"| `{name}` | `{field.default}` | {field.description} |")
    return "\n".join(lines) + "\n"


def test_the_page_holds_the_generated_table():
    table = PAGE.read_text().split(BEGIN)[1].split(END)[0]
    assert table == settings_table(), "run this file and paste what it prints"


def test_every_dial_is_explained():
    assert all(field.description for field in SearchSettings.model_fields.values())


@pytest.mark.parametrize(
    "wrong",
    [{"sims": 0}, {"root": "best"}, {"noise_fraction": 1.5}, {"leaves_per_tree": 0}, {"simms": 3}],
)
def test_impossible_settings_are_refused(wrong):
    with pytest.raises(ValidationError):
        SearchSettings(**wrong)


if __name__ == "__main__":
    sys.stdout.write(settings_table())
