"""The kernels and the slow twin agree on every position, list and observation of random games."""

import numpy as np
import pytest

from games.hexwar import twin
from games.hexwar.reading import differences, start_beside, text_of
from stratagem.core.registry import load_game
from stratagem.core.seats import OVER
from stratagem.core.seeding import derive_generator, derive_seeds

SPECS = [
    ("hexwar", 12),
    ("hexwar/asymmetric", 8),
    ("hexwar/mirror", 8),
    ("hexwar/curriculum", 12),
    ("hexwar/randomized", 12),
    ("hexwar/randomized-8", 4),
    ("hexwar/symmetric-7", 4),
    ("hexwar/solo-4", 6),
    ("hexwar/solo-9", 4),
    ("hexwar/crossroads", 1),
    ("hexwar/breakthrough", 1),
    ("hexwar/randomized?height=2&width=3&turns=20&stacking=1", 12),
    ("hexwar/curriculum?stacking=4&turns=20", 6),
    ("hexwar/randomized?height=3&width=4&turns=15&stacking=3", 12),
]


def play_beside_twin(spec: str, seed: int, look_every: int = 7) -> tuple[int, int]:
    """(combats, waiting reinforcements seen) of a game that both agree on."""
    game = load_game(spec)
    write = game.rules.notation.format_action
    choice = derive_generator(seed, spec)
    state = game.new_states(derive_seeds(seed, "setup", count=1))
    war = start_beside(game, state[0])
    observer = game.observer()
    shape = observer.spec.slices[0].shape
    combats = waits = ply = 0
    while True:
        assert differences(war, state[0]) == []
        if state["seat"][0] == OVER:
            assert game.returns(state)[0].tolist() == [twin.result(war), -twin.result(war)]
            assert game.scores(state)[0] == pytest.approx(
                [float(twin.share(war, k)) for k in (0, 1)]
            )
            return combats, waits
        legal = game.legal_actions(state[0])
        texts = {write(state[0], action): action for action in legal}
        by_text = {text_of(action): action for action in twin.legal(war)}
        assert set(texts) == set(by_text) and len(texts) == len(legal)
        if ply % look_every == 0 or war.attackers:
            shown = observer(state)[0].reshape(shape)
            wanted = np.zeros(shape, np.float32)
            for at, value in twin.planes(war).items():
                wanted[at] = value
            assert np.array_equal(shown, wanted)
        text = str(choice.choice(sorted(texts)))
        combats += text.startswith("fight")
        due = [u for u in war.units[war.seat] if u.status == "away" and u.due < war.turn]
        waits += len(due)
        twin.play(war, by_text[text])
        game.kernels.step(state, np.array([texts[text]], np.int32))
        ply += 1


@pytest.mark.parametrize(("spec", "games"), SPECS)
def test_random_games_agree(spec, games):
    for seed in range(games):
        play_beside_twin(spec, seed, look_every=7 if games > 2 else 40)


def test_combats_and_waiting_reinforcements_occur():
    cramped = "hexwar/randomized?height=2&width=3&turns=20&stacking=1"
    seen = [play_beside_twin(cramped, seed, look_every=1) for seed in range(20, 40)]
    assert sum(combats for combats, _ in seen) > 50
    assert sum(waits for _, waits in seen) > 10


@pytest.mark.slow
@pytest.mark.parametrize(
    "spec", ["hexwar", "hexwar/curriculum", "hexwar/randomized", "hexwar/crossroads",
             "hexwar/breakthrough", "hexwar/symmetric-12"]
)  # fmt: skip
def test_more_random_games_agree(spec):
    for seed in range(100, 108):
        play_beside_twin(spec, seed, look_every=25)
