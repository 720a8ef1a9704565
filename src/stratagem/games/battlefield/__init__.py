"""Battlefield: two teams on a shrinking grid."""

from pathlib import Path

from stratagem.core.game import Encoding, Rules
from stratagem.games.battlefield import actions, bots, encode, rules, setup, shaping, symmetry
from stratagem.games.battlefield.limits import limits
from stratagem.games.battlefield.measures import measures
from stratagem.games.battlefield.notation import NOTATION
from stratagem.games.battlefield.scenario import BattlefieldScenario
from stratagem.games.battlefield.state import DTYPE
from stratagem.games.battlefield.view import aims, touches, view

GAME = Rules(
    folder=Path(__file__).parent,
    dtype=DTYPE,
    scenario=BattlefieldScenario,
    reset=setup.reset,
    legal=actions.legal,
    step=rules.step,
    returns=rules.returns,
    score=rules.score,
    potential=shaping.potential,
    encodings=(Encoding("planes", encode.observe, encode.spec, encode.OPTIONS),),
    actions=actions.spec,
    limits=limits,
    notation=NOTATION,
    symmetry=symmetry.symmetry,
    symmetry_action=symmetry.symmetry_action,
    symmetries=lambda scenario: 8 if scenario.height == scenario.width else 4,
    bots={"scripted": bots.scripted, "goal-rush": bots.goal_rush},
    view=view,
    touches=touches,
    aims=aims,
    measures=measures,
)
