"""Hispania: four players, twenty nations and 1,400 years on a map of 55 regions."""

from pathlib import Path

from stratagem.core.game import Encoding, Rules
from stratagem.games.hispania import actions, setup
from stratagem.games.hispania.bots import scripted
from stratagem.games.hispania.encode import hierarchy, wide
from stratagem.games.hispania.encode.tokens import action_spec
from stratagem.games.hispania.limits import limits
from stratagem.games.hispania.measures import alignment, reference
from stratagem.games.hispania.notation import NOTATION
from stratagem.games.hispania.rules import legal, step
from stratagem.games.hispania.scenario import HispaniaScenario
from stratagem.games.hispania.state import DTYPE
from stratagem.games.hispania.view import board, chronicle

_ACTIONS = action_spec()

GAME = Rules(
    folder=Path(__file__).parent,
    dtype=DTYPE,
    scenario=HispaniaScenario,
    reset=setup.reset,
    legal=legal.legal,
    step=step.step,
    chance=step.chance,
    max_chance=lambda scenario: step.FACES,
    returns=step.returns,
    score=step.score,
    encodings=(
        Encoding("hierarchy", hierarchy.observe, hierarchy.spec, hierarchy.OPTIONS),
        Encoding("fused", hierarchy.observe_fused, hierarchy.fused_spec),
        Encoding("wide", wide.observe, wide.spec, hierarchy.OPTIONS),
    ),
    actions=lambda scenario: _ACTIONS,
    max_legal=lambda scenario: actions.MOST_LEGAL,
    limits=limits,
    notation=NOTATION,
    seats=lambda scenario: int(scenario.num_seats()),
    groups=lambda scenario: actions.GROUPS,
    bots={
        "scripted": scripted.scripted,
        "timid": scripted.timid,
        "greedy": scripted.greedy,
        "naive": scripted.naive,
    },
    view=board.view,
    touches=board.touches,
    measures=alignment.measures,
    expected=reference.expected,
    chronicle=chronicle.chronicle,
)
