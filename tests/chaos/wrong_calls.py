"""Wrong invocations and wrong Python calls: each must end with one line and exit 2, or an error.

    python tests/chaos/wrong_calls.py [--seconds S] [--only WORD]

Prints how many there were, the slowest, and the most memory that was used. One that takes longer
than S seconds counts as a hang, and is not waited for.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import numpy as np

import stratagem
from stratagem.cli.main import run
from stratagem.core.errors import StratagemError
from stratagem.core.record import parse_record
from stratagem.core.registry import load_game
from stratagem.core.session import GameSession, SessionSetup
from stratagem.search import Evaluation, SearchSettings

MOST_MEMORY = 2.0  # GB
NUMBERS = ("-1", "nan", "inf", "1e9", "", "0x10", "9" * 40, "1.5", "one", "--")
SPECS = (
    "", "chess", "connect_four/huge", "connect_four?rows=99", "connect_four?rows=nan",
    "connect_four?rows=" + "9" * 5000, "connect_four?rows=" + "[" * 5000, "../connect_four",
    "connect_four?x", "?rows=4", "a/b/c", "connect_four?rows=4&rows=5x", "\u0000",
)  # fmt: skip
AGENTS = (
    "", ":", "mcts", "mcts:", "mcts:none?sims=0", "mcts:none?sims=-5", "mcts:none?sims=nan",
    "mcts:none?sims=1000000000", "mcts:none?simz=4", "mcts:none?c_init=inf", "mcts:none?root=odd",
    "mcts:none?c_init=1e308", "mcts:none?virtual_loss=1e30", "policy:~nobody-of-this-name/run",
    "policy:" + "a" * 5000, "policy:nowhere", "policy:/dev/zero", "policy:/dev/null",
    "mcts:/etc", "best:huge", "best:..", "rollout:nowhere", "hdqn:nowhere", "scripted:nobody",
    "random?x=1", "no.such.module", "policy:nowhere@nan%", "policy:.@50%",
    "mcts:none?sims=" + "9" * 400, "os", "json.decoder",
    "mcts:none?leaves_per_tree=1000000000", "mcts:none?determinizations=1000000000",
    "mcts:none?rollouts=1000000000", "mcts:none?temperature=inf", "mcts:none?seed=-1",
    "mcts:none?cache=2",
    "external:", "external:/nowhere/program", "mcts:\u0000",
)  # fmt: skip
SETTINGS = (
    "selfplay.slots=1000000000", "selfplay.workers=100000", "search.c_init=1e308",
    "opponents.past_at_once=1000000000", "keep_every=" + "9" * 20, "anchors.games=1000000000000",
    "budget_seconds=1e300", "selfplay.slots=true", "selfplay.positions='8'",
    "learning.learning_rate=inf", "learning.learning_rate=nan", "learning.learning_rate=0",
    "learning.learning_rate=-1", "search.sims=0", "search.sims=x", "seed=-1", "seed=" + "9" * 31,
    "selfplay.slots=0", "selfplay.slots=-4", "network.kind=nothing", "network.settings.filters=0",
    "network.settings.blocks=-1", "network.encoding=smell", "algorithm=luck", "nonsense=1",
    "nonsense", "=", "search=1", "replay.minimum=-1", "gate.mode=never", "start=nowhere",
    "imitation.teacher=nobody", "anchors.agents=['nobody']", "opponents.self_play=-1",
    "keep_every=0", "extra_scenarios=['chess']", "search.sims=" + "[" * 5000,
    "search.sims=" + "9" * 5000, "seed=1.5",
)  # fmt: skip
HEADER = {"format": 1, "game": "connect_four/default", "version": 1, "setup_seed": 1, "agents": []}
MOVE = {"seat": 0, "action": 1}
END: dict[str, object] = {"returns": [], "hash": ""}


def lines(*values: object) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


def hostile_records(folder: Path) -> dict[str, Path]:
    """Records that somebody may have made to do harm, or damaged."""
    header = lines(HEADER)
    texts = {
        "deep.jsonl": "[" * 100_000 + "\n",
        "digits.jsonl": header + '{"seat": 0, "action": ' + "9" * 5000 + "}\n",
        "long.jsonl": header + lines(MOVE) * 200_000,
        "long_by_returns.jsonl": header + "{}\r" * 1_000_000,
        "large.jsonl": header + " " * 33_000_000,
        "empty.jsonl": "",
        "blank.jsonl": "\n\n\n",
        "binary.jsonl": "\x00\x01\x02",
        "mark.jsonl": "\ufeff" + lines(HEADER, END),
        "list.jsonl": lines([], []),
        "wrong.jsonl": lines(HEADER, {"seat": 0, "action": 99}, END),
        "seat.jsonl": lines(HEADER, {"seat": 7, "action": 1}, END),
        "half.jsonl": lines(HEADER, {"seat": 0, "action": 1.5}, END),
        "text.jsonl": lines(HEADER, {"seat": "0", "action": "1"}, END),
        "endless.jsonl": header + '{"seat": 0, "action": 1e999}\n' + lines(END),
        "no_events.jsonl": lines(HEADER, END),
        "no_hash.jsonl": lines(HEADER, MOVE),
        "agents.jsonl": lines({**HEADER, "agents": 5}, END),
        "version.jsonl": lines({**HEADER, "version": 999}, END),
        "game.jsonl": lines({**HEADER, "game": "chess"}, END),
        "game_path.jsonl": lines({**HEADER, "game": "../../etc"}, END),
        "seed.jsonl": lines({**HEADER, "setup_seed": -1}, END),
        "big_seed.jsonl": lines({**HEADER, "setup_seed": 2**64}, END),
        "nan.jsonl": header + '{"seat": NaN, "action": 1}\n' + lines(END),
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "zero.jsonl").symlink_to("/dev/zero")
    (folder / "loop.jsonl").symlink_to("loop.jsonl")
    (folder / "folder.jsonl").mkdir()
    names = [*texts, "pipe.jsonl", "zero.jsonl", "loop.jsonl", "folder.jsonl", "nowhere.jsonl"]
    return {name: folder / name for name in names}


def hostile_texts(folder: Path) -> list[Path]:
    """Files that are neither JSON nor TOML of the kind that is asked for."""
    texts = {
        "deep": "[" * 100_000,
        "list": "[]",
        "number": "5",
        "digits": '{"blocks": ' + "9" * 5000 + "}",
        "keys": "{}",
        "bytes": "\udcff\udcfe",
    }
    for name, text in texts.items():
        (folder / name).write_bytes(text.encode(errors="surrogateescape"))
    (folder / "zero").symlink_to("/dev/zero")
    return [folder / name for name in (*texts, "zero", "nowhere")]


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
    yield from (["train", "connect_four", "--budget", one] for one in ("1e300h", "0s", "-5m", "1d"))
    for file in hostile_records(folder).values():
        yield ["replay", str(file)]
        yield ["analyse", str(file)]
    for file in hostile_texts(folder):
        yield ["ladder", "connect_four", "random", "--only", "--resume", "--out", str(file)]
        yield ["queue", str(file)]
        if file.is_file() and file.name != "keys":  # no file, or an empty one, is filled
            words = ["optimality", "connect_four", "random", "--positions", "1", "--solved"]
            yield [*words, str(file)]
    for name in ("ladder", "exploit", "optimality"):
        agents = ["connect_four", "random"]
        yield from ([name, *agents, "--seed", one] for one in ("-1", "9" * 31, "1.5"))
    ladder = ["ladder", "connect_four", "random", "--width"]
    yield from ([*ladder, one] for one in ("nan", "inf", "-inf", "0", "1e300", "x"))
    for name in ("--positions", "--first-ply"):
        words = ["optimality", "connect_four", "random", name]
        yield from ([*words, one] for one in ("-1", "9" * 30, "nan", "1.5"))
    for place in ("/proc/1/nothing", "/dev/null/below"):
        yield [*match, "--games", "1", "--out", place]
        yield ["tournament", "connect_four", "random", "mcts:none?sims=2", "--out", place]
        yield ["play", "connect_four", "--opponent", "random", "--save", f"{place}/game.jsonl"]
    yield from (["new-game", one] for one in ("", "connect_four", "A b", "../x", "class", "9x"))
    yield ["new-game", "fine", "--seats", "99"]
    yield ["new-game", "fine", "--out", "/dev/null"]
    yield ["new-game", "fine", "--board", "round"]
    yield ["export", "nowhere", "--out", "x"]
    yield ["export", "/dev/zero", "--out", "x.onnx"]
    yield ["exploit", "connect_four"]
    yield ["exploit", "--resume"]
    yield ["exploit", "--resume", "--run", str(folder)]
    yield ["exploit", "connect_four", "random", "--games", "9" * 30]
    yield ["exploit", "connect_four", "random", "--iterations", "9" * 30]
    yield ["experiment", "nowhere"]
    yield ["experiment", "connect_four/optimality", "--budget", "nan"]
    yield ["runs", "/dev/zero"]
    yield ["demo", "--budget", "never"]
    yield ["warm", "chess"]
    yield ["games", "chess"]
    yield ["train", "connect_four", "--budget", "1m", "--iterations", "2"]
    yield ["train", "connect_four", "--set", "iterations=-1"]
    yield ["train", "connect_four", "--set", "iterations=" + "9" * 30]
    yield ["train", "connect_four", "--set", "budget_seconds=-1"]
    yield ["train", "connect_four", "--iterations", "1", "--run", "/dev/null/run"]
    yield ["train", "connect_four", "--iterations", "1", "--workers", "0"]
    yield ["train", "--resume"]
    yield ["train", "--resume", "--run", str(folder)]
    yield ["train", "--resume", "--run", "/dev/null"]
    yield ["report", str(folder)]
    yield ["report", "/dev/zero"]
    yield ["serve", "--port", "-1"]
    yield ["serve", "--port", "99999999"]
    yield ["serve", "--workers", "0"]
    yield ["tournament", "connect_four", "random", "--out", str(folder / "t")]
    yield ["tournament", "connect_four", "random", "random", "--out", str(folder / "t")]
    yield ["nonsense"]
    yield ["--nonsense"]


class Wrong:
    """An evaluator that gives what it should not."""

    def __init__(self, logits: tuple[int, ...], values: tuple[int, ...], fill: float = 0.0) -> None:
        self._logits, self._values, self._fill = logits, values, fill

    def evaluate(self, states: object, rows: np.ndarray) -> Evaluation:
        shapes = [tuple(len(rows) if n < 0 else n for n in s) for s in (self._logits, self._values)]
        return Evaluation(*(np.full(shape, self._fill, np.float32) for shape in shapes))


class Illegal:
    """An agent that always answers the same."""

    spec = "illegal"

    def __init__(self, answer: object) -> None:
        self._answer = answer

    def act(self, states: np.ndarray, seeds: np.ndarray) -> object:
        return self._answer


def python_calls() -> dict[str, Callable[[], object]]:
    game = load_game("connect_four")
    state = game.new_state(1)
    states = game.new_states(np.arange(1, 3, dtype=np.uint64))
    seeds = np.arange(2, dtype=np.uint64)
    broken = states.copy()
    broken["height"] = 200
    over = game.new_state(1)
    for action in (0, 1, 0, 1, 0, 1, 0):
        over = game.after(over, action)
    ended = np.array([over], game.rules.dtype)
    few = SearchSettings(sims=4)
    record = parse_record(
        lines(HEADER, MOVE, {"returns": [], "hash": stratagem.core.game.state_hash(
            game.after(game.new_states(np.array([1], np.uint64))[0], 1))})
    )  # fmt: skip
    two = ["random", "random"]

    def search(evaluator: object, some: object = states) -> Callable[[], object]:
        return lambda: stratagem.search_positions(game, some, evaluator, few)

    def session() -> GameSession:
        found = GameSession(game, SessionSetup.new(game, ("human", "random"), 1))
        found.play(3)
        return found

    return {
        "after 99": lambda: game.after(state, 99),
        "after -1": lambda: game.after(state, -1),
        "after a column that is not there": lambda: game.after(state, 7),
        "after half a column": lambda: game.after(state, 1.5),
        "after no number": lambda: game.after(state, "d"),
        "after a number without end": lambda: game.after(state, 10**30),
        "after the end": lambda: game.after(over, 0),
        "after no position": lambda: game.after(5, 0),
        "an unknown encoding": lambda: game.observer("smell"),
        "an unknown option": lambda: game.observer("planes", {"x": 1}),
        "a view of what is over": lambda: game.observer()(ended),
        "a view of rows that are not there": lambda: game.observer()(states, np.array([99])),
        "a view of no positions": lambda: game.observer()(np.zeros(3)),
        "legal actions of no positions": lambda: game.legal(np.zeros(3)),
        "legal actions of one position": lambda: game.legal(state),
        "returns of no positions": lambda: game.returns([1, 2]),
        "hiding from a seat that is not there": lambda: game.hidden_from(
            states, np.array([0, 99], np.int8), seeds
        ),
        "hiding with too few seeds": lambda: game.hidden_from(states, states["seat"], seeds[:1]),
        "dice with too few seeds": lambda: game.draw(states, seeds[:1]),
        "positions for negative seeds": lambda: game.new_states(np.array([-1])),
        "positions for words": lambda: game.new_states(["a"]),
        "a position for a negative seed": lambda: game.new_state(-1),
        "a position for half a seed": lambda: game.new_state(1.5),
        "a position for a word": lambda: game.new_state("one"),
        "logits of a wrong width": search(Wrong((-1, 6), (-1, 2))),
        "values of a wrong width": search(Wrong((-1, 7), (-1, 3))),
        "too few values": search(Wrong((-1, 7), (0, 2))),
        "values that are no numbers": search(Wrong((-1, 7), (-1, 2), np.nan)),
        "logits without end": search(Wrong((-1, 7), (-1, 2), np.inf)),
        "damaged positions": search(None, broken),
        "finished positions": search(None, ended),
        "positions of no game": search(None, np.zeros(3)),
        "positions as a list": search(None, [1, 2]),
        "a search of a name": lambda: stratagem.search_positions("connect_four", states),
        "a game that nobody knows": lambda: load_game("chess"),
        "a scenario that nobody knows": lambda: load_game("connect_four/huge"),
        "an agent that nobody knows": lambda: stratagem.make_agent("nobody", game),
        "an agent that is none": lambda: stratagem.make_agent(None, game),
        "an agent for the name of a game": lambda: stratagem.make_agent("random", "connect_four"),
        "too many simulations": lambda: stratagem.make_agent("mcts:none?sims=2000000000", game).act(
            states, seeds
        ),
        "a match of no games": lambda: stratagem.play_match(game, two, 0, 1),
        "a match of half a game": lambda: stratagem.play_match(game, two, 1.5, 1),
        "a match of a negative seed": lambda: stratagem.play_match(game, two, 2, -1),
        "a match of three in a game for two": lambda: stratagem.play_match(
            game, ["random"] * 3, 2, 1
        ),
        "a match in odd seats": lambda: stratagem.play_match(game, two, 2, 1, seats="odd"),
        "a match of no batch": lambda: stratagem.play_match(game, two, 2, 1, batch=0),
        "a match of a name": lambda: stratagem.play_match("connect_four", two, 2, 1),
        "a match of somebody who cheats": lambda: stratagem.play_match(
            game, [Illegal(np.full(1, 99, np.int32)), "random"], 1, 1
        ),
        "a match of somebody who says too much": lambda: stratagem.play_match(
            game, [Illegal(np.zeros(9, np.int32)), "random"], 1, 1
        ),
        "a match of somebody who says nothing": lambda: stratagem.play_match(
            game, [Illegal(None), "random"], 1, 1
        ),
        "a tournament of one": lambda: stratagem.play_tournament(game, ["random"], 2, 1),
        "a tournament of no games": lambda: stratagem.play_tournament(
            game, ["random", "mcts:none?sims=2"], 0, 1
        ),
        "a tournament with a strange anchor": lambda: stratagem.play_tournament(
            game, ["random", "mcts:none?sims=2"], 2, 1, anchor="nobody"
        ),
        "a training without an end": lambda: stratagem.train_agent("connect_four"),
        "a training with two ends": lambda: stratagem.train_agent(
            "connect_four", budget="1m", iterations=1
        ),
        "a training of negative length": lambda: stratagem.train_agent(
            "connect_four", iterations=-1
        ),
        "a training of a negative seed": lambda: stratagem.train_agent(
            "connect_four", iterations=1, seed=-1
        ),
        "a training with a setting that is no number": lambda: stratagem.train_agent(
            "connect_four", iterations=1, settings={"learning.learning_rate": float("nan")}
        ),
        "a training with a setting that nobody knows": lambda: stratagem.train_agent(
            "connect_four", iterations=1, settings={"nonsense": 1}
        ),
        "a run that is not there": lambda: stratagem.load_run("nowhere"),
        "a record that is not there": lambda: stratagem.read_record("nowhere.jsonl"),
        "a record of another game": lambda: stratagem.replay(record, load_game("battlefield")),
        "measures of a game that has none": lambda: stratagem.measure_games(game, [record]),
        "an analysis of a ply that is not there": lambda: stratagem.analyse(record, plies=[99]),
        "an analysis of a ply before the first": lambda: stratagem.analyse(record, plies=[-1]),
        "an analysis by somebody who does not search": lambda: stratagem.analyse(record, "random"),
        "a backend that nobody knows": lambda: stratagem.make_backend("abacus"),
        "a backend with a strange address": lambda: stratagem.make_backend("threads", "there"),
        "speed of a game that nobody knows": lambda: stratagem.bench("chess"),
        "a move that is not legal": lambda: session().play(99),
        "dice where there are none": lambda: session().roll(),
        "taking back before the first move": lambda: session().take_back(-1),
        "taking back what did not happen": lambda: session().take_back(5),
        "resigning for nobody": lambda: session().resign(9),
        "looking through the eyes of nobody": lambda: session().seen_by(9),
        "looking at what did not happen": lambda: session().seen_by(0, 99),
    }  # fmt: skip


class Hang(BaseException):
    """It took too long; not an Exception, so that nothing on the way out takes it for its own."""


@contextlib.contextmanager
def at_most(seconds: int) -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise Hang

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def wrong_invocation(words: list[str], seconds: int) -> str:
    """What is wrong with the answer to a wrong command line; empty if nothing is."""
    out, err = io.StringIO(), io.StringIO()
    try:
        with at_most(seconds), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(words)
    except BaseException as error:
        return repr(error)[:300]
    said = err.getvalue()
    if code != 2:
        return f"exit {code}, {said.strip()[:200]}"
    # On a slow machine a line of progress may come before the error.
    told = [line for line in said.splitlines() if not line.endswith(" so far")]
    fine = len(told) == 1 and told[0].startswith("error: ") and len(said) < 2000
    return "" if fine else f"not one line: {said[:200]!r}"


def wrong_call(call: Callable[[], object], seconds: int) -> str:
    """The same for a call from Python."""
    try:
        with at_most(seconds):
            call()
    except StratagemError as error:
        return "" if "\n" not in str(error) else f"not one line: {str(error)[:200]!r}"
    except BaseException as error:
        return repr(error)[:300]
    return "accepted"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=60, help="a call that takes longer hangs")
    parser.add_argument("--only", default="", help="only those with this word")
    given = parser.parse_args()
    faults, slowest, count = [], (0.0, ""), 0

    def note(shown: str, check: Callable[[], str]) -> None:
        nonlocal slowest, count
        if given.only not in shown:
            return
        began = time.monotonic()
        wrong = check()
        count += 1
        slowest = max(slowest, (time.monotonic() - began, shown))
        if wrong:
            faults.append(shown)
            sys.stdout.write(f"{shown}: {wrong}\n")
            sys.stdout.flush()

    with tempfile.TemporaryDirectory() as folder:
        here = Path.cwd()
        os.chdir(folder)
        for words in invocations(Path(folder)):
            note(" ".join(words)[:100], lambda words=words: wrong_invocation(words, given.seconds))
        for name, call in python_calls().items():
            note(name, lambda call=call: wrong_call(call, given.seconds))
        os.chdir(here)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    sys.stdout.write(
        f"{count} wrong calls, {len(faults)} not refused as they should be; slowest "
        f"{slowest[0]:.1f} s ({slowest[1]}); most memory {memory:.2f} GB\n"
    )
    sys.exit(1 if faults or memory > MOST_MEMORY else 0)


if __name__ == "__main__":
    main()
