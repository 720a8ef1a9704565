"""Imports inside the package: no cycle, not even a lazy one, and few lazy imports at all."""

import ast
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"

# Module -> why it imports parts of the package inside a function.
_TORCH = "torch loads for agents with a network only"
# What takes noticeable time to import; a lazy import that loads none of them can stand at the top.
HEAVY = {"fastapi", "llvmlite", "matplotlib", "numba", "numpy", "pydantic", "ray", "scipy", "torch"}
LAZY = {
    "stratagem.agents.kinds.hdqn": _TORCH,
    "stratagem.agents.kinds.mcts": _TORCH,
    "stratagem.agents.kinds.policy": _TORCH,
    "stratagem.agents.kinds.rollout": _TORCH,
    "stratagem.backend.choose": "Ray is an extra",
    "stratagem.cli": "commands load NumPy, Numba and PyTorch when they run, so that help is quick",
    "stratagem.core.registry": "games are listed without Numba",
}


# Imported late for another reason: the script answers Ctrl-C while its program is loaded.
GUARDED = {("stratagem.cli.start", "stratagem.cli.main")}


def module_name(file):
    parts = file.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(file): file for file in sorted((SOURCE / "stratagem").rglob("*.py"))}


def imports_of(name):
    """(imported module, whether a function imports it), type checking left out."""
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
    return found


IMPORTS = {name: imports_of(name) for name in MODULES}
GRAPH = {
    name: [(target, lazy) for target, lazy in found if target in MODULES]
    for name, found in IMPORTS.items()
}


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


def loaded_by(name):
    """Everything that an import of this module loads: modules of the package, and libraries."""
    seen, waiting = set(), [name]
    while waiting:
        at = waiting.pop()
        if at in seen:
            continue
        seen.add(at)
        if at in IMPORTS:
            waiting += [target for target, lazy in IMPORTS[at] if not lazy]
            waiting.append(at.rpartition(".")[0])  # the package that it is in
    return {at if at in MODULES else at.split(".")[0] for at in seen}


def test_a_lazy_import_keeps_something_heavy_out():
    light = [
        (name, target)
        for name, found in GRAPH.items()
        for target, lazy in found
        if lazy and not loaded_by(target) & HEAVY
    ]
    assert set(light) == GUARDED
