"""`stratagem bench`: speed and size on this machine."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from stratagem.cli.options import DeviceOption, JsonOption
from stratagem.cli.output import print_json, print_note, print_table

_UNITS = {
    "rules_steps_per_s": "random play, steps/s, one core",
    "random_games_per_s": "random play, games/s, one core",
    "rules_observe_steps_per_s": "the same with observations, steps/s",
    "search_sims_per_s": "search without network, simulations/s, one core",
    "rollout_sims_per_s": "search with rollouts, simulations/s, one core",
    "selfplay_sims_per_s": "self-play with a network, simulations/s",
    "selfplay_positions_per_s": "self-play with a network, positions/s",
    "outside_network_share": "share of self-play outside the network",
    "network_positions_per_s": "that network alone, positions/s, one core, 128 at a time",
    "network_gflops": "the same, billions of operations/s",
    "network_peak_share": "the same, as a share of a matrix product's speed here",
    "state_bytes": "bytes of a position",
    "replay_bytes_per_position": "bytes of a position in replay",
    "peak_rss_mb": "peak memory, MB",
}

_COMPILATION = {
    "compile_cold_s": "compilation, empty cache, s",
    "compile_cached_s": "the same from the cache, s",
}

# Only for games whose default preset trains a policy that plays without a search.
_DECISIONS = {
    "decision_ms": "decision of the network alone, ms, one core",
    "decision_cached_ms": "the same from an existing encoding, ms, one core",
    "decisions_per_s": "decisions of the network in batches, each encoded, /s, both cores",
    "played_decisions_per_s": "decisions in whole games from shared encodings, /s, both cores",
}


def command(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="name, name/scenario or name/scenario?key=value")
    ] = "battlefield",
    quick: Annotated[bool, typer.Option("--quick", help="Fast, rough numbers.")] = False,
    compilation: Annotated[
        bool,
        typer.Option(
            help="Also measure compiling with an empty cache; a minute or more for a large game."
        ),
    ] = True,
    device: DeviceOption = "auto",
    as_json: JsonOption = False,
) -> None:
    """Measure rules, search, self-play, memory and compilation."""
    from stratagem.train.bench import measure_compilation, measure_speed

    values = measure_speed(game, quick, print_note)
    if not as_json:
        _print_speeds(values)
    if compilation:
        times = measure_compilation(game, print_note)
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


def _short(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
