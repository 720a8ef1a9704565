"""Whole games: conformance, invariants, golden game, Goal Rush, calibration."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.hexwar import rushing, twin
from games.hexwar.outcomes import play_many
from games.hexwar.reading import start_beside, text_of
from interpreted import assert_interpreted_equals_compiled
from playthrough import playthrough
from stratagem.core.conformance import check_game
from stratagem.core.registry import load_game
from stratagem.core.seats import OVER
from stratagem.core.seeding import derive_generator, derive_seeds

GOLDEN = Path(__file__).parents[2] / "golden" / "hexwar.txt"
SPECS = ["hexwar", "hexwar/randomized-6", "hexwar/solo-20", "hexwar/curriculum?stacking=4"]
SLOW_SPECS = ["hexwar/asymmetric", "hexwar/mirror", "hexwar/randomized", "hexwar/crossroads",
              "hexwar/breakthrough", "hexwar/symmetric-12", "hexwar/symmetric-7"]  # fmt: skip


@pytest.mark.parametrize("spec", SPECS)
def test_conforms(spec):
    check_game(load_game(spec), games=2)


@pytest.mark.slow
@pytest.mark.parametrize("spec", SLOW_SPECS)
def test_others_conform(spec):
    check_game(load_game(spec), games=4)


def test_interpreted_equals_compiled():
    specs = ["hexwar", "hexwar/curriculum", "hexwar/randomized-6", "hexwar/solo-4"]
    assert_interpreted_equals_compiled(specs)


def test_golden_playthrough():
    shown = playthrough(load_game("hexwar/curriculum"), 1)
    assert shown == GOLDEN.read_text(), (
        "the rules changed: python tests/playthrough.py hexwar/curriculum 1"
    )


@settings(deadline=None, max_examples=40)
@given(
    height=st.integers(2, 9),
    width=st.integers(3, 9),
    stacking=st.integers(1, 4),
    turns=st.integers(2, 12),
    seed=st.integers(0, 2**32),
)
def test_invariants_of_random_games(seed, **fields):
    game = load_game("hexwar/randomized?" + "&".join(f"{k}={v}" for k, v in fields.items()))
    choice = derive_generator(seed, "invariants")
    state = game.new_states(derive_seeds(seed, "invariants", count=1))
    before = state[0].copy()
    while state["seat"][0] != OVER:
        legal = game.legal_actions(state[0])
        assert 0 < len(legal) <= game.max_legal
        before = state[0].copy()
        game.kernels.step(state, np.array([choice.choice(legal)], np.int32))
        check_position(before, state[0])
    assert state["turn"][0] == fields["turns"]


def moment(s):
    """Turn and player; turns in which nobody can do anything are passed over."""
    return int(s["turn"]), 2 if s["seat"] == OVER else int(s["seat"])


def check_position(before, after):
    """Stacks and units agree; nobody is crowded, mixed or revived; time never runs back."""
    area = int(after["height"]) * int(after["width"])
    seen = []
    for cell in range(area):
        stack, link = [], int(after["stack"][cell])
        while link:
            stack.append(link - 1)
            assert after["cell"][link - 1] == cell
            link = int(after["above"][link - 1])
        assert len(stack) <= after["stacking"]
        assert len({unit // 32 for unit in stack}) <= 1
        seen += stack
    on_board = [unit for unit in range(64) if after["status"][unit] in (1, 2, 3, 4)]
    assert sorted(seen) == on_board
    gone = before["status"] == 5
    assert np.all(after["status"][gone] == 5)
    assert np.sum(after["status"] == 5) - np.sum(gone) <= 2
    assert moment(after) >= moment(before)
    for name in ("ground", "goals", "goal_count", "kind", "turn_due", "zone", "home"):
        assert np.array_equal(before[name], after[name])
    limit = after["kinds"][after["kind"], 2]
    assert np.all(after["points"] <= limit)


@pytest.mark.parametrize(
    ("spec", "games"), [("hexwar", 8), ("hexwar/randomized", 8), ("hexwar/symmetric-9", 2)]
)
def test_goal_rush_is_the_agent_of_the_paper(spec, games):
    game = load_game(spec)
    write = game.rules.notation.format_action
    for seed in range(games):
        choice = derive_generator(seed, "rush", spec)
        state = game.new_states(derive_seeds(seed, "rush", count=1))
        war = start_beside(game, state[0])
        while state["seat"][0] != OVER:
            by_text = {text_of(action): action for action in twin.legal(war)}
            wanted = {text_of(action) for action in rushing.choices(war)}
            picked = np.empty(1, np.int32)
            seeds = choice.integers(1, 2**63, 1).astype(np.uint64)
            game.rules.bot_kernels["goal-rush"](state, seeds, game.width, picked)
            text = write(state[0], int(picked[0]))
            assert text in wanted
            if choice.random() < 0.3:  # stray from its way now and then
                text = str(choice.choice(sorted(by_text)))
            twin.play(war, by_text[text])
            picked[0] = game.rules.notation.parse_action(state[0], text)
            game.kernels.step(state, picked)


def test_goal_rush_always_gets_there_alone():
    for size in (4, 5, 12):
        seen = play_many(f"hexwar/solo-{size}", ("random", "goal-rush"), 200, 1)
        assert seen.shares[2] > (
            0.99 if size < 12 else 0.5
        )  # 14 points; a far corner may be too far


RUSH = "goal-rush"
PAPER = [  # specs/hexwar.md 1.10: 1000 games each; percentages, and mean actions per game
    ("symmetric", ("random", "random"), (0.7, 97.6, 1.7), 48.8),
    ("symmetric", (RUSH, "random"), (65.4, 34.4, 0.2), 39.3),
    ("symmetric", ("random", RUSH), (0.1, 24.2, 75.7), 44.5),
    ("symmetric", (RUSH, RUSH), (7.3, 87.9, 4.8), 38.6),
    ("randomized", ("random", "random"), (2.5, 94.2, 3.3), 82.9),
    ("randomized", (RUSH, "random"), (90.8, 9.0, 0.2), 71.9),
    ("randomized", ("random", RUSH), (0.1, 14.6, 85.3), 71.5),
    ("randomized", (RUSH, RUSH), (5.8, 91.9, 2.3), 60.1),
]


def compare(name, players, percent, actions, games):
    """Every share within three standard errors of the two samples, actions within 3 %."""
    seen = play_many(f"hexwar/{name}", players, games, 1)
    for share, wanted in zip(seen.shares, percent, strict=True):
        spread = max(share * (1 - share), 0.002) * (1 / 1000 + 1 / games)
        assert abs(share - wanted / 100) < 3 * np.sqrt(spread), (players, seen)
    assert seen.actions == pytest.approx(actions, rel=0.03)
    return seen


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players", "percent", "actions"), PAPER)
def test_outcomes_are_those_of_the_papers_code(name, players, percent, actions):
    compare(name, players, percent, actions, games=10_000)


def test_a_sample_of_outcomes_is_that_of_the_papers_code():
    compare(*PAPER[1], games=1500)
    seen = compare(*PAPER[0], games=1500)
    assert seen.mean_legal == pytest.approx(6.5, abs=0.15) and seen.most_legal == 14
