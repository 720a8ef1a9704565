"""Replay: files and their damage, the window, and batches drawn from records."""

import numpy as np
import pytest

from stratagem.core.errors import BadCheckpoint
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_generator
from stratagem.search import UniformEvaluator
from stratagem.train.alphazero.replay import (
    Replay,
    Samples,
    join,
    load_samples,
    quantise,
    save_samples,
)
from train.alphazero.tiny import TINY, same, self_play


@pytest.fixture(scope="module")
def game():
    return load_game(TINY)


@pytest.fixture(scope="module")
def samples(game):
    return self_play(game, 64).samples


def drawn(game, samples, count=64, num_values=1, share=0.0, symmetries=False):
    replay = Replay([game])
    replay.add(1, samples)
    generator = derive_generator(3)
    return replay.draw(count, generator, [game.observer()], num_values, share, symmetries)


def hand_made(game, states, values, search_values=None):
    """Samples whose policy is all on action 0."""
    count = len(states)
    return Samples(
        states=states,
        offsets=np.arange(count + 1),
        actions=np.zeros(count, np.uint16),
        shares=np.full(count, 65535, np.uint16),
        values=np.array(values, np.float32),
        search_values=np.array([0.0] * count if search_values is None else search_values, "f4"),
        policy_weights=np.ones(count, np.float32),
        scores=np.array(values, np.float32) * 10,
        scenario_indices=np.zeros(count, np.uint8),
        observer_seats=states["seat"].copy(),
    )


# -- files ---------------------------------------------------------------------------------------


def test_samples_survive_the_way_to_disk_and_back(game, samples, tmp_path):
    save_samples(samples, tmp_path / "a.safetensors")
    assert len(samples) > 20
    assert same(load_samples(tmp_path / "a.safetensors", [game]), samples)


def test_an_iteration_without_a_finished_game_survives_too(game, tmp_path):
    nothing = self_play(game, 4).samples
    assert len(nothing) == 0
    save_samples(nothing, tmp_path / "a.safetensors")
    read = load_samples(tmp_path / "a.safetensors", [game])
    assert same(read, nothing)
    assert read.values.shape == (0, 2)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.999])
def test_a_truncated_file_is_refused(game, samples, tmp_path, share):
    file = tmp_path / "a.safetensors"
    save_samples(samples, file)
    data = file.read_bytes()
    file.write_bytes(data[: int(share * len(data))])
    with pytest.raises(BadCheckpoint, match=r"a\.safetensors: damaged") as caught:
        load_samples(file, [game])
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_refused(game, tmp_path):
    with pytest.raises(BadCheckpoint, match="missing replay segment"):
        load_samples(tmp_path / "a.safetensors", [game])


def test_a_file_of_another_game_is_refused(samples, tmp_path):
    save_samples(samples, tmp_path / "a.safetensors")
    with pytest.raises(BadCheckpoint, match="another game or version"):
        load_samples(tmp_path / "a.safetensors", [load_game("battlefield")])


@pytest.mark.parametrize(
    "change",
    [
        {"actions": np.full(1, 4, np.uint16)},  # the board has columns 0 to 3
        {"offsets": np.array([0, 2])},
        {"offsets": np.array([1, 1])},
        {"shares": np.zeros(2, np.uint16)},
        {"values": np.zeros((1, 3), np.float32)},
        {"search_values": np.zeros(2, np.float32)},
        {"scores": np.zeros((1, 3), np.float32)},
        {"scenario_indices": np.ones(1, np.uint8)},  # there is one game
        {"observer_seats": np.zeros(2, np.int8)},
    ],
    ids=lambda change: next(iter(change)),
)
def test_parts_that_do_not_fit_together_are_refused(game, tmp_path, change):
    fine = hand_made(game, game.new_states(np.ones(1, np.uint64)), [[1, -1]])
    save_samples(fine, tmp_path / "fine.safetensors")
    load_samples(tmp_path / "fine.safetensors", [game])
    save_samples(Samples(**{**vars(fine), **change}), tmp_path / "a.safetensors")
    with pytest.raises(BadCheckpoint, match=r"are inconsistent|does not have|does not exist"):
        load_samples(tmp_path / "a.safetensors", [game])


# -- the window ----------------------------------------------------------------------------------


