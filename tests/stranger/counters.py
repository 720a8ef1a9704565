"""A game from outside the package in one file: take one to three counters, the last one wins."""

from pathlib import Path

import numpy as np
from pydantic import Field

from stratagem.core.compile import kernel
from stratagem.core.errors import BadRecord
from stratagem.core.game import Encoding, Notation, Rules
from stratagem.core.scenario import Scenario
from stratagem.core.seats import OVER
from stratagem.core.specs import ActionSpec, ObservationSlice, ObservationSpec

STATE = np.dtype([("seat", "i1"), ("left", "i1"), ("winner", "i1")])
LARGEST = 30


class CountersScenario(Scenario):
    counters: int = Field(ge=1, le=LARGEST, description="counters at the start")

    def pack(self):
        return np.array([(self.counters,)], np.dtype([("counters", "i1")]))


@kernel
def reset(s, scenario, seed):
    s["left"] = scenario["counters"]
    s["winner"] = -1


@kernel
def legal(s, out):
    count = min(3, s["left"])
    for k in range(count):
        out[k] = k
    return count


@kernel
def step(s, action):
    s["left"] -= action + 1
    if s["left"] == 0:
        s["winner"] = s["seat"]
        s["seat"] = OVER
    else:
        s["seat"] = 1 - s["seat"]


@kernel
def returns(s, out):
    for seat in range(2):
        out[seat] = 1.0 if s["winner"] == seat else -1.0


@kernel
def score(s, seat):
    return 1.0 if s["winner"] == seat else 0.0


@kernel
def observe(s, seat, options, out):
    out[s["left"]] = 1.0


def parse_action(s, text):
    if text not in ("1", "2", "3"):
        raise BadRecord(f"move {text!r}: write 1, 2 or 3")
    return int(text) - 1


GAME = Rules(
    folder=Path(__file__).parent,
    dtype=STATE,
    scenario=CountersScenario,
    reset=reset,
    legal=legal,
    step=step,
    returns=returns,
    score=score,
    encodings=(
        Encoding(
            "pile",
            observe,
            lambda scenario, options: ObservationSpec(
                (ObservationSlice("pile", (LARGEST + 1,), "vector"),)
            ),
        ),
    ),
    actions=lambda scenario: ActionSpec(3),
    notation=Notation(lambda s, a: str(a + 1), parse_action, lambda s: f"{s['left']} counters"),
)
