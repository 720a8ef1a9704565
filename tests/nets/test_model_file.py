"""Networks on disk: what is saved comes back, and what does not fit is refused."""

import json
import os

import pytest
import torch

from stratagem.core.errors import BadCheckpoint
from stratagem.core.manifest import seal
from stratagem.core.registry import load_game
from stratagem.nets.build import build_network
from stratagem.nets.model_file import ModelCard, load_model, read_card, save_model


@pytest.fixture(scope="module")
def game():
    return load_game("connect_four")


@pytest.fixture
def saved(tmp_path, game):
    """(folder, module, card) of a small network saved for Connect Four."""
    torch.manual_seed(0)
    settings = {"filters": 4, "blocks": 1}
    module = build_network("cnn", settings, game.observer().spec, game.actions, 1)
    module(torch.rand(8, game.observer().spec.size))  # so that running statistics are not fresh
    card = ModelCard(
        game=game.spec,
        game_version=game.version,
        network="cnn",
        settings=settings,
        encoding="planes",
        encoding_options={},
        num_values=1,
        training={"iteration": 3, "note": "ünïcode"},
    )
    folder = tmp_path / "deep" / "step_000003"
    save_model(folder, module, card)
    return folder, module, card


def _edit_card(folder, **changes):
    file = folder / "model.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **changes}))
    seal(folder)


def test_round_trip(saved, game):
    folder, module, card = saved
    loaded = load_model(folder, game)
    assert loaded.card == card
    assert not loaded.module.training
    observation = torch.rand(5, game.observer().spec.size)
    expected = module.eval()(observation)
    assert torch.equal(loaded.module(observation).logits, expected.logits)
    assert torch.equal(loaded.module(observation).values, expected.values)
    names = sorted(file.name for file in folder.iterdir())
    assert names == ["manifest.json", "model.json", "model.safetensors"]


def test_saving_again_keeps_the_neighbours(saved, game):
    folder, module, card = saved
    (folder / "train_state.json").write_text("{}")
    with torch.no_grad():
        module.stem.conv.weight.add_(1)
    save_model(folder, module, card)
    assert (folder / "train_state.json").exists()
    loaded = load_model(folder, game).module
    assert torch.equal(loaded.stem.conv.weight, module.stem.conv.weight)


def test_another_scenario_of_the_same_size_is_welcome(saved):
    folder, _, _ = saved
    load_model(folder, load_game("connect_four?connect=3"))


@pytest.mark.parametrize("query", ["rows=5", "columns=6", "rows=7&columns=6"])
def test_another_size_is_refused(saved, query):
    folder, _, _ = saved
    with pytest.raises(BadCheckpoint, match="differ in size"):
        load_model(folder, load_game(f"connect_four?{query}"))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"game": "chess/default"}, "trained on chess/default and cannot play connect_four"),
        ({"game_version": 99}, "version 99 of connect_four"),
        ({"format": 3}, "format 3 but this program reads 2"),
        ({"game": ""}, "is damaged"),
        ({"network": "perceptron"}, "unknown network 'perceptron'"),
        ({"settings": {"filters": 5}}, "differ in size"),
        ({"settings": {"colour": 5}}, "unknown key 'colour'"),
        ({"encoding": "smells"}, "unknown encoding 'smells' of connect_four"),
        ({"encoding_options": {"history": 1}}, "unknown option 'history' of encoding 'planes'"),
        ({"num_values": 4}, "differ in size"),
        ({"surprise": 1}, "unknown key 'surprise'"),
    ],
)
def test_card_that_does_not_fit_is_refused(saved, game, changes, message):
    folder, _, _ = saved
    _edit_card(folder, **changes)
    with pytest.raises(BadCheckpoint, match=message) as caught:
        load_model(folder, game)
    assert "\n" not in str(caught.value)


