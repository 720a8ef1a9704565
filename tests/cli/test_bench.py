"""`bench` prints every number of the contract."""

import json
import time

import pytest

from stratagem.evaluate.bench import CompileTime

KEYS = {
    "game", "rules_steps_per_s", "random_games_per_s", "rules_observe_steps_per_s",
    "search_sims_per_s", "selfplay_sims_per_s", "selfplay_positions_per_s",
    "outside_network_share", "sim_cost_us", "state_bytes", "replay_bytes_per_position",
    "peak_rss_mb", "compile_cold_s", "compile_cached_s", "rollout_sims_per_s",
    "network_positions_per_s", "network_gflops", "network_peak_share",
}  # fmt: skip


@pytest.mark.slow
def test_json_has_the_keys_of_the_contract(cli, monkeypatch):
    times = CompileTime(9.0, 0.5)  # measured in tests/cli/test_warm.py
    monkeypatch.setattr("stratagem.evaluate.bench.measure_compilation", lambda spec: times)
    answer = cli("bench", "dice", "--quick", "--json")
    assert answer.code == 0, answer.err
    values = json.loads(answer.out)
    assert set(values) >= KEYS
    assert set(values["sim_cost_us"]) == {"100", "400", "1600"}
    numbers = [values[key] for key in KEYS - {"game", "sim_cost_us", "outside_network_share"}]
    assert all(number > 0 for number in numbers)
    assert 0.0 <= values["outside_network_share"] < 1.0
    assert values["compile_cached_s"] < values["compile_cold_s"]


@pytest.mark.slow
def test_long_games_are_measured_within_a_time(cli):
    """Of Hispania only what fits: whole games of self-play would take minutes."""
    began = time.perf_counter()
    answer = cli("bench", "hispania", "--quick", "--no-compilation", "--json")
    assert answer.code == 0, answer.err
    values = json.loads(answer.out)
    assert not {"compile_cold_s", "compile_cached_s"} & set(values)
    assert values["state_bytes"] <= 4096
    for key in ("random_games_per_s", "decision_cached_ms", "decisions_per_s"):
        assert values[key] > 0
    assert time.perf_counter() - began < 150  # on a busy machine; about twenty seconds alone
