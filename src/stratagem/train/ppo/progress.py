"""How far a PPO run is."""

from __future__ import annotations

from dataclasses import dataclass, field

from stratagem.train.progress import RunProgress


@dataclass
class Progress(RunProgress):
    """What a PPO run adds."""

    games_next: int = 0  # games of the next iteration; 0: as many as the settings say
    pool: list[int] = field(default_factory=list)  # iterations whose networks are opponents
