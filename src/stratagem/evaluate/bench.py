"""Measures speed and size on this machine: rules, search, compilation, memory.

Every rate is the best of several repeats on one core, because a busy machine can only slow things
down. Self-play with a network is measured in `train.bench`, which may import it.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from stratagem.agents.kinds.random import RandomAgent
from stratagem.core.errors import BadSetting
from stratagem.core.game import Game, States
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import Seeds, derive_seeds, nth_seeds
from stratagem.search import Evaluator, Forest, PlayoutEvaluator, SearchSettings, UniformEvaluator

SIM_COUNTS = (100, 400, 1600)  # simulations per decision for which the cost is measured
_GAMES = 1024  # games in parallel when the rules are measured
_WALK = 8  # events per game in one repeat of the observation benchmark
_COMPILE = "import sys, stratagem.evaluate.bench as bench; bench.compile_here(sys.argv[1])"


@dataclass(frozen=True)
class RulesSpeed:
    """Random play without and with observing every position."""

    steps_per_s: float
    games_per_s: float
    observe_steps_per_s: float


@dataclass(frozen=True)
class SearchSpeed:
    """Simulations per second on one core, without a network."""

    sims_per_s: float  # at the smallest of SIM_COUNTS
    rollout_sims_per_s: float  # with one random game to the end per leaf; fewer sims for long games
    sim_cost_us: dict[int, float]  # microseconds per simulation at each of SIM_COUNTS


@dataclass(frozen=True)
class CompileTime:
    """Seconds until a new process has compiled everything."""

    cold: float
    cached: float


def measure_rules(game: Game, seconds: float) -> RulesSpeed:
    """Play random games on one core, for about `seconds` each without and with observing."""
    seeds = derive_seeds(1, "bench", count=_GAMES)
    steps = random_steps(game, seeds)  # the same games every time, so the same number
    duration = best_seconds(lambda: random_steps(game, seeds), seconds)
    observing = best_seconds(lambda: _observe_walk(game, seeds), seconds)
    return RulesSpeed(
        steps_per_s=steps / duration,
        games_per_s=_GAMES / duration,
        observe_steps_per_s=_GAMES * _WALK / observing,
    )


def random_steps(game: Game, seeds: Seeds) -> int:
    """Play one random game per seed to the end; return the number of steps."""
    # `reset` expects zeroed states: in used ones the games would already be over.
    states = np.zeros(len(seeds), game.rules.dtype)
    return int(game.kernels.random_play(states, game.packed_scenario, seeds, game.width))


def _observe_walk(game: Game, seeds: Seeds) -> None:
    """Play a few random events in each game; after each, observe as the deciding seat."""
    agent, observer = RandomAgent(game), game.observer()
    states = game.new_states(seeds)
    out = np.zeros((len(states), observer.spec.size), np.float32)
    for number in range(_WALK):
        step_randomly(game, agent, states, nth_seeds(seeds, np.full(len(states), number)))
        over = np.flatnonzero(states["seat"] == OVER)
        if len(over):
            states[over] = game.new_states(seeds[over])
        deciding = np.flatnonzero(states["seat"] >= 0)
        observer.observe_into(states, deciding, states["seat"][deciding], out[: len(deciding)])


def step_randomly(game: Game, agent: RandomAgent, states: States, seeds: Seeds) -> None:
    """Apply one random event, in place, to each state that is not over."""
    actions = game.draw(states, seeds)  # -1 where chance does not decide
    deciding = np.flatnonzero(states["seat"] >= 0)
    if len(deciding) == len(states):
        actions = agent.act(states, seeds)
    elif len(deciding):
        actions[deciding] = agent.act(states[deciding], seeds[deciding])
    going = np.flatnonzero(states["seat"] != OVER)
    if len(going) == len(states):
        game.kernels.step(states, actions)
        return
    moved = states[going]
    game.kernels.step(moved, actions[going])
    states[going] = moved


def measure_search(game: Game, seconds: float, trees: int = 128) -> SearchSpeed:
    """Grow trees in lockstep; each of SIM_COUNTS for about `seconds`."""
    uniform = UniformEvaluator(game)
    costs = {sims: _sim_seconds(game, uniform, sims, trees, seconds) for sims in SIM_COUNTS}
    playouts = PlayoutEvaluator(game, 1)
    deepest = _affordable_sims(game, playouts, trees, seconds)
    playout = _sim_seconds(game, playouts, deepest, trees, seconds)
    return SearchSpeed(
        sims_per_s=1.0 / costs[SIM_COUNTS[0]],
        rollout_sims_per_s=1.0 / playout,
        sim_cost_us={sims: 1e6 * cost for sims, cost in costs.items()},
    )


def _sim_seconds(game: Game, evaluator: Evaluator, sims: int, trees: int, seconds: float) -> float:
    forest = Forest(game, SearchSettings(sims=sims), trees)
    roots = opening_positions(game, trees, 1)
    seeds, everyone = derive_seeds(2, "bench", count=trees), np.arange(trees)

    def search() -> None:
        forest.set_roots(everyone, roots, seeds, evaluator)
        forest.search(everyone, sims, evaluator)

    search()
    return best_seconds(search, seconds) / (trees * sims)


def _affordable_sims(game: Game, evaluator: Evaluator, trees: int, seconds: float) -> int:
    """Return the smallest of SIM_COUNTS, or fewer if that would take longer than `seconds`."""
    once = _sim_seconds(game, evaluator, 1, trees, 0.0) * trees
    return int(np.clip(seconds / once, 1, SIM_COUNTS[0]))


def opening_positions(game: Game, count: int, seed: int) -> States:
    """Return new games with their opening dice rolled, so that a seat decides in each."""
    states = game.new_states(derive_seeds(seed, "opening", count=count))
    roll = 0
    while len(rolling := np.flatnonzero(states["seat"] == CHANCE)):
        seeds = derive_seeds(seed, "opening", "roll", roll, count=len(rolling))
        rolled = states[rolling]
        game.kernels.step(rolled, game.draw(rolled, seeds))
        states[rolling] = rolled
        roll += 1
    return states


def best_seconds(work: Callable[[], object], seconds: float) -> float:
    """Return the time of the fastest run, repeated for about `seconds` and at least twice."""
    best, spent, runs = float("inf"), 0.0, 0
    while runs < 2 or spent < seconds:
        started = time.perf_counter()
        work()
        took = time.perf_counter() - started
        best, spent, runs = min(best, took), spent + took, runs + 1
    return best


def measure_compilation(spec: str) -> CompileTime:
    """Time two new processes with an empty cache: the second one finds the first one's."""
    with tempfile.TemporaryDirectory() as cache:
        cold = compile_in_new_process(spec, cache)
        return CompileTime(cold, compile_in_new_process(spec, cache))


