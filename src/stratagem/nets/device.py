"""Where networks compute: the one place that decides, and that everything else asks.

A device is chosen for a process, and for those that it starts, by `choose_device` (the option
`--device` of the commands). It belongs to no settings and to no checkpoint: what was learned on one
device plays and goes on learning on any other.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from stratagem.core.errors import BadSetting, UnknownName

AUTO = "auto"
_VARIABLE = "STRATAGEM_DEVICE"


class Devices:
    """The devices that PyTorch may have; `auto` takes the first that is there."""

    def __init__(self) -> None:
        self.found = {
            "cuda": torch.cuda.is_available(),
            "mps": torch.backends.mps.is_available(),
            "cpu": True,
        }

    def named(self, name: str) -> torch.device:
        """The device of this name, which is there."""
        return torch.device(name)

    def has_bfloat16(self, name: str) -> bool:
        """Whether it multiplies bfloat16 itself."""
        if name == "cuda":
            return bool(torch.cuda.is_bf16_supported(including_emulation=False))
        return name == "cpu" and bool(torch.cpu._is_avx512_bf16_supported())


_devices = Devices()


def device_names() -> tuple[str, ...]:
    """What can be asked for."""
    return (AUTO, *sorted(_devices.found))


def choose_device(name: str) -> torch.device:
    """Compute there from now on, in this process and in those that it starts."""
    chosen = _find(name)
    os.environ[_VARIABLE] = name
    return chosen


def device() -> torch.device:
    """Where this process computes."""
    return _find(_wanted())


def on_card() -> bool:
    """Whether that is a graphics card: few large batches instead of many small ones."""
    return _name(_wanted()) != "cpu"


def require_cpu(what: str) -> None:
    """Refuse a card that was asked for by name; `auto` means the CPU to those who need it."""
    if _wanted() not in (AUTO, "cpu"):
        raise BadSetting(f"{what} on the CPU only: write --device cpu, or leave it out")


def to_device(array: npt.NDArray[Any]) -> Tensor:
    """An array as a tensor where this process computes; on the CPU it shares the memory."""
    return torch.from_numpy(array).to(device())


def to_array(tensor: Tensor) -> npt.NDArray[np.float32]:
    """A tensor of any precision as an array, from wherever it is."""
    array: npt.NDArray[np.float32] = tensor.float().cpu().numpy()
    return array


def mixed_precision(enabled: bool) -> torch.autocast:
    """Forward passes in bfloat16 where it is enabled; weights and losses stay float32."""
    return torch.autocast(device().type, torch.bfloat16, enabled=enabled)


def has_bfloat16() -> bool:
    """Whether the device multiplies bfloat16 itself."""
    return _devices.has_bfloat16(_name(_wanted()))


def learning_threads(wanted: int) -> int:
    """Threads that share a training batch: one where a card takes it whole."""
    return 1 if on_card() else wanted


def _wanted() -> str:
    return os.environ.get(_VARIABLE, AUTO)


def _name(wanted: str) -> str:
    if wanted != AUTO:
        return wanted
    return next(name for name, found in _devices.found.items() if found)


def _find(wanted: str) -> torch.device:
    if wanted not in device_names():
        raise UnknownName("device", wanted, device_names())
    name = _name(wanted)
    if not _devices.found[name]:
        there = [known for known, found in _devices.found.items() if found]
        raise BadSetting(
            f"device {name}: PyTorch finds none here, write --device auto or {there[0]}"
        )
    return _devices.named(name)
