"""Rules of the house that a search proves: sizes, and who knows what."""

import ast
import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "stratagem"
FILES = {str(file.relative_to(PACKAGE)): file.read_text() for file in PACKAGE.rglob("*.py")}
TREES = {name: ast.parse(text) for name, text in FILES.items()}

# Who moves a position on outside core, games and search, and why that drives no game.
STEPS = {
    "agents/kinds/rollout.py": "looks one move ahead of a decision",
    "evaluate/bench.py": "times the rules themselves",
    "train/alphazero/game_measures.py": "goes through a recorded game again",
}


def test_no_module_is_long():
    long = {name: text.count("\n") for name, text in FILES.items() if text.count("\n") > 400}
    assert long == {}


def parameters(node):
    given = node.args
    return len(given.posonlyargs) + len(given.args) + len(given.kwonlyargs)


def test_kernels_have_at_most_ten_parameters():
    kernels = {
        f"{name}:{node.name}": parameters(node)
        for name, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and any("kernel" in ast.dump(one) for one in node.decorator_list)
    }
    assert len(kernels) > 500  # they were found
    assert {name: count for name, count in kernels.items() if count > 10} == {}


def strings_of(tree):
    """Constants of the code, docstrings and other lone strings left out."""
    lone = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in lone:
            yield node.value


@pytest.mark.parametrize("pattern", [r"^metrics\.jsonl$", r"^meta\.json$", r"^ckpt(/|$)",
                                     r"^train_state", r"^step_"])  # fmt: skip
def test_one_room_knows_the_run_folder(pattern):
    knowing = {
        name.split("/")[0]
        for name, tree in TREES.items()
        for text in strings_of(tree)
        if re.search(pattern, text)
    }
    assert knowing == {"runs"}


# One loop for many games, one for a single game.
DRIVERS = ("core/driver/", "core/session.py")


def test_two_loops_drive_a_game():
    """Agents are asked and positions moved on in the driver and the session alone."""
    stepping = {name for name, text in FILES.items() if re.search(r"kernels\.step\(", text)}
    outside = {name for name in stepping if not name.startswith(("core/", "games/", "search/"))}
    assert outside == set(STEPS)
    assert any(name.startswith(DRIVERS[0]) for name in stepping)
    asking = {name for name, text in FILES.items() if re.search(r"agents\[.*\]\.act\(", text)}
    assert asking == {DRIVERS[1]}
