"""Terra Mystica, the base game: 2 to 5 players, 14 factions, no luck after the set-up."""

from pathlib import Path

from stratagem.core.game import Encoding, Rules
from stratagem.games.terra_mystica import actions, setup
from stratagem.games.terra_mystica.bots import scripted, simple
from stratagem.games.terra_mystica.encode import compact, planes
from stratagem.games.terra_mystica.limits import limits
from stratagem.games.terra_mystica.measures import measures
from stratagem.games.terra_mystica.notation import NOTATION
from stratagem.games.terra_mystica.rules import legal, scoring, step
from stratagem.games.terra_mystica.scenario import TerraMysticaScenario
from stratagem.games.terra_mystica.state import DTYPE
from stratagem.games.terra_mystica.view import board
from stratagem.games.terra_mystica.view.touches import touches

GAME = Rules(
    folder=Path(__file__).parent,
    dtype=DTYPE,
    scenario=TerraMysticaScenario,
    reset=setup.reset,
    legal=legal.legal,
    step=step.step,
    returns=scoring.returns,
    score=scoring.score,
    encodings=(
        Encoding("compact", compact.compact, compact.spec, clears=True),
        Encoding("exact", planes.exact, planes.spec),
        Encoding("paper", planes.paper, planes.spec),
    ),
    actions=lambda scenario: actions.action_spec(scenario.conversions == "explicit"),
    max_legal=lambda scenario: actions.MOST_LEGAL,
    limits=limits,
    notation=NOTATION,
    seats=lambda scenario: int(scenario.players),
    bots={
        "scripted": scripted.scripted,
        "random-mover": simple.random_mover,
        "pass-only": simple.pass_only,
    },
    groups=lambda scenario: actions.GROUPS,
    view=board.view,
    measures=measures,
    touches=touches,
)
