"""Networks as evaluators: values by absolute seat, observations of the deciding seat, folders."""

import numpy as np
import pytest
import torch

from search.growing import CONNECT_FOUR, batch, play
from stratagem.agents import make_agent
from stratagem.agents.model import load_evaluator
from stratagem.agents.network import NetworkEvaluator
from stratagem.core.errors import BadCheckpoint, BadSetting
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seeds
from stratagem.nets.build import build_network
from stratagem.nets.model_file import ModelCard, save_model
from stratagem.runs.checkpoints import find_checkpoint
from stratagem.runs.pointers import write_pointer
from stratagem.search import turn_to_seats

torch.set_num_threads(1)
SMALL = {"filters": 4, "blocks": 1}


def save(folder, seed, progress=1.0):
    torch.manual_seed(seed)
    observer = CONNECT_FOUR.observer()
    module = build_network("cnn", SMALL, observer.spec, CONNECT_FOUR.actions, 1)
    card = ModelCard(
        game=CONNECT_FOUR.spec,
        game_version=CONNECT_FOUR.version,
        network="cnn",
        settings=SMALL,
        encoding=observer.encoding.name,
        encoding_options={},
        num_values=1,
        training={"progress": progress},
    )
    folder.parent.mkdir(parents=True, exist_ok=True)
    save_model(folder, module, card)
    return module.eval()


def seat_values(values, seats, num_seats):
    found = np.empty((len(seats), num_seats), np.float32)
    turn_to_seats(values, seats, found)
    return found


def test_one_value_belongs_to_the_decider_and_its_opposite_to_the_other():
    values = np.array([[0.25], [0.75], [-0.5]], np.float32)
    found = seat_values(values, np.array([0, 1, 1], np.int8), 2)
    assert found.tolist() == [[0.25, -0.25], [-0.75, 0.75], [0.5, -0.5]]


def test_values_of_three_seats_are_turned_to_the_decider():
    values = np.array([[1, 2, 3]] * 3, np.float32)
    found = seat_values(values, np.array([0, 1, 2], np.int8), 3)
    assert found.tolist() == [[1, 2, 3], [3, 1, 2], [2, 3, 1]]


def test_an_evaluator_shows_the_network_what_the_decider_sees():
    seen = []

    def network(observations):
        seen.append(observations.copy())
        count = len(observations)
        return np.zeros((count, 2), np.float32), np.tile(np.float32([1, 2, 3]), (count, 1))

    game = load_game("dice/three")
    states = np.repeat(game.new_states(derive_seeds(1, count=1)), 3)
    states["seat"] = states["mover"] = [2, 0, 1]
    states["roll"] = [1, 2, 3]
    evaluator = NetworkEvaluator(game, game.observer(), network)
    evaluation = evaluator.evaluate(states, np.array([2, 0]))
    np.testing.assert_array_equal(seen[0], game.observer()(states)[[2, 0]])
    assert evaluation.values.tolist() == [[3, 1, 2], [2, 3, 1]]
    assert evaluator.seconds > 0


def test_a_saved_network_says_the_same_behind_a_spec(tmp_path):
    module = save(tmp_path / "model", seed=1)
    states = batch([play("44"), play("4"), play("444444")])
    evaluation = load_evaluator(str(tmp_path / "model"), CONNECT_FOUR).evaluate(
        states, np.arange(3)
    )
    with torch.inference_mode():
        wanted = module(torch.from_numpy(CONNECT_FOUR.observer()(states)))
    np.testing.assert_allclose(evaluation.logits, wanted.logits.numpy(), atol=1e-4)
    signs = np.array([1, -1, 1])  # seats 0, 1, 0 decide
    np.testing.assert_allclose(
        evaluation.values[:, 0], signs * wanted.values.numpy()[:, 0], atol=1e-4
    )
    np.testing.assert_array_equal(evaluation.values[:, 1], -evaluation.values[:, 0])
    actions = make_agent(f"policy:{tmp_path / 'model'}", CONNECT_FOUR).act(
        states, derive_seeds(1, count=3)
    )
    assert actions[0] == evaluation.logits[0].argmax()
    searched = make_agent(f"mcts:{tmp_path / 'model'}?sims=20", CONNECT_FOUR).analyse(
        states, derive_seeds(1, count=3)
    )
    assert np.all(searched.visits.sum(axis=1) == 20)


def test_a_run_folder_means_its_best_checkpoint_else_its_latest(tmp_path):
    checkpoints = tmp_path / "ckpt"
    for step, progress in ((1, 0.1), (2, 0.5), (3, 1.0)):
        save(checkpoints / f"step_{step:06}", seed=step, progress=progress)
    with pytest.raises(BadCheckpoint, match="latest is missing"):
        find_checkpoint(str(tmp_path))
    write_pointer(checkpoints / "latest", checkpoints / "step_000003")
    assert find_checkpoint(str(tmp_path)).name == "step_000003"
    write_pointer(checkpoints / "best", checkpoints / "step_000002")
    assert find_checkpoint(str(tmp_path)).name == "step_000002"
    assert find_checkpoint(str(checkpoints / "step_000001")).name == "step_000001"
    for share, name in (("0%", "step_000001"), ("40%", "step_000002"), ("100", "step_000003")):
        assert find_checkpoint(f"{tmp_path}@{share}").name == name
    with pytest.raises(BadSetting, match="@50%"):
        find_checkpoint(f"{tmp_path}@half")


def test_a_network_of_another_game_is_refused(tmp_path):
    save(tmp_path / "model", seed=1)
    with pytest.raises(BadCheckpoint, match="connect_four"):
        make_agent(f"mcts:{tmp_path / 'model'}", load_game("dice"))
