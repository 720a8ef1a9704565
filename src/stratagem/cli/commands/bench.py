"""`stratagem bench`: speed and size on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from stratagem.cli.options import JsonOption
from stratagem.cli.output import print_json, print_note, print_table

if TYPE_CHECKING:
    from stratagem.core.game import Game

_UNITS = {
    "rules_steps_per_s": "random play, steps/s, one core",
    "random_games_per_s": "random play, games/s, one core",
    "rules_observe_steps_per_s": "the same with observations, steps/s",
    "search_sims_per_s": "search without network, simulations/s, one core",
    "rollout_sims_per_s": "search with rollouts, simulations/s, one core",
    "selfplay_sims_per_s": "self-play with a network, simulations/s",
    "selfplay_positions_per_s": "self-play with a network, positions/s",
    "outside_network_share": "share of self-play outside the network",
    "state_bytes": "bytes of a position",
    "replay_bytes_per_position": "bytes of a position in replay",
    "peak_rss_mb": "peak memory, MB",
}

_COMPILATION = {
    "compile_cold_s": "compilation, empty cache, s",
    "compile_cached_s": "the same from the cache, s",
}

# Only of games whose default preset trains a policy that plays without a search.
_DECISIONS = {
    "decision_ms": "decision of the network alone, ms, one core",
    "decision_cached_ms": "the same from an encoding that is there, ms, one core",
    "decisions_per_s": "decisions of the network in batches, each encoded, /s, both cores",
    "played_decisions_per_s": "decisions in whole games from shared encodings, /s, both cores",
}


def command(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="name, name/scenario or name/scenario?key=value")
    ] = "battlefield",
    quick: Annotated[bool, typer.Option("--quick", help="Rough numbers, fast.")] = False,
    compilation: Annotated[
        bool,
        typer.Option(help="Compile with an empty cache too; a minute or more for a large game."),
    ] = True,
    as_json: JsonOption = False,
) -> None:
    """Measure rules, search, self-play, memory and compilation."""
    values = measure(game, quick)
    if not as_json:
        _print_speeds(values)
    if compilation:
        times = measure_compilation(game)
        if as_json:
            values |= times
        else:
            rows = [[label, _short(times[key])] for key, label in _COMPILATION.items()]
            print_table(["measured", values["game"]], rows)
    if as_json:
        print_json(values)


def _print_speeds(values: dict[str, Any]) -> None:
    rows = [[_UNITS[key], _short(values[key])] for key in _UNITS]
    rows.append(["network of self-play", values["selfplay_network"]])
    rows += [
        [f"cost per simulation at {sims} simulations, µs", _short(cost)]
        for sims, cost in values["sim_cost_us"].items()
    ]
    rows += [[label, _short(values[key])] for key, label in _DECISIONS.items() if key in values]
    rows += [
        [f"search with the network of preset {name}, simulations/s, one core", _short(speed)]
        for name, speed in values["preset_sims_per_s"].items()
    ]
    print_table(["measured", values["game"]], rows)


def measure(spec: str, quick: bool) -> dict[str, Any]:
    """Everything that `bench --json` prints but compilation."""
    from stratagem.core.registry import load_game
    from stratagem.evaluate import bench
    from stratagem.train.alphazero.bench import measure_presets, measure_self_play

    game = load_game(spec)
    seconds = 0.1 if quick else 1.5
    print_note("rules…")
    rules = bench.measure_rules(game, seconds)
    print_note("search…")
    search = bench.measure_search(game, seconds)
    print_note("self-play…")
    self_play = measure_self_play(game, 256 if quick else 2048)
    presets = measure_presets(game, seconds)
    decisions = _measure_decisions(game, quick)
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
        "preset_sims_per_s": presets,
        **decisions,
        "sim_cost_us": {str(sims): cost for sims, cost in search.sim_cost_us.items()},
        "state_bytes": game.rules.dtype.itemsize,
        "replay_bytes_per_position": self_play.replay_bytes_per_position,
        "peak_rss_mb": bench.peak_memory_mb(),
    }


def measure_compilation(spec: str) -> dict[str, float]:
    """Seconds until a new process has everything compiled, from nothing and from the cache."""
    from stratagem.core.registry import load_game
    from stratagem.evaluate import bench

    print_note("compilation with an empty cache (--no-compilation leaves it out)…")
    times = bench.measure_compilation(load_game(spec).spec)
    return {"compile_cold_s": times.cold, "compile_cached_s": times.cached}


def _measure_decisions(game: Game, quick: bool) -> dict[str, float]:
    from stratagem.train.ppo.bench import measure_decisions, ppo_settings

    if ppo_settings(game) is None:
        return {}
    print_note("decisions…")
    found = measure_decisions(game, 0.2 if quick else 3.0, 4 if quick else 64)
    return {
        "decision_ms": found.fresh_ms,
        "decision_cached_ms": found.cached_ms,
        "decisions_per_s": found.decisions_per_s,
        "played_decisions_per_s": found.played_per_s,
    }


def _short(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
