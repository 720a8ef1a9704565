"""Terra Mystica, the base game: 2 to 5 players, 14 factions, no luck after the set-up."""

from pathlib import Path

from stratagem.core.game import Encoding, Rules
from stratagem.core.specs import ActionGroup, ActionSpec
from stratagem.games.terra_mystica import bots, compact, encode, setup
from stratagem.games.terra_mystica.measures import measures
from stratagem.games.terra_mystica.notation import NOTATION
from stratagem.games.terra_mystica.rules import legal, scoring, state, step
from stratagem.games.terra_mystica.scenario import TerraMysticaScenario
from stratagem.games.terra_mystica.view import touches, view


def _actions(scenario: TerraMysticaScenario) -> ActionSpec:
    explicit = scenario.conversions == "explicit"
    size = state.EXPLICIT_ACTIONS if explicit else state.ACTIONS
    return ActionSpec(size, at_nodes=compact.ACTIONS_AT)


def _groups(scenario: TerraMysticaScenario) -> tuple[ActionGroup, ...]:
    return (
        ActionGroup("map", 0, state.PRIEST),
        ActionGroup("cults", state.PRIEST, state.SHIP),
        ActionGroup("advances", state.SHIP, state.POWER_ACTION),
        ActionGroup("power actions", state.POWER_ACTION, state.BONUS_ACTION),
        ActionGroup("special actions", state.BONUS_ACTION, state.PASS),
        ActionGroup("passing", state.PASS, state.TOWN_TILE),
        ActionGroup("towns", state.TOWN_TILE, state.ACTIONS),
    )


GAME = Rules(
    folder=Path(__file__).parent,
    dtype=state.DTYPE,
    scenario=TerraMysticaScenario,
    reset=setup.reset,
    legal=legal.legal,
    step=step.step,
    returns=scoring.returns,
    score=scoring.score,
    encodings=(
        Encoding("compact", compact.compact, compact.spec, clears=True),
        Encoding("exact", encode.exact, encode.spec),
        Encoding("paper", encode.paper, encode.spec),
    ),
    actions=_actions,
    max_legal=lambda scenario: state.MOST_LEGAL,
    notation=NOTATION,
    seats=lambda scenario: int(scenario.players),
    bots={
        "scripted": bots.scripted,
        "random-mover": bots.random_mover,
        "pass-only": bots.pass_only,
    },
    groups=_groups,
    view=view,
    measures=measures,
    touches=touches,
)