def compile_in_new_process(spec: str, cache: str) -> float:
    """Return how long a new process takes to compile everything, using this folder as cache."""
    done = subprocess.run(
        [sys.executable, "-c", _COMPILE, spec],
        env={**os.environ, "STRATAGEM_CACHE": cache, "PYTHONPATH": _search_path()},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise BadSetting(f"could not compile {spec} in a new process: {reason}")
    return float(done.stdout)


def _search_path() -> str:
    """Return the folder of this package, then the PYTHONPATH of this process."""
    package = str(Path(__file__).resolve().parents[2])
    return os.pathsep.join([package, *filter(None, [os.environ.get("PYTHONPATH")])])


def compile_here(spec: str) -> None:
    """Use every kernel that a search needs once, and print how many seconds it took."""
    started = time.perf_counter()
    game = load_game(spec)
    states = np.zeros(1, game.rules.dtype)
    seeds = derive_seeds(1, "compile", count=1)
    game.kernels.random_play(states, game.packed_scenario, seeds, game.width)
    _observe_walk(game, seeds)
    for evaluator in (UniformEvaluator(game), PlayoutEvaluator(game, 1)):
        forest, tree = Forest(game, SearchSettings(sims=4), 1), np.arange(1)
        forest.set_roots(tree, opening_positions(game, 1, 1), seeds, evaluator)
        forest.prepare_roots(tree, noise=True)
        forest.search(tree, 4, evaluator)
        forest.report(tree)
    sys.stdout.write(f"{time.perf_counter() - started}\n")


def peak_memory_mb() -> float:
    """Return the maximum memory that this process has used."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 2**20 if sys.platform == "darwin" else peak / 2**10
