"""Card duel: a test game in which each seat holds one card that the other cannot see."""

from pathlib import Path

import numpy as np
from pydantic import Field

from cards import rules
from stratagem.core.errors import BadRecord
from stratagem.core.game import Encoding, Notation, Rules
from stratagem.core.scenario import Scenario
from stratagem.core.seats import CHANCE
from stratagem.core.specs import ActionSpec, ObservationSlice, ObservationSpec


class CardsScenario(Scenario):
    ranks: int = Field(ge=3, le=8, description="cards in the deck, numbered from 1")

    def pack(self):
        return np.array([(self.ranks,)], rules.SCENARIO)


def format_action(s, action):
    return f"dealt {action}" if s["seat"] == CHANCE else ("pass", "bet")[action]


def parse_action(s, text):
    if text not in ("pass", "bet"):
        raise BadRecord(f"move {text!r}: write pass or bet")
    return ("pass", "bet").index(text)


def format_state(s):
    bets = " ".join(("-", "pass", "bet")[move] for move in s["moves"])
    return f"cards {s['card'][0]} {s['card'][1]} | {bets}"


GAME = Rules(
    folder=Path(__file__).parent,
    dtype=rules.DTYPE,
    scenario=CardsScenario,
    reset=rules.reset,
    legal=rules.legal,
    step=rules.step,
    chance=rules.chance,
    max_chance=lambda scenario: scenario.ranks,
    returns=rules.returns,
    score=rules.score,
    hide=rules.hide,
    encodings=(
        Encoding(
            "hand",
            rules.observe,
            lambda scenario, options: ObservationSpec(
                (
                    ObservationSlice("card", (scenario.ranks,), "vector"),
                    ObservationSlice("moves", (6,), "vector"),
                )
            ),
        ),
    ),
    actions=lambda scenario: ActionSpec(2),
    notation=Notation(format_action, parse_action, format_state),
)
