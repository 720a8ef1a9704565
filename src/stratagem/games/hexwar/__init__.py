"""Hexwar: hex-and-counter wargames with terrain, stacks, reinforcements and victory hexes."""

from pathlib import Path

from stratagem.core.game import Encoding, Rules
from stratagem.games.hexwar import actions, rules, setup, shaping, symmetry
from stratagem.games.hexwar.bots import goal_rush, scripted
from stratagem.games.hexwar.encode import hierarchy, planes, tokens
from stratagem.games.hexwar.limits import limits
from stratagem.games.hexwar.notation import NOTATION
from stratagem.games.hexwar.scenario import HexwarScenario
from stratagem.games.hexwar.state import DTYPE
from stratagem.games.hexwar.view import touches, view

GAME = Rules(
    folder=Path(__file__).parent,
    dtype=DTYPE,
    scenario=HexwarScenario,
    reset=setup.reset,
    legal=actions.legal,
    step=rules.step,
    returns=rules.returns,
    score=rules.score,
    encodings=(
        Encoding("planes", planes.observe, planes.spec, planes.OPTIONS),
        Encoding("hierarchy", hierarchy.observe, hierarchy.spec),
    ),
    actions=tokens.spec,
    max_legal=actions.max_legal,
    groups=actions.groups,
    limits=limits,
    notation=NOTATION,
    potential=shaping.potential,
    symmetry=symmetry.symmetry,
    symmetry_action=symmetry.symmetry_action,
    symmetries=lambda scenario: 2,
    bots={"goal-rush": goal_rush.goal_rush, "scripted": scripted.scripted},
    view=view,
    touches=touches,
)
