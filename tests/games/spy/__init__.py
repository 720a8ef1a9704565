"""A test game that tells when somebody sees a position that did not pass through `hide`."""

from dataclasses import replace
from pathlib import Path

from spy import rules

CARDS = rules.CARDS

GAME = replace(
    CARDS,
    folder=Path(__file__).parent,
    dtype=rules.DTYPE,
    reset=rules.reset,
    legal=rules.legal,
    step=rules.step,
    chance=rules.chance,
    returns=rules.returns,
    score=rules.score,
    hide=rules.hide,
    encodings=(replace(CARDS.encodings[0], observe=rules.observe),),
    bots={"spy": rules.spy},
)
