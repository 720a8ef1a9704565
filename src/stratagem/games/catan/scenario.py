"""The settings of a game of Catan."""

from typing import Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from stratagem.core.scenario import Scenario
from stratagem.core.seeding import derive_seed
from stratagem.games.catan.notation import KIND_NAMES
from stratagem.games.catan.setup import CONSTRAINED, RANDOM, SPIRAL
from stratagem.games.catan.state import MAX_BOARDS, MAX_MEMORY, SCENARIO, SEATS

PlayableCard = Literal["knight", "roads", "plenty", "monopoly"]
_TOKEN_LAYOUTS = {"spiral": SPIRAL, "constrained": CONSTRAINED, "random": RANDOM}


class CatanScenario(Scenario):
    players: int = Field(2, ge=2, le=SEATS, description="players")
    target: int = Field(15, ge=3, le=20, description="points that win")
    discard_limit: int = Field(9, ge=1, le=95, description="cards that are safe from a seven")
    discard_rounding: Literal["down", "up"] = Field(
        "down", description="how half of an odd hand is rounded"
    )
    friendly_robber: int = Field(
        3, ge=0, le=20, description="the robber keeps off players with fewer visible points; 0: off"
    )
    dice: Literal["fair", "balanced"] = Field(
        "balanced", description="two cubes, or a deck of the 36 outcomes"
    )
    deck_reshuffle: int = Field(
        13, ge=13, le=36, description="balanced dice: renewed below this many outcomes"
    )
    deck_memory: int = Field(5, ge=0, le=MAX_MEMORY, description="balanced dice: recent rolls")
    deck_recent: float = Field(
        0.34, ge=0.0, le=1.0, description="balanced dice: weight lost per recent roll of a total"
    )
    deck_streak: float = Field(
        0.4, ge=0.0, le=1.0, description="balanced dice: weight of a seven lost per seven in a row"
    )
    tokens: Literal["spiral", "constrained", "random"] = Field(
        "constrained", description="lettered spiral, shuffled with 6 and 8 apart, or shuffled"
    )
    pre_roll_cards: list[PlayableCard] = Field(
        default=["knight", "roads", "plenty", "monopoly"],
        description="development cards that may be played before the roll",
    )
    bank_rule: Literal["sole-claimant", "nobody"] = Field(
        "sole-claimant", description="who gets what is left when the bank cannot pay everybody"
    )
    bank: int = Field(19, ge=10, le=40, description="cards of each resource")
    offers: int = Field(
        0, ge=0, le=9, description="to other players in a turn; 0: no trade between players"
    )
    board_seeds: list[int] = Field(
        default=[], max_length=MAX_BOARDS, description="fixed boards to choose from; none: any"
    )
    turn_limit: int = Field(
        1000, ge=1, le=60_000, description="turns of all players together until a draw"
    )

    def pack(self) -> npt.NDArray[np.void]:
        packed = np.zeros(1, SCENARIO)
        for name in (
            "players", "target", "discard_limit", "friendly_robber", "deck_reshuffle",
            "deck_memory", "deck_recent", "deck_streak", "bank", "turn_limit", "offers",
        ):  # fmt: skip
            packed[name] = getattr(self, name)
        packed["discard_round_up"] = self.discard_rounding == "up"
        packed["balanced_dice"] = self.dice == "balanced"
        packed["tokens"] = _TOKEN_LAYOUTS[self.tokens]
        packed["pre_roll_cards"] = sum(
            1 << KIND_NAMES.index(name) for name in set(self.pre_roll_cards)
        )
        packed["sole_claimant"] = self.bank_rule == "sole-claimant"
        packed["board_count"] = len(self.board_seeds)
        for k, seed in enumerate(self.board_seeds):
            packed["board_seeds"][0, k] = derive_seed(seed, "catan", "board")
        return packed
