"""Imports inside the package: no cycle, not even a lazy one, and few lazy imports at all."""

import ast
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"

# Module -> why it imports parts of the package inside a function.
_TORCH = "torch loads for agents with a network only"
LAZY = {
    "stratagem.agents.kinds.hdqn": _TORCH,
    "stratagem.agents.kinds.mcts": _TORCH,
    "stratagem.agents.kinds.policy": _TORCH,
    "stratagem.agents.kinds.rollout": _TORCH,
    "stratagem.backend.choose": "Ray is an extra",
    "stratagem.cli": "commands load what they need, so that help is quick",
    "stratagem.core.registry": "games are listed without Numba",
}


def module_name(file):
    parts = file.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(file): file for file in sorted((SOURCE / "stratagem").rglob("*.py"))}


def imports_of(name):
    """(imported module of the package, whether a function imports it), type checking left out."""
    found = []

    def visit(node, lazy):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            return
        if isinstance(node, ast.Import):
            found.extend((alias.name, lazy) for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: imports are absolute"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.append((inner if inner in MODULES else node.module, lazy))
        inside = lazy or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for child in ast.iter_child_nodes(node):
            visit(child, inside)

    visit(ast.parse(MODULES[name].read_text()), False)
    return [(target, lazy) for target, lazy in found if target in MODULES]


GRAPH = {name: imports_of(name) for name in MODULES}


def find_cycles(graph):
    """Strongly connected sets of more than one module (Tarjan)."""
    order, low, stack, cycles = {}, {}, [], []

    def connect(node):
        order[node] = low[node] = len(order)
        stack.append(node)
        for target in graph[node]:
            if target not in order:
                connect(target)
            if target in stack:
                low[node] = min(low[node], low[target])
        if low[node] == order[node]:
            at = stack.index(node)
            knot = stack[at:]
            del stack[at:]
            if len(knot) > 1:
                cycles.append(sorted(knot))

    for node in graph:
        if node not in order:
            connect(node)
    return cycles


def test_cycles_are_found():
    assert find_cycles({"a": ["b"], "b": ["c"], "c": ["b"]}) == [["b", "c"]]
    assert find_cycles({"a": ["b", "c"], "b": ["c"], "c": []}) == []


def test_no_module_imports_itself_around_a_corner():
    graph = {name: [target for target, _ in found] for name, found in GRAPH.items()}
    assert find_cycles(graph) == []


def is_part(name, part):
    return name == part or name.startswith(f"{part}.")


def test_lazy_imports_have_a_reason_and_reasons_are_needed():
    lazy = {(name, target) for name, found in GRAPH.items() for target, late in found if late}
    assert sorted(pair for pair in lazy if not any(is_part(pair[0], part) for part in LAZY)) == []
    assert [part for part in LAZY if not any(is_part(name, part) for name, _ in lazy)] == []
