"""Positions that somebody else wrote: fields changed at random, then shown to what a replay is.

    python tests/chaos/positions.py [--tries N] [--seed N] [GAME]...

What passes a game's limits must keep every kernel that a replay needs within its arrays: observing,
listing legal actions, mirroring, scoring, hiding. Kernels run interpreted here: numpy notices an
index that compiled code would follow anywhere. Each position is also played on at random. What goes
wrong there is told, but is no failure: games from a file are played again from their first one.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from stratagem.core.errors import BadState
from stratagem.core.game import Game, States
from stratagem.core.registry import load_game
from stratagem.core.seats import OVER

GAMES = (
    "connect_four", "battlefield", "hexwar/symmetric", "catan/colonist1v1", "catan/trading",
    "hispania/duel8", "terra_mystica/2p-random",
)  # fmt: skip
LONGEST = 60  # seconds for one use of a position
PLIES = 25
TRIES = 2000
PLAYED = "play on"


class Hang(Exception):
    """A kernel did not come to an end."""


def step_randomly(game: Game, states: States, dice: np.random.Generator) -> None:
    """One event for each position that is not over."""
    live = np.flatnonzero(states["seat"] != OVER)
    moved = states[live]
    actions = game.draw(moved, dice.integers(1, 2**60, len(live)).astype(np.uint64))
    ids, counts = game.legal(moved)
    picks = (dice.random(len(live)) * np.maximum(counts, 1)).astype(int)
    choices = np.where(actions < 0, ids[np.arange(len(live)), picks], actions)
    if (choices < 0).any():
        raise ValueError("nothing is legal")
    game.kernels.step(moved, choices.astype(np.int32))
    states[live] = moved


def genuine(game: Game, dice: np.random.Generator, games: int) -> list[States]:
    """Positions of random games, one in each array."""
    found: list[States] = []
    for _ in range(games):
        states = game.new_states(dice.integers(1, 2**60, 1).astype(np.uint64))
        for _ in range(int(dice.integers(5, 200))):
            if states["seat"][0] == OVER:
                break
            step_randomly(game, states, dice)
            if dice.random() < 0.3 or not found:
                found.append(states.copy())
    return found


def change(game: Game, one: States, others: list[States], dice: np.random.Generator) -> None:
    """A few fields: from another position, one value all over, or one value in one place."""
    names = one.dtype.names or ()
    for _ in range(int(dice.integers(1, 4))):
        name = names[dice.integers(len(names))]
        how = dice.integers(4)
        if how == 0:
            one[name] = others[dice.integers(len(others))][name]
        elif how == 1:
            one[name][...] = a_value(game, name, one[name].dtype, dice)
        else:
            column = one[name].reshape(-1)
            column[dice.integers(column.size)] = a_value(game, name, one[name].dtype, dice)


def a_value(game: Game, name: str, kind: np.dtype[Any], dice: np.random.Generator) -> float:
    """An extreme value of a type or of a field's limits, or any within them."""
    if kind.kind == "f":
        return float(dice.choice([0.0, 1.5, 1e30, -1e30]))
    bounds = np.iinfo(kind)
    low, high = game.limits.ranges.get(name, (0, 12))
    known = [bounds.min, bounds.max, 0, 1, low, high, *dice.integers(low, high, 4, endpoint=True)]
    return int(np.clip(int(known[dice.integers(len(known))]), bounds.min, bounds.max))


def uses(
    game: Game, one: States, dice: np.random.Generator
) -> Iterator[tuple[str, Callable[[], object]]]:
    """All that a position from a file may be shown to."""
    row = np.zeros(1, np.int64)
    for encoding in game.rules.encodings:
        observer = game.observer(encoding.name)
        for seat in range(game.num_seats):
            out, seats = np.zeros((1, observer.spec.size), np.float32), np.array([seat], np.int8)
            yield "observe", lambda o=observer, s=seats, t=out: o.observe_into(one, row, s, t)
    for index in range(1, game.num_symmetries):
        image = one.copy()
        yield "mirror", lambda k=index, t=image: game.kernels.symmetry(one, np.array([k]), t)
    yield "scores", lambda: game.scores(one)
    yield "potentials", lambda: game.potentials(one)
    if one["seat"][0] >= 0:
        yield "legal", lambda: game.legal(one)
        yield "hide", lambda: game.hidden_from(one, one["seat"], np.array([5], np.uint64))
    yield PLAYED, lambda: play_on(game, one.copy(), dice)


def play_on(game: Game, states: States, dice: np.random.Generator) -> None:
    for _ in range(PLIES):
        if states["seat"][0] == OVER:
            return
        step_randomly(game, states, dice)


def fault_of(call: Callable[[], object]) -> str:
    """What is wrong with a use; empty if nothing is.

    Numbers that leave their type are no fault: compiled code lets them wrap, as everywhere.
    """
    signal.alarm(LONGEST)
    try:
        call()
    except (BadState, OverflowError):
        return ""
    except (IndexError, ValueError, Hang) as error:
        return f"{type(error).__name__}: {error}"
    finally:
        signal.alarm(0)
    return ""


def attack(spec: str, seed: int, tries: int) -> int:
    """Damage so many positions of a game; the number of faults, each kind shown once."""
    game, dice = load_game(spec), np.random.default_rng(seed)
    pool = genuine(game, dice, min(40, 4 + tries // 50))
    passed, faults = 0, Counter[str]()
    for _ in range(tries):
        one = pool[dice.integers(len(pool))].copy()
        change(game, one, pool, dice)
        try:
            game.check_states(one)
        except BadState:
            continue
        except IndexError as error:
            faults[f"check: {error}"] += 1
            continue
        passed += 1
        for name, call in uses(game, one, dice):
            if wrong := fault_of(call):
                faults[f"{name}: {wrong}"] += 1
    found = sum(count for text, count in faults.items() if not text.startswith(PLAYED))
    sys.stdout.write(f"{spec}: {tries - passed} refused, {passed} passed, {found} faults\n")
    sys.stdout.writelines(f"  {count} {text}\n" for text, count in faults.most_common(20))
    sys.stdout.flush()
    return found


def interpreted(spec: str, given: argparse.Namespace) -> int:
    """The attack in a process of its own whose kernels are not compiled."""
    words = [sys.executable, str(Path(__file__)), "--here", spec]
    words += ["--tries", str(given.tries), "--seed", str(given.seed)]
    return subprocess.run(
        words, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, check=False
    ).returncode


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--tries", type=int, default=TRIES, help="positions of each game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if not given.here:
        sys.exit(max(interpreted(spec, given) for spec in given.games))

    def stop(number: int, frame: FrameType | None) -> None:
        raise Hang(f"not done after {LONGEST} seconds")

    signal.signal(signal.SIGALRM, stop)
    warnings.simplefilter("ignore")  # numbers of numpy warn where compiled ones wrap
    sys.exit(1 if sum(attack(spec, given.seed, given.tries) for spec in given.games) else 0)


if __name__ == "__main__":
    main()
