"""Rock, paper, scissors, and a shield that no sign beats: a test game for populations.

Whoever answers the latest opponent alone goes round the circle for ever, because each sign of the
circle loses more to the next one than to the shield. Against all of them together the shield is the
best answer, and against the shield nothing wins. A miss loses to every sign of the circle; it makes
the circle look better than the shield to somebody who knows nothing.
"""

from pathlib import Path

import numpy as np
from pydantic import Field

from stratagem.core.compile import kernel
from stratagem.core.errors import BadRecord
from stratagem.core.game import Encoding, Notation, Rules
from stratagem.core.random_kernels import advance, below, start
from stratagem.core.scenario import Scenario
from stratagem.core.seats import OVER
from stratagem.core.specs import ActionGroup, ActionSpec, ObservationSlice, ObservationSpec

SIGNS = ("rock", "paper", "scissors", "shield", "miss")
MOST_SEATS = 5
# What the row's sign wins against the column's.
PAYOFFS = np.array(
    [
        [0.0, -1.0, 1.0, -0.2, 1.0],
        [1.0, 0.0, -1.0, -0.2, 1.0],
        [-1.0, 1.0, 0.0, -0.2, 1.0],
        [0.2, 0.2, 0.2, 0.0, 0.05],
        [-1.0, -1.0, -1.0, -0.05, 0.0],
    ],
    np.float32,
)
DTYPE = np.dtype(
    [
        ("seat", "i1"),  # who shows next, or OVER
        ("players", "i1"),
        ("shown", "i1", MOST_SEATS),  # sign + 1 of each seat, seen by nobody else; 0: none yet
    ]
)
SCENARIO = np.dtype([("players", "i1")])


class SignsScenario(Scenario):
    players: int = Field(2, ge=2, le=MOST_SEATS, description="players")

    def pack(self):
        return np.array([(self.players,)], SCENARIO)


@kernel
def reset(s, scenario, seed):
    s["players"] = scenario["players"]
    s["seat"] = 0


@kernel
def legal(s, out):
    for action in range(5):
        out[action] = action
    return 5


@kernel
def step(s, action):
    s["shown"][s["seat"]] = action + 1
    s["seat"] += 1
    if s["seat"] == s["players"]:
        s["seat"] = OVER


@kernel
def score(s, seat):
    """The mean of what a seat wins against the others; nothing before all have shown."""
    if s["seat"] != OVER:
        return 0.0
    total = 0.0
    for other in range(s["players"]):
        total += PAYOFFS[s["shown"][seat] - 1, s["shown"][other] - 1]
    return total / (s["players"] - 1)


@kernel
def returns(s, out):
    for seat in range(s["players"]):
        out[seat] = score(s, seat)


@kernel
def hide(s, seat, seed):
    word = start(seed)
    for other in range(s["players"]):
        if other != seat and s["shown"][other] > 0:
            word = advance(word)
            s["shown"][other] = 1 + below(word, 5)


@kernel
def observe(s, seat, options, out):
    out[0] = 1.0  # there is nothing to see


@kernel
def stubborn(s, ids, count, word):
    """Always shows the rock."""
    return 0


def parse_action(s, text):
    if text not in SIGNS:
        raise BadRecord(f"sign {text!r}: write one of {', '.join(SIGNS)}")
    return SIGNS.index(text)


def format_state(s):
    return " ".join(("-", *SIGNS)[sign] for sign in s["shown"][: s["players"]])


def observation(scenario, options):
    return ObservationSpec((ObservationSlice("nothing", (1,), "vector"),))


GAME = Rules(
    folder=Path(__file__).parent,
    dtype=DTYPE,
    scenario=SignsScenario,
    seats=lambda scenario: scenario.players,
    reset=reset,
    legal=legal,
    step=step,
    returns=returns,
    score=score,
    hide=hide,
    encodings=(Encoding("nothing", observe, observation),),
    actions=lambda scenario: ActionSpec(len(SIGNS)),
    groups=lambda scenario: (ActionGroup("sign", 0, len(SIGNS)),),
    notation=Notation(lambda s, action: SIGNS[action], parse_action, format_state),
    bots={"stubborn": stubborn},
)
