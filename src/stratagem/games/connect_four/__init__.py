"""Connect Four: the reference game, for which perfect play is known."""

from pathlib import Path

from stratagem.core.game import Encoding, Rules
from stratagem.games.connect_four import actions, bots, encode, rules, solver, symmetry
from stratagem.games.connect_four.limits import limits
from stratagem.games.connect_four.notation import NOTATION
from stratagem.games.connect_four.scenario import ConnectFourScenario
from stratagem.games.connect_four.state import DTYPE
from stratagem.games.connect_four.view import touches, view

GAME = Rules(
    folder=Path(__file__).parent,
    dtype=DTYPE,
    scenario=ConnectFourScenario,
    reset=rules.reset,
    legal=actions.legal,
    step=rules.step,
    returns=rules.returns,
    score=rules.score,
    encodings=(
        Encoding("planes", encode.observe, encode.spec),
        Encoding("threats", encode.observe_threats, encode.threats_spec),
    ),
    actions=actions.spec,
    limits=limits,
    notation=NOTATION,
    symmetry=symmetry.symmetry,
    symmetry_action=symmetry.symmetry_action,
    symmetries=lambda scenario: 2,
    bots={"scripted": bots.scripted},
    view=view,
    touches=touches,
    solve=solver.solve_state,
)