def test_joining_moves_the_offsets(game):
    parts = [self_play(game, 64, seed=seed).samples for seed in range(3)]
    whole = join(parts)
    assert len(whole) == sum(map(len, parts))
    position = 0
    for part in parts:
        for k in range(len(part)):
            mine = slice(*part.offsets[k : k + 2])
            joined = slice(*whole.offsets[position : position + 2])
            assert (whole.states[position] == part.states[k]).all()
            assert (whole.actions[joined] == part.actions[mine]).all()
            assert (whole.shares[joined] == part.shares[mine]).all()
            position += 1
    assert whole.offsets[-1] == len(whole.actions)


def test_the_window_forgets_whole_segments_and_keeps_at_least_its_size(game):
    states = game.new_states(np.ones(10, np.uint64))
    ten = hand_made(game, states, [[1, -1]] * 10)
    replay = Replay([game])
    assert (len(replay), replay.oldest) == (0, 0)
    for iteration, window, size, oldest in [
        (1, 5, 10, 1),  # the only segment stays, however large
        (2, 15, 20, 1),
        (3, 15, 20, 2),
        (4, 40, 30, 2),  # a grown window forgets nothing
        (5, 40, 40, 2),
        (6, 20, 20, 5),  # a shrunken one forgets several
    ]:
        replay.add(iteration, ten)
        replay.forget(window)
        assert (len(replay), replay.oldest) == (size, oldest)
    assert replay.nbytes == 2 * ten.nbytes


def test_forgotten_positions_are_not_drawn(game):
    states = game.new_states(np.ones(4, np.uint64))
    replay = Replay([game])
    for iteration, result in [(1, -1.0), (2, 1.0)]:
        replay.add(iteration, hand_made(game, states, [[result, -result]] * 4))
        replay.forget(4)
        batch = replay.draw(32, derive_generator(1), [game.observer()], 1, 0.0, False)
        assert (batch.values == result).all()


# -- batches -------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", [TINY, "battlefield", "dice/three", "cards"])
@pytest.mark.parametrize("symmetries", [False, True])
def test_policies_are_distributions_over_legal_actions(spec, symmetries):
    game = load_game(spec)
    positions = 1200 if spec == "battlefield" else 64
    played = self_play(game, positions, UniformEvaluator(game)).samples
    batch = drawn(game, played, symmetries=symmetries)
    assert np.allclose(batch.policies.sum(axis=1), 1, atol=1e-6)
    assert (batch.policies >= 0).all()
    assert not batch.policies[~batch.legal].any()
    assert batch.legal.any(axis=1).all()
    assert batch.observations.shape == (64, game.observer().spec.size)


def test_a_mirrored_position_comes_with_a_mirrored_policy(game):
    state = game.new_states(np.ones(1, np.uint64))
    for column in (0, 0, 0, 0, 1):  # the left column is full
        game.kernels.step(state, np.array([column], np.int32))
    one = hand_made(game, state, [[1, -1]])
    one = Samples(
        **{
            **vars(one),
            "offsets": np.array([0, 2]),
            "actions": np.array([1, 3], np.uint16),
            "shares": quantise(np.array([0.75, 0.25], np.float32)),
        }
    )
    observer = game.observer()
    plain = observer(state)[0].reshape(3, 4, 4)
    images = {
        plain.tobytes(): ([0, 0.75, 0, 0.25], [False, True, True, True]),
        plain[:, :, ::-1].tobytes(): ([0.25, 0, 0.75, 0], [True, True, True, False]),
    }
    batch = drawn(game, one, count=32, symmetries=True)
    seen = set()
    for k in range(32):
        key = batch.observations[k].tobytes()
        policy, legal = images[key]
        seen.add(key)
        assert batch.policies[k] == pytest.approx(policy, abs=1e-4)
        assert batch.legal[k].tolist() == legal
    assert len(seen) == 2
    still = drawn(game, one, count=32, symmetries=False)
    assert (still.observations == plain.ravel()).all()


def test_a_batch_comes_from_one_game_and_each_as_often_as_it_has_positions(game):
    wide = load_game("connect_four/default?columns=5&connect=3&rows=4")
    here = hand_made(game, game.new_states(np.ones(3, np.uint64)), [[1, -1]] * 3)
    there = hand_made(wide, wide.new_states(np.ones(1, np.uint64)), [[-1, 1]])
    there = Samples(**{**vars(there), "scenario_indices": np.ones(1, np.uint8)})
    replay = Replay([game, wide])
    replay.add(1, join([here, there]))
    observers = [game.observer(), wide.observer()]
    generator = derive_generator(3)
    batches = [replay.draw(4, generator, observers, 1, 0.0, False) for _ in range(200)]
    assert 20 < sum(batch.scenario_index for batch in batches) < 80  # one position of four
    for batch in batches:
        assert batch.observations.shape == (4, observers[batch.scenario_index].spec.size)
        assert batch.policies.shape[1] == (4, 5)[batch.scenario_index]
        assert (batch.values == (1, -1)[batch.scenario_index]).all()


