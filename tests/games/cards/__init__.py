"""Card duel: a test game in which each seat holds one card that the other cannot see."""

from pathlib import Path

from cards import actions, encode, hide, rules
from cards.notation import NOTATION
from cards.scenario import CardsScenario
from cards.state import DTYPE
from stratagem.core.game import Encoding, Rules

GAME = Rules(
    folder=Path(__file__).parent,
    dtype=DTYPE,
    scenario=CardsScenario,
    reset=rules.reset,
    legal=actions.legal,
    step=rules.step,
    chance=rules.chance,
    max_chance=lambda scenario: scenario.ranks,
    returns=rules.returns,
    score=rules.score,
    hide=hide.hide,
    encodings=(Encoding("hand", encode.observe, encode.spec),),
    actions=actions.spec,
    notation=NOTATION,
)
