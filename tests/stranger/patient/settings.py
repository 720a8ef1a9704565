"""Settings of the algorithm `patient`."""

from typing import Literal

from stratagem.train.alphazero.settings import Settings as AlphaZeroSettings


class Settings(AlphaZeroSettings):
    algorithm: Literal["patient"] = "patient"
    patience: int = 1
