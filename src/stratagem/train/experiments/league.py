"""Form `league`: the arms of a `repeats` experiment meet, everybody against everybody, both seats.

Of each arm the run that does best against a fixed opponent takes part, as in the thesis on Catan.
Every pair plays with either of them in the first seat; what was played is kept, so that the same
call on the same folder goes on. Missing runs are trained first, in the other experiment's folder.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from stratagem.core.errors import BadSetting
from stratagem.core.files import write_atomically
from stratagem.core.game import Game
from stratagem.core.registry import load_game
from stratagem.core.scenario import explain
from stratagem.core.seeding import derive_seed
from stratagem.train.experiments import repeats
from stratagem.train.experiments.definition import experiment_values
from stratagem.train.experiments.forms import Say

_TRAINING_SHARE = 0.9  # of the budget; the games are played whatever they take


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PaperStanding(_Part):
    """A line of the paper's table: games won out of those played in each position."""

    arm: str
    first: int = Field(description="won in the first position")
    second: int = Field(description="won in the second position")
    row: str = Field("", description="results in the first position, a cell for each of its arms")


class League(_Part):
    """One file, complete."""

    form: Literal["league"]
    title: str
    source: str = Field("", description="what is made again, and where it stands")
    training: str = Field(description="game/file of the experiment whose runs take part")
    arms: tuple[str, ...] = Field(min_length=2, description="of that experiment")
    beyond: tuple[str, ...] = Field((), description="those of them that the paper does not have")
    scenario: str = Field("", description="that is played; empty: the one of the training")
    chosen_against: str = Field("random", description="who decides which run of an arm is its best")
    choosing_games: int = Field(100, ge=2, description="for that, of each run")
    games_per_pair: int = Field(100, ge=2, description="half in each position")
    paper_games_per_pair: int = Field(10, ge=2, description="the first of them, counted apart")
    paper: tuple[PaperStanding, ...] = ()
    figures: str = Field("", description="what the tables are called in the paper")
    name: str = Field(description="game/file")

    @model_validator(mode="after")
    def _arms_differ(self) -> League:
        if len(set(self.arms)) < len(self.arms):
            raise ValueError("arms need different names")
        for name in self.beyond:
            if name not in self.arms:
                raise ValueError(f"no arm {name!r}")
        for row in self.paper:
            if row.arm not in self.paper_arms:
                raise ValueError(f"no arm {row.arm!r}")
            if row.row and len(row.row.split()) != len(self.paper_arms):
                raise ValueError(f"paper, {row.arm}: the row needs a cell for each of its arms")
        if self.paper_games_per_pair > self.games_per_pair:
            raise ValueError("paper_games_per_pair must not be above games_per_pair")
        return self

    @property
    def paper_arms(self) -> tuple[str, ...]:
        return tuple(arm for arm in self.arms if arm not in self.beyond)


def check(name: str, values: Mapping[str, Any]) -> League:
    """The file as a definition; the experiment it builds on is checked too."""
    try:
        definition = League.model_validate({**values, "name": name})
    except ValidationError as error:
        raise BadSetting(f"experiment {name}: {explain(error)}") from None
    known = {arm.name for arm in _training(definition).arms}
    for arm in definition.arms:
        if arm not in known:
            raise BadSetting(f"experiment {name}: {definition.training} has no arm {arm!r}")
    return definition


