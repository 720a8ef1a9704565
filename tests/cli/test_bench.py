"""`bench` prints every number of the contract."""

import json

import pytest

KEYS = {
    "game", "rules_steps_per_s", "random_games_per_s", "rules_observe_steps_per_s",
    "search_sims_per_s", "selfplay_sims_per_s", "selfplay_positions_per_s",
    "outside_network_share", "sim_cost_us", "state_bytes", "replay_bytes_per_position",
    "peak_rss_mb", "compile_cold_s", "compile_cached_s", "rollout_sims_per_s",
}  # fmt: skip


@pytest.mark.slow
def test_json_has_the_keys_of_the_contract(cli):
    answer = cli("bench", "connect_four", "--quick", "--json")
    assert answer.code == 0, answer.err
    values = json.loads(answer.out)
    assert set(values) >= KEYS
    assert set(values["sim_cost_us"]) == {"100", "400", "1600"}
    numbers = [values[key] for key in KEYS - {"game", "sim_cost_us", "outside_network_share"}]
    assert all(number > 0 for number in numbers)
    assert 0.0 <= values["outside_network_share"] < 1.0
    assert values["compile_cached_s"] < values["compile_cold_s"]
