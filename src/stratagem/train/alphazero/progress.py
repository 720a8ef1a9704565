"""How far an AlphaZero run is."""

from __future__ import annotations

from dataclasses import dataclass, field

from stratagem.train.progress import RunProgress


@dataclass
class Progress(RunProgress):
    """What an AlphaZero run adds."""

    accepted: list[int] = field(default_factory=list)  # iterations whose network was accepted
