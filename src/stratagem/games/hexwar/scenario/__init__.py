"""Scenario files of hexwar: their fields, consistency checks, and their packed form."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from pydantic import model_validator

from stratagem.games.hexwar.scenario.checks import check
from stratagem.games.hexwar.scenario.fields import HexwarFields, read_standard
from stratagem.games.hexwar.scenario.packing import pack

__all__ = ["HexwarScenario", "read_standard"]


class HexwarScenario(HexwarFields):
    """A scenario file whose keys fit together."""

    @model_validator(mode="after")
    def _fits_together(self) -> HexwarScenario:
        check(self)
        return self

    def pack(self) -> npt.NDArray[np.void]:
        return pack(self)
