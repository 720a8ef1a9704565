"""Dice duel: a test game small enough to be solved by brute force."""

from pathlib import Path

from dice import actions, bots, encode, rules
from dice.notation import NOTATION
from dice.scenario import DiceScenario
from dice.state import DTYPE
from stratagem.core.game import Encoding, Rules

GAME = Rules(
    folder=Path(__file__).parent,
    dtype=DTYPE,
    scenario=DiceScenario,
    reset=rules.reset,
    legal=actions.legal,
    step=rules.step,
    chance=rules.chance,
    max_chance=lambda scenario: scenario.faces,
    returns=rules.returns,
    score=rules.score,
    encodings=(Encoding("table", encode.observe, encode.spec),),
    actions=actions.spec,
    notation=NOTATION,
    seats=lambda scenario: scenario.seats,
    bots={"keeper": bots.keeper},
)
