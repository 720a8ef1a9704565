"""Wrong invocations and wrong Python calls: each must end with one line and exit 2, or an error.

    python tests/chaos/wrong_calls.py

Prints how many there were, the slowest, and the most memory that was used.
"""

from __future__ import annotations

import contextlib
import io
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

import stratagem
from stratagem.cli.main import run
from stratagem.core.errors import StratagemError
from stratagem.core.registry import load_game
from stratagem.search import Evaluation, SearchSettings

NUMBERS = ("-1", "nan", "inf", "1e9", "", "0x10", "9" * 40, "1.5", "one", "--")
SPECS = (
    "", "chess", "connect_four/huge", "connect_four?rows=99", "connect_four?rows=nan",
    "connect_four?rows=" + "9" * 5000, "../connect_four", "connect_four?x", "?rows=4", "a/b/c",
    "connect_four?rows=4&rows=5x", "\u0000",
)  # fmt: skip
AGENTS = (
    "", ":", "mcts", "mcts:", "mcts:none?sims=0", "mcts:none?sims=-5", "mcts:none?sims=nan",
    "mcts:none?sims=1000000000", "mcts:none?simz=4", "mcts:none?c_init=inf", "mcts:none?root=odd",
    "policy:nowhere", "policy:/dev/zero", "policy:/dev/null", "mcts:/etc", "best:huge", "best:..",
    "rollout:nowhere", "hdqn:nowhere", "scripted:nobody", "random?x=1", "no.such.module",
    "policy:nowhere@nan%", "policy:.@50%", "mcts:none?sims=" + "9" * 400,
)  # fmt: skip
SETTINGS = (
    "learning.learning_rate=inf", "learning.learning_rate=nan", "learning.learning_rate=0",
    "learning.learning_rate=-1", "search.sims=0", "search.sims=x", "seed=-1", "seed=" + "9" * 31,
    "selfplay.slots=0", "selfplay.slots=-4", "network.kind=nothing", "network.settings.filters=0",
    "network.settings.blocks=-1", "network.encoding=smell", "algorithm=luck", "nonsense=1",
    "nonsense", "=", "search=1", "replay.minimum=-1", "gate.mode=never", "start=nowhere",
    "imitation.teacher=nobody", "anchors.agents=['nobody']", "opponents.self_play=-1",
    "keep_every=0", "extra_scenarios=['chess']",
)  # fmt: skip


def hostile_files(folder: Path) -> dict[str, Path]:
    """Records, scenarios and folders that somebody may have made to do harm."""
    header = (
        '{"format": 1, "game": "connect_four/default", "version": 1, "setup_seed": 1, "agents": []}'
    )
    texts = {
        "deep.jsonl": "[" * 100_000 + "\n",
        "digits.jsonl": header + "\n" + '{"seat": 0, "action": ' + "9" * 5000 + "}\n",
        "long.jsonl": header + "\n" + '{"seat": 0, "action": 1}\n' * 200_000,
        "empty.jsonl": "",
        "binary.jsonl": "\x00\x01\x02",
        "wrong.jsonl": header + '\n{"seat": 0, "action": 99}\n{"returns": [], "hash": ""}\n',
        "seed.jsonl": header.replace('"setup_seed": 1', '"setup_seed": -1') + '\n{"hash": ""}\n',
        "nan.jsonl": header + '\n{"seat": NaN, "action": 1}\n{"returns": [], "hash": ""}\n',
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "zero.jsonl").symlink_to("/dev/zero")
    (folder / "folder.jsonl").mkdir()
    names = [*texts, "pipe.jsonl", "zero.jsonl", "folder.jsonl", "nowhere.jsonl"]
    return {name: folder / name for name in names}