def run(
    name: str, values: Mapping[str, Any], budget_seconds: float, out: Path, seed: int, progress: Say
) -> dict[str, Any]:
    """Train what is missing, choose, play, and write result.json and report.md."""
    from stratagem.train.experiments.league_report import result_of, write_report

    definition = check(name, values)
    began = time.time()
    training = _training(definition)
    folder = out.parent / training.name.replace("/", "-")
    deadline = began + _TRAINING_SHARE * budget_seconds
    trained = repeats.train_all(training, folder, seed, deadline, progress)
    missing = set(definition.arms) - {one.arm.name for one in trained}
    if missing:
        raise BadSetting(f"nothing trained of {', '.join(sorted(missing))}: give a larger --budget")
    game = load_game(_game_spec(definition, training))
    players = {
        arm: _best_run(game, definition, [one for one in trained if one.arm.name == arm], out, seed)
        for arm in definition.arms
    }
    for arm, found in players.items():
        progress(f"{arm}: {found['run']}, {found['score']:.2f} against {definition.chosen_against}")
    pairs = _play_pairs(game, definition, players, out, seed, progress)
    titles = {arm.name: arm.title or arm.name for arm in training.arms}
    result = result_of(definition, game, titles, players, pairs)
    result |= {"seed": seed, "seconds": round(time.time() - began, 1)}
    write_report(definition, result, out)
    text = json.dumps(result, indent=2)
    write_atomically(out / "result.json", text + "\n")
    progress(f"report: {out / 'report.md'}")
    written: dict[str, Any] = json.loads(text)
    return written


def _training(definition: League) -> repeats.Repeats:
    return repeats.check(definition.training, experiment_values(definition.training))


def _game_spec(definition: League, training: repeats.Repeats) -> str:
    if not definition.scenario:
        return training.game_spec
    return f"{training.game_spec.partition('/')[0]}/{definition.scenario}"


def _best_run(
    game: Game, definition: League, runs: Sequence[repeats.Trained], out: Path, seed: int
) -> dict[str, Any]:
    """The run of an arm with the best score against the fixed opponent."""
    found = []
    for one in runs:
        spec = _spec(one.path)
        games = _play(
            game, spec, definition.chosen_against, definition.choosing_games,
            derive_seed(seed, "choose", game.spec), out, seats="rotate",
        )  # fmt: skip
        found.append({"run": one.path.name, "spec": spec, "score": sum(games) / len(games)})
    return max(found, key=lambda one: float(str(one["score"])))


def _play_pairs(
    game: Game,
    definition: League,
    players: Mapping[str, Mapping[str, Any]],
    out: Path,
    seed: int,
    say: Say,
) -> dict[tuple[str, str], list[float]]:
    """(first, second) -> results of the first position's player, game by game."""
    pairs = {}
    meetings = list(permutations(definition.arms, 2))
    for number, (first, second) in enumerate(meetings, start=1):
        games = _play(
            game, players[first]["spec"], players[second]["spec"], definition.games_per_pair // 2,
            derive_seed(seed, "league", game.spec), out, seats="fixed",
        )  # fmt: skip
        pairs[first, second] = games
        if number % len(definition.arms) == 0:
            say(f"{number} of {len(meetings)} pairs")
    return pairs


def _play(
    game: Game,
    mine: str,
    theirs: str,
    games: int,
    seed: int,
    out: Path,
    seats: Literal["rotate", "fixed"],
) -> list[float]:
    """1, 1/2 or 0 of the first agent in each game; read from disk if it was played before."""
    from stratagem.agents import make_agent
    from stratagem.evaluate.matches import play_match

    key = derive_seed(seed, game.spec, _mark(mine), _mark(theirs), games, seats)
    file = out / "played" / f"{key:016x}.json"
    if file.is_file():
        known: list[float] = json.loads(file.read_text())
        return known
    agents = [make_agent(mine, game), make_agent(theirs, game)]
    outcomes = play_match(game, agents, games, seed, seats=seats).outcomes
    results = [one.duel(0, 1) for one in outcomes]
    write_atomically(file, json.dumps(results) + "\n")
    return results


def _spec(path: Path) -> str:
    """The player that a run makes."""
    from stratagem.train.run_folder import RunFolder

    return RunFolder.open(path)[1].agent.replace("{run}", str(path))


def _mark(spec: str) -> str:
    """A spec and the checkpoint that it stands for now: more training is another player."""
    pointer = Path(spec.partition(":")[2].partition("?")[0]) / "ckpt" / "latest"
    return f"{spec} {pointer.read_text().strip()}" if pointer.is_file() else spec
