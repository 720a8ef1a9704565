"""Notebooks run from their first cell to their last."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import notebooks  # noqa: E402  (a script, not a package)

FILES = sorted(notebooks.FOLDER.glob("*.ipynb"))


def cell(source: str) -> dict[str, object]:
    return {"cell_type": "code", "source": source.splitlines(keepends=True), "outputs": []}


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_notebook_runs(file: Path, tmp_path: Path) -> None:
    copy = tmp_path / file.name
    copy.write_text(file.read_text())
    notebooks.run_apart(copy)  # what a notebook imports and changes stays in its process
    cells = notebooks.read(copy)["cells"]
    assert cells[-1]["cell_type"] == "markdown"  # what to read next
    assert any(one["outputs"] for one in cells if one["cell_type"] == "code")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_notebook_holds_the_output_of_one_whole_run_or_none(file: Path) -> None:
    code = [one for one in notebooks.read(file)["cells"] if one["cell_type"] == "code"]
    counts = [one["execution_count"] for one in code]
    assert counts in ([None] * len(code), list(range(1, len(code) + 1)))


def test_cells_share_names_and_show_their_last_value() -> None:
    notebook = {"cells": [cell("a = 2\nprint('two')"), cell("a + 1"), cell("b = a")]}
    notebooks.execute(notebook)
    printed, value, silent = (one["outputs"] for one in notebook["cells"])
    assert printed == [{"output_type": "stream", "name": "stdout", "text": ["two\n"]}]
    assert value[0]["data"] == {"text/plain": ["3"]}
    assert silent == []


def test_a_failing_cell_fails() -> None:
    with pytest.raises(ZeroDivisionError):
        notebooks.execute({"cells": [cell("1 / 0")]})


def test_a_notebook_becomes_a_page() -> None:
    notebook = {"cells": [{"cell_type": "markdown", "source": ["# Title"]}, cell("print(7)")]}
    notebooks.execute(notebook)
    page = notebooks.as_markdown(notebook, "x")
    assert page.startswith("# Title\n\n```python\nprint(7)\n```\n\n```text\n7\n```")
