"""Compare the speed of Stratagem and OpenSpiel's C++: Connect Four, one core, the same run.

    python benchmarks/peers.py [--seconds 2] [--sims 1000] [--core N] [--json] [--out FILE]

Random play: whole games from the starting position. Search: the same number of simulations from
the starting position, one random game to the end per simulation. OpenSpiel is timed on the fastest
path that Python can reach: both loops run inside its C++ (`MCTSBot.mcts_search`), and Python only
starts them. The two sides take turns, and the best CPU time of each counts, because a busy machine
can only make things slower.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy loads

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

import numpy as np
import pyspiel

from stratagem.core.game import Game
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seed, derive_seeds
from stratagem.runs.provenance import collect_provenance
from stratagem.search import Forest, PlayoutEvaluator, SearchSettings

GAME = "connect_four"
EXPLORATION = 1.5  # c of both searches; it decides where they look, not how fast
MEMORY_MB = 4000  # enough that OpenSpiel never has to collect garbage
Work = Callable[[int], float]  # repeat number -> units of work done


@dataclass(frozen=True)
class Row:
    """One setting: what was counted, how fast both are, and how many times faster we are."""

    task: str
    setting: str
    unit: str
    stratagem: float
    openspiel: float
    ratio: float


def our_random_play(game: Game, games: int) -> Work:
    """Whole random games by the batched kernel; counts steps."""

    def work(number: int) -> float:
        states = np.zeros(games, game.rules.dtype)
        seeds = derive_seeds(number, "peers", count=games)
        return float(game.kernels.random_play(states, game.packed_scenario, seeds, game.width))

    return work


def their_random_play(games: int, steps_per_game: float) -> Work:
    """One simulation that evaluates the root by so many rollouts: a loop of random games in C++.

    OpenSpiel does not say how many steps it took. The rules are the same, so the mean length of a
    random game is too.
    """
    game = pyspiel.load_game(GAME)

    def work(number: int) -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(games, number)
        bot = pyspiel.MCTSBot(game, evaluator, EXPLORATION, 1, MEMORY_MB, False, number, False)
        bot.mcts_search(game.new_initial_state())
        return games * steps_per_game

    return work


def our_search(game: Game, trees: int, leaves: int, sims: int, searches: int) -> Work:
    """Fresh trees at the starting position, `sims` simulations in each; counts simulations."""
    settings = SearchSettings(sims=sims, leaves_per_tree=leaves, c_init=EXPLORATION)
    forest = Forest(game, settings, trees)
    everyone = np.arange(trees)

    def work(number: int) -> float:
        visits = 0
        for search in range(searches):
            # Another seed every time: the same rollouts again would be easier to predict.
            evaluator = PlayoutEvaluator(game, derive_seed(number, search))
            seeds = derive_seeds(number, "peers", search, count=trees)
            forest.set_roots(everyone, game.new_states(seeds), seeds, evaluator)
            forest.search(everyone, sims, evaluator)
            visits += int(forest.root_visits(everyone).sum())
        return float(visits)

    return work


def their_search(sims: int, searches: int) -> Work:
    """MCTSBot with one rollout per simulation; counts simulations."""
    game = pyspiel.load_game(GAME)

    def work(number: int) -> float:
        visits = 0
        for search in range(searches):
            evaluator = pyspiel.RandomRolloutEvaluator(1, number * searches + search)
            bot = pyspiel.MCTSBot(
                game, evaluator, EXPLORATION, sims, MEMORY_MB, False, number, False
            )
            visits += bot.mcts_search(game.new_initial_state()).explore_count
        return float(visits)

    return work


def best_rates(contestants: list[Work], seconds: float) -> list[float]:
    """Units per CPU second of each, taking turns for about so many seconds each."""
    for work in contestants:
        work(0)  # compiles, and warms the caches
    best = [0.0] * len(contestants)
    spent = repeat = 0.0
    while repeat < 2 or spent < seconds * len(contestants):
        repeat += 1
        for index, work in enumerate(contestants):
            started = time.process_time()
            units = work(int(repeat))
            took = time.process_time() - started
            best[index] = max(best[index], units / took)
            spent += took
    return best


def compare(seconds: float, sims: int, games: int, trees: int, leaves: int) -> list[Row]:
    """Every row of the table."""
    game = load_game(GAME)
    steps_per_game = our_random_play(game, 20 * games)(0) / (20 * games)
    random_play = best_rates(
        [our_random_play(game, games), their_random_play(games, steps_per_game)], seconds
    )
    searches = max(1, games // sims)
    settings = {
        "1 tree, leaf by leaf": (1, 1),
        f"1 tree, {leaves} leaves at once": (1, leaves),
        f"{trees} trees": (trees, 1),
    }
    works = [
        our_search(game, number, at_once, sims, searches if number == 1 else 1)
        for number, at_once in settings.values()
    ]
    *ours, theirs = best_rates([*works, their_search(sims, searches)], seconds)
    rows = [_row("random play", "whole games", "steps/s", *random_play)]
    rows += [
        _row(f"rollout search, {sims} simulations", name, "simulations/s", rate, theirs)
        for name, rate in zip(settings, ours, strict=True)
    ]
    return rows


def _row(task: str, setting: str, unit: str, stratagem: float, openspiel: float) -> Row:
    return Row(task, setting, unit, round(stratagem), round(openspiel), stratagem / openspiel)


def pin(core: int | None) -> int | None:
    """Stay on one core (the last one allowed unless named); None where the system cannot."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    chosen = max(os.sched_getaffinity(0)) if core is None else core
    os.sched_setaffinity(0, {chosen})
    return chosen


