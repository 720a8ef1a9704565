"""One place decides where networks compute. No card is here: a stand-in plays one."""

import numpy as np
import pytest
import torch

from stratagem.core.errors import BadSetting, UnknownName
from stratagem.core.specs import ActionSpec, ObservationSlice, ObservationSpec
from stratagem.nets import device
from stratagem.nets.build import build_network
from stratagem.nets.inference import InferenceNetwork, choose_precision
from stratagem.nets.inference.fused import frozen_copy
from stratagem.train.named_tensors import named_arrays, on_cpu

BOARD = ObservationSpec((ObservationSlice("board", (5, 4, 3), "planes"),))
ACTIONS = ActionSpec(9)


class StandIn(device.Devices):
    """A machine with a card, which computes where the stand-in says."""

    def __init__(self, where):
        self.found = {"cuda": True, "mps": False, "cpu": True}
        self.where = where

    def named(self, name):
        return torch.device(self.where if name == "cuda" else name)

    def has_bfloat16(self, name):
        return name == "cuda"


@pytest.fixture(autouse=True)
def fresh_choice(monkeypatch):
    monkeypatch.delenv("STRATAGEM_DEVICE", raising=False)


@pytest.fixture
def no_card(monkeypatch):
    found = {"cuda": False, "mps": False, "cpu": True}
    monkeypatch.setattr(device._devices, "found", found)


def small_network(kind="cnn"):
    torch.manual_seed(1)
    return build_network(kind, {}, BOARD, ACTIONS, 1)


def test_without_a_card_everything_is_on_the_cpu(no_card):
    assert device.device() == torch.device("cpu")
    assert not device.on_card()
    assert device.learning_threads(4) == 4
    array = np.arange(3, dtype=np.float32)
    assert device.to_device(array).data_ptr() == array.ctypes.data  # nothing is copied


def test_a_missing_card_is_refused_by_name(no_card):
    with pytest.raises(BadSetting, match="device cuda: PyTorch finds none, write --device"):
        device.choose_device("cuda")
    with pytest.raises(UnknownName, match="cuda"):
        device.choose_device("gpu")
    assert device.device() == torch.device("cpu")  # and nothing has changed


def test_auto_takes_the_card_and_a_name_overrules_it(monkeypatch):
    monkeypatch.setattr(device, "_devices", StandIn("meta"))
    assert device.device() == torch.device("meta")
    assert device.on_card()
    assert device.learning_threads(4) == 1  # a card takes a batch whole
    assert choose_precision("auto") == "bfloat16"
    device.choose_device("cpu")
    assert not device.on_card()
    with pytest.raises(BadSetting, match="mps"):
        device.choose_device("mps")


def test_who_needs_the_cpu_refuses_a_card_only_if_it_was_asked_for(monkeypatch):
    monkeypatch.setattr(device, "_devices", StandIn("meta"))
    device.require_cpu("hdqn learns")
    device.choose_device("cuda")
    with pytest.raises(BadSetting, match="hdqn learns on the CPU only: write --device cpu"):
        device.require_cpu("hdqn learns")


# On the device "meta" nothing is computed, and a tensor that was left on the CPU is an error.
@pytest.mark.parametrize("kind", ["cnn", "transformer"])
def test_a_network_moves_whole(monkeypatch, kind):
    monkeypatch.setattr(device, "_devices", StandIn("meta"))
    frozen = frozen_copy(small_network(kind), torch.bfloat16)
    tensors = [*frozen.parameters(), *frozen.buffers()]
    assert tensors
    assert {one.device.type for one in tensors} <= {"meta"}
    output = frozen(device.to_device(np.zeros((2, BOARD.size), np.float32)).bfloat16())
    assert output.logits.device.type == "meta"
    assert output.logits.shape == (2, 9)


def test_the_same_answers_on_a_stand_in(monkeypatch):
    seen = np.random.default_rng(3).random((300, BOARD.size)).astype(np.float32)
    logits, values = InferenceNetwork(small_network(), BOARD)(seen)
    monkeypatch.setattr(device, "_devices", StandIn("cpu"))
    on_card = InferenceNetwork(small_network(), BOARD)(seen)
    np.testing.assert_allclose(on_card[0], logits, atol=1e-5)
    np.testing.assert_allclose(on_card[1], values, atol=1e-5)


def test_checkpoints_belong_to_no_device():
    module = small_network()
    copies = on_cpu(module.state_dict())
    assert {one.device.type for one in copies.values()} == {"cpu"}
    first = next(iter(copies))
    copies[first].add_(1.0)
    assert not torch.equal(copies[first], module.state_dict()[first])  # copies, not views
    assert set(named_arrays(module)) == set(copies)
