"""Who can take a seat, and what a client's name for a player means here.

A client never names a path: it names a kind, or a run by the name under which this server lists it.
`resolve` turns that into an agent spec for this machine, or refuses it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from pydantic import ValidationError

from stratagem.agents.shipped import KINDS, adviser, default_opponent, shipped
from stratagem.agents.spec import AgentSpec, agent_kinds
from stratagem.core.errors import StratagemError
from stratagem.core.game import Game
from stratagem.core.registry import GameSpec
from stratagem.core.session import HUMAN
from stratagem.core.settings import explain
from stratagem.experiments.ladder import PLAIN_SIMS
from stratagem.search import SearchSettings
from stratagem.web.leaderboard import strength_of
from stratagem.web.names import PLAIN_SEARCH, RANDOM, SHIPPED_TITLES, bot_title, style_of
from stratagem.web.people import People
from stratagem.web.problems import NotFound, Refusal
from stratagem.web.runs import Runs
from stratagem.web.schema import GameSetup, Leaderboard, OpponentInfo

# Options that a client may set, with their largest value where larger ones would cost too much.
_SEARCH_OPTIONS: Mapping[str, float] = {
    "sims": math.inf,  # limited by the server's own setting
    "root": 0,
    "c_init": 1e6,
    "c_base": 1e9,
    "fpu_reduction": 1e6,
    "determinizations": 16,
    "gumbel_considered": 64,
    "gumbel_scale": 1e6,
    "leaves_per_tree": 64,
    "virtual_loss": 1e6,
    "rollouts": 64,
    "temperature": 100,
}
_DEFAULT_SIMS = 400


@dataclass(frozen=True)
class Player:
    """An agent of this machine: `spec` is what `make_agent` takes.

    `label` tells people exactly who it is, including simulations and the step of the run.
    """

    label: str
    spec: str
    searches: bool
    sims: int


def resolve(text: str, game: Game, runs: Runs, most_sims: int, sims: int | None = None) -> Player:
    """Return the player behind a client's name, with other simulations if they are given."""
    try:
        wanted = AgentSpec.parse(text)
    except StratagemError as error:
        raise Refusal(str(error)) from None
    options = dict(wanted.options)
    if wanted.kind in game.rules.bots and not wanted.target:
        return _plain(text, f"scripted:{wanted.kind}", options)
    if wanted.kind == "scripted" and (not wanted.target or wanted.target in game.rules.bots):
        if not game.rules.bots:
            raise Refusal(f"{game.name} has no scripted players: choose another opponent")
        return _plain(text, f"scripted:{wanted.target or next(iter(game.rules.bots))}", options)
    if wanted.kind == "random" and not wanted.target:
        return _plain(text, "random", options)
    if sims is not None:
        options["sims"] = str(sims)
    if wanted.kind == "mcts" and wanted.target == "none":
        defaults = {"sims": str(_DEFAULT_SIMS)}
        return _searching(text, "mcts:none", "mcts:none", defaults, options, most_sims)
    if wanted.kind in KINDS and not wanted.target:
        player = shipped(game, kind=wanted.kind)
        if player is None:
            raise NotFound(f"no {wanted.kind} ships for {game.spec}: choose another opponent")
        if player.kind != "mcts" and "sims" not in options:
            return _plain(wanted.kind, wanted.kind, options)
        own = player.options if player.kind == "mcts" else {}
        name = f"{wanted.kind}:"
        return _searching(text, name, name, own, options, most_sims)
    if wanted.kind == "run" and wanted.target:
        return _checkpoint(text, wanted.target, options, game, runs, most_sims)
    known = ["random", "scripted", "mcts:none", *KINDS, "run:NAME", *game.rules.bots]
    raise Refusal(f"unknown opponent {text!r}: choose one of {', '.join(known)}")


def describe(
    game: Game,
    runs: Runs,
    leaderboard: Leaderboard,
    ratings: Mapping[str, str],
    people: People | None = None,
) -> GameSetup:
    """Return what the new-game dialog needs; `ratings` are notes from the ladder, by agent."""
    opponents = [*_shipped(game), *_bots(game), *_levels(), *_checkpoints(game, runs)]
    opponents.append(OpponentInfo(spec="random", title=RANDOM, kind="random", searches=False))
    for one in opponents:
        one.strength = strength_of(leaderboard, game.spec, one.spec)
        one.style = one.style or style_of(one.spec) or style_of(one.kind)
        if people is not None:
            one.people = people.results(game.spec).get(one.spec)
            one.seconds = people.seconds(game.spec, one.spec)
        one.note = ". ".join(filter(None, [ratings.get(one.spec, ""), one.note]))
    about, scenario = game.rules.about, game.scenario
    return GameSetup(
        game=game.spec,
        title=game.title,
        summary=scenario.summary or about.summary,
        num_seats=game.num_seats,
        has_chance=game.rules.chance is not None,
        has_hidden=game.has_hidden,
        opponents=opponents,
        default_opponent=default_opponent(game),
        adviser=adviser(game),
    )