def test_scores_come_with_the_deciding_seat_first(game):
    states = np.repeat(game.new_states(np.ones(1, np.uint64)), 2)
    game.kernels.step(states[1:], np.array([0], np.int32))
    batch = drawn(game, hand_made(game, states, [[0.3, -0.3], [0.3, -0.3]]))
    first = batch.observations.sum(axis=1) == 16
    assert np.allclose(batch.scores[first], [3, -3])
    assert np.allclose(batch.scores[~first], [-3, 3])


def test_two_seats_value_is_the_deciding_seats(game):
    states = np.repeat(game.new_states(np.ones(1, np.uint64)), 2)
    game.kernels.step(states[1:], np.array([0], np.int32))
    batch = drawn(game, hand_made(game, states, [[1, -1], [1, -1]]))
    first = batch.observations.sum(axis=1) == 16  # no disc yet: only the plane of ones
    assert 0 < first.sum() < 64
    assert (batch.values[first] == 1).all()
    assert (batch.values[~first] == -1).all()


def test_three_seats_values_start_with_the_deciding_seat():
    game = load_game("dice/three")
    states = np.zeros(3, game.rules.dtype)
    states["seats"] = 3
    states["faces"] = 4
    states["rerolls"] = 1
    states["seat"] = states["mover"] = [0, 1, 2]
    states["roll"] = [1, 2, 3]  # tells the positions apart in what the network sees
    batch = drawn(game, hand_made(game, states, [[0.1, 0.2, 0.3]] * 3), num_values=3)
    turned = {1: [0.1, 0.2, 0.3], 2: [0.2, 0.3, 0.1], 3: [0.3, 0.1, 0.2]}
    rolls = np.round(batch.observations[:, 3] * 4).astype(int)
    assert set(rolls) == {1, 2, 3}
    for roll, values in zip(rolls, batch.values, strict=True):
        assert values == pytest.approx(turned[roll])


def test_the_search_value_is_mixed_into_the_deciders_entry_only():
    game = load_game("dice/three")
    states = np.zeros(1, game.rules.dtype)
    states["seats"], states["faces"], states["rerolls"] = 3, 4, 1
    states["seat"] = states["mover"] = 1
    one = hand_made(game, states, [[-0.5, 1.0, -0.5]], search_values=[0.2])
    assert drawn(game, one, 1, 3, share=0.0).values[0] == pytest.approx([1.0, -0.5, -0.5])
    assert drawn(game, one, 1, 3, share=0.25).values[0] == pytest.approx([0.8, -0.5, -0.5])
    assert drawn(game, one, 1, 3, share=1.0).values[0] == pytest.approx([0.2, -0.5, -0.5])


def test_shaped_values_are_clipped_to_what_a_network_can_say(game):
    one = hand_made(game, game.new_states(np.ones(1, np.uint64)), [[1.4, -1.4]])
    assert drawn(game, one, 1).values[0] == [1.0]


def test_a_battlefield_position_takes_at_most_500_bytes():
    game = load_game("battlefield")
    played = self_play(game, 1200, search={"sims": 32}).samples
    assert len(played) > 100
    assert played.nbytes / len(played) <= 500


def test_a_position_is_shown_and_valued_as_its_observer_sees_it(game):
    states = np.repeat(game.new_states(np.ones(1, np.uint64)), 2)
    game.kernels.step(states, np.zeros(2, np.int32))  # seat 1 decides in both
    one = hand_made(game, states, [[0.5, -0.5]] * 2, [0.5, -0.5])
    one = Samples(**{**vars(one), "observer_seats": np.array([0, 1], np.int8)})
    batch = drawn(game, one, share=0.5)
    seen = np.zeros((2, game.observer().spec.size), np.float32)
    game.observer().observe_into(states, np.arange(2), one.observer_seats, seen)
    waiting = (batch.observations == seen[0]).all(axis=1)
    assert (seen[0] != seen[1]).any() and waiting.any() and not waiting.all()
    assert (batch.observations[~waiting] == seen[1]).all()
    assert (batch.values[waiting] == 0.5).all() and (batch.values[~waiting] == -0.5).all()
    assert np.allclose(batch.scores[waiting], [5, -5])
