"""Run the notebooks: `python scripts/notebooks.py [FILE...]` stores their output.

A notebook is a list of cells in JSON, so running one needs neither Jupyter nor a kernel. Its cells
run in order, in one namespace and an empty folder. What they print, their last value and their
figures become the output, as Jupyter would show it.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "notebooks"
_RUN = (
    "import sys; sys.path.insert(0, sys.argv[2]); import notebooks; notebooks.run_here(sys.argv[1])"
)


def read(file: Path) -> dict[str, Any]:
    """The notebook as it is on disk."""
    notebook: dict[str, Any] = json.loads(file.read_text())
    return notebook


def execute(notebook: dict[str, Any]) -> None:
    """Run the code cells here, in the present folder; each gets its output."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    number = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            number += 1
            cell["outputs"] = _run_cell("".join(cell["source"]), namespace, number)
            cell["execution_count"] = number


def _run_cell(source: str, namespace: dict[str, Any], number: int) -> list[dict[str, Any]]:
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"cell {number}", "exec"), namespace)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), namespace)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        outputs.append({"output_type": "stream", "name": "stdout", "text": text})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        if hasattr(value, "savefig"):
            data = {"image/png": _png(value), "text/plain": ["<Figure>"]}
        result = {"output_type": "execute_result", "execution_count": number}
        outputs.append({**result, "metadata": {}, "data": data})
    return outputs


def _png(figure: Any) -> str:
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=80)
    return base64.b64encode(picture.getvalue()).decode()


def run_here(file: str) -> None:
    """Run a notebook in this process and write it with its output."""
    notebook = read(Path(file))
    execute(notebook)
    Path(file).write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")


def as_markdown(notebook: dict[str, Any], name: str) -> str:
    """The notebook as a page of the site."""
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        parts += [_output(output) for output in cell["outputs"]]
    parts.append(f'<a href="{name}.ipynb" download>Download this notebook</a>')
    return "\n\n".join(parts) + "\n"


def _output(output: dict[str, Any]) -> str:
    data = output.get("data", {})
    if "image/png" in data:
        return f'<img alt="the figure" src="data:image/png;base64,{data["image/png"].strip()}">'
    text = "".join(output.get("text") or data["text/plain"]).rstrip("\n")
    return f"```text\n{text}\n```"


def run_apart(file: Path) -> None:
    """Run a notebook in a process and an empty folder of its own and write it with its output."""
    paths = [str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in paths if path)}
    command = [sys.executable, "-c", _RUN, str(file), str(ROOT / "scripts")]
    with tempfile.TemporaryDirectory() as empty:
        subprocess.run(command, cwd=empty, check=True, env=environment)


def main() -> int:
    files = [Path(word).resolve() for word in sys.argv[1:]] or sorted(FOLDER.glob("*.ipynb"))
    for file in files:
        sys.stdout.write(f"{file.name}\n")
        run_apart(file)  # a notebook may choose how the package is loaded
    return 0


if __name__ == "__main__":
    sys.exit(main())
