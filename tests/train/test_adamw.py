"""AdamW of our own moves weights as torch's does, bit for bit, and needs no compiler."""

import subprocess
import sys

import torch
from torch import nn

from stratagem.train.adamw import AdamW


def networks():
    torch.manual_seed(1)
    mine = nn.Sequential(nn.Linear(5, 7), nn.ReLU(), nn.Linear(7, 3), nn.Linear(3, 3))
    theirs = nn.Sequential(nn.Linear(5, 7), nn.ReLU(), nn.Linear(7, 3), nn.Linear(3, 3))
    theirs.load_state_dict(mine.state_dict())
    return mine, theirs


def step(module, optimiser, number, **options):
    inputs = torch.randn((4, 5), generator=torch.Generator().manual_seed(number))
    used = module[:3] if number % 2 else module  # of the last layer only now and then
    used(inputs).square().sum().backward()
    optimiser.step(**options)
    module.zero_grad(set_to_none=True)


def test_it_moves_weights_as_torch_does():
    mine, theirs = networks()
    ours = AdamW(mine.parameters(), weight_decay=0.1)
    reference = torch.optim.AdamW(theirs.parameters(), weight_decay=0.1, fused=True)
    for number in range(6):
        if number == 3:  # taken up from a checkpoint
            kept = {name: tensor.clone() for name, tensor in ours.tensors().items()}
            ours = AdamW(mine.parameters(), weight_decay=0.1)
            ours.restore(kept)
        rate = 0.1 / (1 + number)
        reference.param_groups[0]["lr"] = rate
        step(mine, ours, number, rate=rate)
        step(theirs, reference, number)
        for one, other in zip(mine.parameters(), theirs.parameters(), strict=True):
            assert torch.equal(one, other)
    known = reference.state_dict()["state"]
    names = {f"{index}.{name}" for index, state in known.items() for name in state}
    assert set(ours.tensors()) == names  # checkpoints look as they did


TRAIN = """
import sys
from train.alphazero.tiny import start_run
start_run(__import__("pathlib").Path(sys.argv[1]), iterations=1).run()
assert "torch" in sys.modules and "torch._dynamo" not in sys.modules
"""


def test_training_does_without_torchs_compiler(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", ":".join(sys.path))
    subprocess.run([sys.executable, "-c", TRAIN, str(tmp_path / "run")], check=True)
