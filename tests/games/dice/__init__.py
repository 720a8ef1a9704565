"""Dice duel: a test game small enough to be solved by brute force."""

from pathlib import Path

import numpy as np
from pydantic import Field

from dice import rules
from stratagem.core.errors import BadRecord
from stratagem.core.game import Encoding, Notation, Rules
from stratagem.core.scenario import Scenario
from stratagem.core.seats import CHANCE
from stratagem.core.specs import ActionSpec, ObservationSlice, ObservationSpec


class DiceScenario(Scenario):
    seats: int = Field(ge=2, le=3, description="players")
    faces: int = Field(ge=2, le=8, description="sides of the die")
    rerolls: int = Field(ge=1, le=3, description="times a seat may roll again in its turn")
    top_weight: int = Field(default=1, ge=1, le=9, description="how often the highest face falls")

    def pack(self):
        packed = (self.seats, self.faces, self.rerolls, self.top_weight)
        return np.array([packed], rules.SCENARIO)


def format_action(s, action):
    return f"rolled {action + 1}" if s["seat"] == CHANCE else ("keep", "again")[action]


def parse_action(s, text):
    if text not in ("keep", "again"):
        raise BadRecord(f"move {text!r}: write keep or again")
    return ("keep", "again").index(text)


def format_state(s):
    kept = " ".join(str(value) if value else "-" for value in s["kept"][: s["seats"]])
    return f"kept {kept} | seat {s['mover']} shows {s['roll']}, rolled again {s['used']}"


GAME = Rules(
    folder=Path(__file__).parent,
    dtype=rules.DTYPE,
    scenario=DiceScenario,
    reset=rules.reset,
    legal=rules.legal,
    step=rules.step,
    chance=rules.chance,
    max_chance=lambda scenario: scenario.faces,
    returns=rules.returns,
    score=rules.score,
    encodings=(
        Encoding(
            "table",
            rules.observe,
            lambda scenario, options: ObservationSpec(
                (ObservationSlice("table", (scenario.seats + 3,), "vector"),)
            ),
        ),
    ),
    actions=lambda scenario: ActionSpec(2),
    notation=Notation(format_action, parse_action, format_state),
    seats=lambda scenario: scenario.seats,
    bots={"keeper": rules.keeper},
)
