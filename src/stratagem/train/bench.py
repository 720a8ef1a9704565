"""Speed and size of a game on this machine: rules, search, self-play, decisions, compilation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stratagem.core.game import Game
from stratagem.core.registry import load_game
from stratagem.evaluate import bench
from stratagem.train.alphazero.bench import (
    measure_presets,
    measure_self_play,
    measure_self_play_network,
)
from stratagem.train.ppo.bench import measure_decisions, ppo_settings

Note = Callable[[str], None]


def measure_speed(spec: str, quick: bool, note: Note = lambda text: None) -> dict[str, Any]:
    """Measure what `bench --json` prints, except compilation; call `note` before each part."""
    game = load_game(spec)
    seconds = 0.1 if quick else 1.5
    note("rules…")
    rules = bench.measure_rules(game, seconds)
    note("search…")
    search = bench.measure_search(game, seconds)
    note("self-play…")
    self_play = measure_self_play(game, 256 if quick else 2048)
    network = measure_self_play_network(game, seconds)
    presets = measure_presets(game, seconds)
    decisions = _measure_decisions(game, quick, note)
    return {
        "game": game.spec,
        "rules_steps_per_s": rules.steps_per_s,
        "random_games_per_s": rules.games_per_s,
        "rules_observe_steps_per_s": rules.observe_steps_per_s,
        "search_sims_per_s": search.sims_per_s,
        "rollout_sims_per_s": search.rollout_sims_per_s,
        "selfplay_network": self_play.network,
        "selfplay_sims_per_s": self_play.sims_per_s,
        "selfplay_positions_per_s": self_play.positions_per_s,
        "outside_network_share": self_play.outside_network_share,
        "network_positions_per_s": network.positions_per_s,
        "network_gflops": network.gflops,
        "network_peak_share": network.peak_share,
        "preset_sims_per_s": presets,
        **decisions,
        "sim_cost_us": {str(sims): cost for sims, cost in search.sim_cost_us.items()},
        "state_bytes": game.rules.dtype.itemsize,
        "replay_bytes_per_position": self_play.replay_bytes_per_position,
        "peak_rss_mb": bench.peak_memory_mb(),
    }


def measure_compilation(spec: str, note: Note = lambda text: None) -> dict[str, float]:
    """Measure how long a new process takes to compile everything, without and with a cache."""
    note("compilation with an empty cache (--no-compilation leaves it out)…")
    times = bench.measure_compilation(load_game(spec).spec)
    return {"compile_cold_s": times.cold, "compile_cached_s": times.cached}


def _measure_decisions(game: Game, quick: bool, note: Note) -> dict[str, float]:
    if ppo_settings(game) is None:
        return {}
    note("decisions…")
    found = measure_decisions(game, 0.2 if quick else 3.0, 4 if quick else 64)
    return {
        "decision_ms": found.fresh_ms,
        "decision_cached_ms": found.cached_ms,
        "decisions_per_s": found.decisions_per_s,
        "played_decisions_per_s": found.played_per_s,
    }