def test_scenario_that_is_gone_leaves_it_to_the_weights(saved, game):
    folder, _, _ = saved
    _edit_card(folder, game="connect_four/forgotten")
    load_model(folder, game)
    with pytest.raises(BadCheckpoint, match="differ in size"):
        load_model(folder, load_game("connect_four?rows=5"))


@pytest.mark.parametrize("sealed", [False, True])
@pytest.mark.parametrize("kept", [0, 4, 100, -1])
def test_truncated_weights_are_refused(saved, game, kept, sealed):
    """By their checksum, and also where somebody has given them a new one."""
    folder, _, _ = saved
    file = folder / "model.safetensors"
    file.write_bytes(file.read_bytes()[:kept])
    if sealed:
        seal(folder)
    with pytest.raises(BadCheckpoint, match="truncated or damaged"):
        load_model(folder, game)


@pytest.mark.parametrize("name", ["model.json", "model.safetensors", "manifest.json"])
def test_flipped_bit_is_refused(saved, game, name):
    folder, _, _ = saved
    file = folder / name
    data = file.read_bytes()
    for place in (len(data) // 3, len(data) // 2, len(data) - 5):
        file.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        with pytest.raises(BadCheckpoint, match=f"{name} is .*damaged"):
            load_model(folder, game)


@pytest.mark.parametrize("name", ["model.json", "model.safetensors", "manifest.json"])
def test_missing_file_is_named(saved, game, name):
    folder, _, _ = saved
    (folder / name).unlink()
    with pytest.raises(BadCheckpoint, match=f"no {name}"):
        load_model(folder, game)


def test_missing_folder_and_broken_card(tmp_path, saved):
    folder, _, _ = saved
    with pytest.raises(BadCheckpoint, match=r"no manifest\.json"):
        read_card(tmp_path / "nowhere")
    (folder / "model.json").write_text('{"format": 1')
    seal(folder)
    with pytest.raises(BadCheckpoint, match="damaged") as caught:
        read_card(folder)
    assert "\n" not in str(caught.value)
    (folder / "model.json").unlink()
    (folder / "model.json").mkdir()
    with pytest.raises(BadCheckpoint, match="it is a folder"):
        read_card(folder)


def test_what_is_no_regular_file_is_refused_at_once(saved, game):
    folder, _, _ = saved
    file = folder / "model.safetensors"
    file.unlink()
    os.mkfifo(file)
    with pytest.raises(BadCheckpoint, match="it is not a regular file"):
        load_model(folder, game)
    file.unlink()
    file.symlink_to("/dev/zero")
    with pytest.raises(BadCheckpoint, match="it is not a regular file"):
        load_model(folder, game)


def test_size_free_networks_play_on_other_boards(tmp_path):
    trained_on, larger = load_game("hexwar/symmetric"), load_game("hexwar/symmetric-7")
    settings = {"filters": 4, "iterations": 2}
    torch.manual_seed(0)
    module = build_network("recall", settings, trained_on.observer().spec, trained_on.actions, 1)
    card = ModelCard(
        game=trained_on.spec, game_version=trained_on.version, network="recall",
        settings=settings, encoding="planes", encoding_options={}, num_values=1,
    )  # fmt: skip
    save_model(tmp_path / "model", module, card)
    loaded = load_model(tmp_path / "model", larger).module
    spec = larger.observer().spec
    assert loaded(torch.rand(2, spec.size)).logits.shape == (2, larger.actions.size)
    # Another stacking limit means other planes, and those the weights do know.
    with pytest.raises(BadCheckpoint, match="differ in size"):
        load_model(tmp_path / "model", load_game("hexwar/solo-5"))


def test_a_card_that_asks_for_more_than_its_weights_is_refused_at_once(saved, game):
    folder, _, _ = saved
    for settings in ({"filters": 8, "blocks": 10_000_000}, {"filters": 100_000, "blocks": 1}):
        _edit_card(folder, settings=settings)
        with pytest.raises(BadCheckpoint, match="needs more than"):
            load_model(folder, game)
