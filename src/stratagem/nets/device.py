"""The device that networks run on: decided here, and asked for by everything else.

A device is chosen for a process, and for the processes it starts, by `choose_device` (the option
`--device` of the commands). It is part of no settings and no checkpoint: what was learned on one
device plays and keeps learning on any other.
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
    """The devices that PyTorch may have; `auto` takes the first available one."""

    def __init__(self) -> None:
        self.found = {
            "cuda": torch.cuda.is_available(),
            "mps": torch.backends.mps.is_available(),
            "cpu": True,
        }

    def named(self, name: str) -> torch.device:
        """Return the device with this name, which must be available."""
        return torch.device(name)

    def has_bfloat16(self, name: str) -> bool:
        """Whether the device multiplies bfloat16 natively."""
        if name == "cuda":
            return bool(torch.cuda.is_bf16_supported(including_emulation=False))
        return name == "cpu" and bool(torch.cpu._is_avx512_bf16_supported())


_devices = Devices()


def device_names() -> tuple[str, ...]:
    """Return the devices that can be chosen."""
    return (AUTO, *sorted(_devices.found))


def choose_device(name: str) -> torch.device:
    """Use this device from now on, in this process and in those that it starts."""
    chosen = _find(name)
    os.environ[_VARIABLE] = name
    return chosen


def device() -> torch.device:
    """Return the device of this process."""
    return _find(_wanted())


def on_card() -> bool:
    """Whether the device is a GPU: few large batches instead of many small ones."""
    return _name(_wanted()) != "cpu"


def require_cpu(what: str) -> None:
    """Refuse a GPU that was chosen by name; for code that needs the CPU, `auto` means the CPU."""
    if _wanted() not in (AUTO, "cpu"):
        raise BadSetting(f"{what} on the CPU only: write --device cpu, or leave it out")


def to_device(array: npt.NDArray[Any]) -> Tensor:
    """Convert an array to a tensor on the device; on the CPU it shares the memory."""
    return torch.from_numpy(array).to(device())


def to_array(tensor: Tensor) -> npt.NDArray[np.float32]:
    """Convert a tensor of any precision and device to an array."""
    array: npt.NDArray[np.float32] = tensor.float().cpu().numpy()
    return array


def mixed_precision(enabled: bool) -> torch.autocast:
    """Run forward passes in bfloat16 if enabled; weights and losses stay float32."""
    return torch.autocast(device().type, torch.bfloat16, enabled=enabled)


def has_bfloat16() -> bool:
    """Whether the device multiplies bfloat16 natively."""
    return _devices.has_bfloat16(_name(_wanted()))


def learning_threads(wanted: int) -> int:
    """Return the number of threads that share a training batch: one on a GPU."""
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
        raise BadSetting(f"device {name}: PyTorch finds none, write --device auto or {there[0]}")
    return _devices.named(name)
