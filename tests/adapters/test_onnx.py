"""ONNX files compute what torch does, and say what their input is."""

import json
import sys

import numpy as np
import pytest
import torch

from nets.specs import hex_specs
from stratagem.adapters.onnx import _convert, _Flat, export_onnx, load_for_export, open_session
from stratagem.adapters.share import find_network
from stratagem.core.errors import BadSetting
from stratagem.core.registry import load_game
from stratagem.nets.build import build_network, network_kinds
from stratagem.nets.hierarchical import NAME, build_hierarchy
from stratagem.nets.model_file import ModelCard, save_model

_BOARD = {"filters": 8, "blocks": 1}
SMALL = {
    "cnn": _BOARD,
    "doubled": _BOARD,
    "recall": {"filters": 8, "iterations": 2},
    "residual": _BOARD,
    "transformer": {"width": 16, "heads": 2, "layers": 1, "feed_forward": 16},
}
NO_PLANES = {"feedforward", "gcn", "graph", "places", "regions", "rgcn"}  # they read other slices


def test_a_shipped_network(tmp_path):
    found = find_network("best", "connect_four")
    done = export_onnx(found.folder, found.game, tmp_path / "four.onnx")
    about = json.loads((tmp_path / "four.json").read_text())
    assert about["game"] == "connect_four/default" and about["actions"] == 7
    size = about["input"]["shape"][1]
    assert [part["to"] for part in about["input"]["slices"]][-1] == size
    assert about["outputs"]["logits"]["shape"] == ["B", 7]
    assert done.outputs == ("logits", "values") and done.difference < 1e-4

    observations = np.random.default_rng(1).random((4, size), np.float32)
    session = open_session(done.model.read_bytes())
    logits, values = session.run(None, {about["input"]["name"]: observations})
    module = load_for_export(found.folder, found.game).module
    with torch.inference_mode():
        wanted = module(torch.from_numpy(observations))
    assert logits == pytest.approx(wanted.logits.numpy(), abs=1e-4)
    assert values == pytest.approx(wanted.values.numpy(), abs=1e-4)


@pytest.mark.parametrize("kind", sorted(set(network_kinds()) - NO_PLANES))
def test_kinds_over_boards(kind):
    """Fresh networks of every kind that reads planes, for any number of positions."""
    torch.manual_seed(0)
    observation, actions = hex_specs(5, 4)
    network = _Flat(build_network(kind, SMALL.get(kind, {}), observation, actions, 1))
    session = open_session(_convert(network, observation.size))
    for count in (1, 4):
        seen = torch.rand(count, observation.size)
        with torch.inference_mode():
            wanted = network(seen)
        computed = session.run(None, {"observation": seen.numpy()})
        for found, expected in zip(computed, wanted, strict=True):
            assert found == pytest.approx(expected.numpy(), abs=1e-4)


def test_a_network_that_decides_in_two_steps(tmp_path):
    game = load_game("connect_four")
    observer = game.observer()
    settings = {
        "kind": "feedforward", "settings": {"hidden": [8]}, "specialists": ["right"],
        "groups": [["left", 0, 3], ["right", 3, 7]],
    }  # fmt: skip
    module = build_hierarchy(NAME, settings, observer.spec, game.actions, 0)
    card = ModelCard(
        game=game.spec, game_version=game.version, network=NAME, settings=settings,
        encoding=observer.encoding.name, encoding_options={}, num_values=1,
    )  # fmt: skip
    save_model(tmp_path / "model", module, card)
    done = export_onnx(tmp_path / "model", game, tmp_path / "two.onnx")
    assert done.outputs == ("orchestrator", "right")
    outputs = json.loads(done.description.read_text())["outputs"]
    assert outputs["orchestrator"]["groups"] == [["left", 0, 3], ["right", 3, 7]]
    assert outputs["right"]["shape"] == ["B", 4]


def test_mistakes(tmp_path, monkeypatch):
    found = find_network("best", "connect_four")
    with pytest.raises(BadSetting, match=r"ends in \.onnx"):
        export_onnx(found.folder, found.game, tmp_path / "four.bin")
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(BadSetting, match=r"pip install 'stratagem\[onnx\]'"):
        export_onnx(found.folder, found.game, tmp_path / "four.onnx")
    assert list(tmp_path.iterdir()) == []