def table(rows: list[Row]) -> str:
    """Markdown, aligned for terminals."""
    heads = ["task", "Stratagem searches", "Stratagem", "OpenSpiel C++", "unit", "ratio"]
    cells = [heads] + [
        [r.task, r.setting, f"{r.stratagem:,.0f}", f"{r.openspiel:,.0f}", r.unit, f"{r.ratio:.2f}"]
        for r in rows
    ]
    widths = [max(len(line[i]) for line in cells) for i in range(len(heads))]
    lines = ["| " + " | ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)) + " |"
             for line in cells]  # fmt: skip
    return "\n".join([lines[0], "|" + "|".join("-" * (w + 2) for w in widths) + "|", *lines[1:]])


def kept(rows: list[Row], seconds: float) -> dict[str, object]:
    """The rows with where and when they were measured."""
    found = collect_provenance()
    return {
        "game": GAME,
        "command": f"python benchmarks/peers.py --seconds {seconds:g}",
        "date": date.today().isoformat(),
        "commit": found.commit,
        "machine": found.machine,
        "load": round(os.getloadavg()[1], 1),
        "rows": [{**asdict(row), "ratio": round(row.ratio, 2)} for row in rows],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU time per contestant")
    parser.add_argument("--sims", type=int, default=1000, help="simulations per search")
    parser.add_argument("--games", type=int, default=4000, help="random games per repeat")
    parser.add_argument("--trees", type=int, default=128, help="trees searched side by side")
    parser.add_argument("--leaves", type=int, default=16, help="leaves of one tree at once")
    parser.add_argument("--core", type=int, help="the core to stay on; default: the last")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--out", type=Path, help="also write the rows to this file, as JSON")
    arguments = parser.parse_args()
    core = pin(arguments.core)
    rows = compare(
        arguments.seconds, arguments.sims, arguments.games, arguments.trees, arguments.leaves
    )
    if arguments.out is not None:
        arguments.out.write_text(json.dumps(kept(rows, arguments.seconds), indent=2) + "\n")
    if arguments.json:
        print(json.dumps({"game": GAME, "core": core, "rows": [asdict(row) for row in rows]}))
    else:
        print(table(rows))


if __name__ == "__main__":
    main()
