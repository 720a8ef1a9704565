"""Hispania: four players, twenty nations and 1,400 years on a map of 55 regions."""

from pathlib import Path

from stratagem.core.game import Encoding, Rules
from stratagem.core.specs import ActionGroup
from stratagem.games.hispania import actions, bots, encode, rules, setup, wide
from stratagem.games.hispania.alignment import measures
from stratagem.games.hispania.notation import NOTATION
from stratagem.games.hispania.reference import expected
from stratagem.games.hispania.scenario import HispaniaScenario
from stratagem.games.hispania.state import DTYPE
from stratagem.games.hispania.tokens import action_spec
from stratagem.games.hispania.view import touches, view
from stratagem.games.hispania.view_chronicle import chronicle

_GROUPS = (
    ActionGroup("buy", actions.BUY, actions.FROM),
    ActionGroup("from", actions.FROM, actions.WITH),
    ActionGroup("with", actions.WITH, actions.TO),
    ActionGroup("to", actions.TO, actions.FIGHT),
    ActionGroup("fight", actions.FIGHT, actions.RETREAT),
    ActionGroup("retreat", actions.RETREAT, actions.REMOVE),
    ActionGroup("remove", actions.REMOVE, actions.ACTIONS),
)

_ACTIONS = action_spec()

GAME = Rules(
    folder=Path(__file__).parent,
    dtype=DTYPE,
    scenario=HispaniaScenario,
    reset=setup.reset,
    legal=actions.legal,
    step=rules.step,
    chance=actions.chance,
    max_chance=lambda scenario: actions.FACES,
    returns=rules.returns,
    score=rules.score,
    encodings=(
        Encoding("hierarchy", encode.observe, encode.spec),
        Encoding("fused", encode.observe_fused, encode.fused_spec),
        Encoding("wide", wide.observe, wide.spec),
    ),
    actions=lambda scenario: _ACTIONS,
    max_legal=lambda scenario: actions.MOST_LEGAL,
    notation=NOTATION,
    seats=lambda scenario: int(scenario.num_seats()),
    groups=lambda scenario: _GROUPS,
    bots={
        "scripted": bots.scripted,
        "timid": bots.timid,
        "greedy": bots.greedy,
        "naive": bots.naive,
    },
    view=view,
    touches=touches,
    measures=measures,
    expected=expected,
    chronicle=chronicle,
)