def invocations(folder: Path) -> Iterator[list[str]]:
    match = ["match", "connect_four", "random", "random"]
    for option in ("--seed", "--games"):
        yield from ([*match, option, one] for one in NUMBERS)
    for spec in SPECS:
        yield ["match", spec, "random", "random", "--games", "1"]
        yield ["train", spec, "--iterations", "1"]
        yield ["play", spec]
        yield ["bench", spec]
    yield from (["match", "connect_four", one, "random", "--games", "1"] for one in AGENTS)
    yield from (["train", "connect_four", "--iterations", "1", "--set", one] for one in SETTINGS)
    for name in ("--budget", "--iterations", "--seed", "--algo", "--preset", "--backend"):
        yield from (["train", "connect_four", name, one] for one in ("-1", "nan", "x y", "9" * 40))
    for file in hostile_files(folder).values():
        yield ["replay", str(file)]
        yield ["analyse", str(file)]
    yield ["train", "connect_four", "--budget", "1m", "--iterations", "2"]
    yield ["train", "connect_four", "--set", "iterations=-1"]
    yield ["train", "connect_four", "--set", "budget_seconds=-1"]
    yield ["train", "--resume"]
    yield ["train", "--resume", "--run", str(folder)]
    yield ["train", "--resume", "--run", "/dev/null"]
    yield ["report", str(folder)]
    yield ["report", "/dev/zero"]
    yield ["serve", "--port", "-1"]
    yield ["serve", "--port", "99999999"]
    yield ["tournament", "connect_four", "random", "--out", str(folder / "t")]
    yield ["experiment", "nowhere"]
    yield ["nonsense"]
    yield ["--nonsense"]


class Wrong:
    """An evaluator that gives what it should not."""

    def __init__(self, logits: tuple[int, ...], values: tuple[int, ...], fill: float = 0.0) -> None:
        self._logits, self._values, self._fill = logits, values, fill

    def evaluate(self, states: object, rows: np.ndarray) -> Evaluation:
        shapes = [tuple(len(rows) if n < 0 else n for n in s) for s in (self._logits, self._values)]
        return Evaluation(*(np.full(shape, self._fill, np.float32) for shape in shapes))


def python_calls() -> dict[str, Callable[[], object]]:
    game = load_game("connect_four")
    state = game.new_state(1)
    states = game.new_states(np.arange(1, 3, dtype=np.uint64))
    broken = states.copy()
    broken["height"] = 200
    few = SearchSettings(sims=4)

    def search(evaluator: object, some: np.ndarray = states) -> Callable[[], object]:
        return lambda: stratagem.search_positions(game, some, evaluator, few)

    return {
        "after 99": lambda: game.after(state, 99),
        "after -1": lambda: game.after(state, -1),
        "after a column that is not there": lambda: game.after(state, 7),
        "an unknown encoding": lambda: game.observer("smell"),
        "an unknown option": lambda: game.observer("planes", {"x": 1}),
        "logits of a wrong width": search(Wrong((-1, 6), (-1, 2))),
        "values of a wrong width": search(Wrong((-1, 7), (-1, 3))),
        "too few values": search(Wrong((-1, 7), (0, 2))),
        "values that are no numbers": search(Wrong((-1, 7), (-1, 2), np.nan)),
        "logits without end": search(Wrong((-1, 7), (-1, 2), np.inf)),
        "damaged positions": search(None, broken),
        "positions of no game": search(None, np.zeros(3)),
        "a game that nobody knows": lambda: load_game("chess"),
        "an agent that nobody knows": lambda: stratagem.make_agent("nobody", game),
        "too many simulations": lambda: stratagem.make_agent("mcts:none?sims=2000000000", game).act(
            states, np.arange(2, dtype=np.uint64)
        ),
    }  # fmt: skip


def call(words: list[str]) -> tuple[int, str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(words)
    return code, err.getvalue()


def main() -> None:
    wrong, slowest, count = [], (0.0, ""), 0
    with tempfile.TemporaryDirectory() as folder:
        here = Path.cwd()
        os.chdir(folder)
        for words in invocations(Path(folder)):
            began = time.monotonic()
            try:
                code, said = call(words)
                fine = code == 2 and said.count("\n") == 1
            except BaseException as error:
                fine, code, said = False, -1, repr(error)
            count += 1
            shown = " ".join(words)[:100]
            slowest = max(slowest, (time.monotonic() - began, shown))
            if not fine:
                wrong.append(f"{shown}: exit {code}, {said.strip()[:200]}")
        os.chdir(here)
    for name, one in python_calls().items():
        count += 1
        try:
            one()
            wrong.append(f"{name}: accepted")
        except StratagemError:
            pass
        except BaseException as error:
            wrong.append(f"{name}: {error!r}")
    sys.stdout.write("".join(f"{line}\n" for line in wrong))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    sys.stdout.write(
        f"{count} wrong calls, {len(wrong)} not refused as they should be; slowest "
        f"{slowest[0]:.1f} s ({slowest[1]}); most memory {memory:.2f} GB\n"
    )
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