def _plain(name: str, spec: str, options: Mapping[str, str]) -> Player:
    if options:
        raise Refusal(f"opponent {name!r} takes no options")
    return Player(name, spec, False, 0)


def _searching(
    name: str,
    label: str,
    kind: str,
    defaults: Mapping[str, str],
    options: Mapping[str, str],
    most_sims: int,
) -> Player:
    merged = {**defaults, **options}
    for key, value in options.items():
        _check_option(name, key, value)
    if kind != "mcts:none" and "rollouts" in options:
        raise Refusal(f"opponent {name!r}: rollouts belong to mcts:none")
    own = {key: v for key, v in merged.items() if key in SearchSettings.model_fields}
    try:
        settings = SearchSettings.model_validate(own)
    except ValidationError as error:
        raise Refusal(f"opponent {name!r}: {explain(error)}") from None
    if settings.sims > most_sims:
        raise Refusal(f"opponent {name!r}: at most {most_sims} simulations on this server")
    query = urlencode(merged)
    return Player(f"{label}?{query}", f"{kind}?{query}", True, settings.sims)


def _check_option(name: str, key: str, value: str) -> None:
    if key not in _SEARCH_OPTIONS:
        known = ", ".join(_SEARCH_OPTIONS)
        raise Refusal(f"opponent {name!r}: no option {key!r} here, known: {known}")
    if key == "root":
        return
    try:
        number = float(value)
    except ValueError:
        raise Refusal(f"opponent {name!r}: {key} must be a number, not {value!r}") from None
    if not math.isfinite(number) or abs(number) > _SEARCH_OPTIONS[key]:
        raise Refusal(f"opponent {name!r}: {key} must be at most {_SEARCH_OPTIONS[key]:g}")
    if key == "temperature" and number < 0:
        raise Refusal(f"opponent {name!r}: temperature must not be negative")
    if key == "rollouts" and (number < 1 or number != int(number)):
        raise Refusal(f"opponent {name!r}: rollouts must be a whole number from 1")


def _checkpoint(
    name: str, target: str, options: dict[str, str], game: Game, runs: Runs, most_sims: int
) -> Player:
    run_name, _, step = target.partition("@")
    run = runs.find(run_name)
    if GameSpec.parse(run.game).name != game.name:
        raise Refusal(f"run {run_name!r} plays {run.game}, not {game.spec}")
    folder = run.checkpoint(step)
    label = f"run:{run_name}@{folder.name}"
    own_kind = run.algorithm if run.algorithm in agent_kinds() else "policy"
    # A network with priors and values can be searched; alone it plays as it learned to.
    if run.algorithm == "alphazero" or (own_kind == "policy" and "sims" in options):
        defaults = {"sims": str(run.search_sims)}
        return _searching(name, label, f"mcts:{folder}", defaults, options, most_sims)
    return _plain(label, f"{own_kind}:{folder}", options)


def _shipped(game: Game) -> list[OpponentInfo]:
    found = []
    for kind, title in SHIPPED_TITLES.items():
        player = shipped(game, kind=kind)
        if player is not None:
            searches = player.kind == "mcts"
            sims = int(player.options.get("sims", SearchSettings().sims)) if searches else None
            found.append(
                OpponentInfo(spec=kind, title=title, kind="best", searches=searches, sims=sims)
            )
    return found


def _bots(game: Game) -> list[OpponentInfo]:
    return [
        OpponentInfo(
            spec=bot,
            title=bot_title(bot),
            kind="bot",
            searches=False,
            style=game.rules.about.bots.get(bot, ""),
        )
        for bot in game.rules.bots
    ]


def _levels() -> list[OpponentInfo]:
    return [
        OpponentInfo(
            spec=f"mcts:none?sims={sims}",
            title=f"{PLAIN_SEARCH}, {sims} simulations",
            kind="search",
            searches=True,
            sims=sims,
        )
        for sims in PLAIN_SIMS
    ]


def _checkpoints(game: Game, runs: Runs) -> list[OpponentInfo]:
    return [
        OpponentInfo(
            spec=f"run:{run.name}",
            title=f"Run {run.name}",
            kind="checkpoint",
            searches=run.algorithm == "alphazero",
            sims=run.search_sims if run.algorithm == "alphazero" else None,
            note=f"its newest accepted checkpoint, trained on {run.game}",
        )
        for run in runs.of_game(game.name)
        if run.has_checkpoint
    ]


def check_seats(names: list[str], game: Game, runs: Runs, most_sims: int) -> None:
    """Refuse players that cannot be seated."""
    if len(names) != game.num_seats:
        raise Refusal(f"{game.spec} has {game.num_seats} seats, but got {len(names)} players")
    for name in names:
        if name != HUMAN:
            resolve(name, game, runs, most_sims)
