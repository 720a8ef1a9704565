"""Form `league`: the arms of a `repeats` experiment meet, everybody against everybody, both seats.

Of each arm the run that does best against a fixed opponent takes part, as in the thesis on Catan.
Every pair plays with either of them in the first seat; what was played is kept, so that the same
call on the same folder goes on. Missing runs are trained first, in the other experiment's folder.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from stratagem.core.errors import BadSetting, StratagemError
from stratagem.core.files import write_atomically
from stratagem.core.registry import load_game
from stratagem.core.scenario import explain
from stratagem.core.seeding import derive_seed
from stratagem.runs.folder import RunFolder
from stratagem.train.experiments import repeats
from stratagem.train.experiments.definition import experiment_values
from stratagem.train.experiments.forms import Say
from stratagem.train.experiments.processes import run_jobs
from stratagem.train.settings import read_settings

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
    table = _Table(game.spec, out, seed, progress)
    players = _best_runs(definition, trained, table)
    for arm, found in players.items():
        progress(f"{arm}: {found['run']}, {found['score']:.2f} against {definition.chosen_against}")
    pairs = _play_pairs(definition, players, table)
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


@dataclass(frozen=True)
class _Table:
    """Where games are played, and what is known of those that were: a file for each meeting."""

    game_spec: str
    out: Path
    seed: int
    say: Say

    def play(self, what: str, meetings: Sequence[_Meeting]) -> list[list[float]]:
        """1, 1/2 or 0 of the first agent in each game, for each meeting; all cores play."""
        seed = derive_seed(self.seed, what, self.game_spec)
        files = [self._file(meeting, seed) for meeting in meetings]
        todo = [
            (self.game_spec, meeting, seed, file)
            for meeting, file in zip(meetings, files, strict=True)
            if not file.is_file()
        ]
        done = 0

        def tell(job: int, outcome: StratagemError | None) -> None:
            nonlocal done
            done += 1
            if outcome is not None:
                self.say(f"{todo[job][1].mine} and {todo[job][1].theirs}: {outcome}")
            if done % 20 == 0 or done == len(todo):
                self.say(f"{what}: {done} of {len(todo)}")

        run_jobs(_play_one, todo, tell)
        return [json.loads(file.read_text()) for file in files]

    def _file(self, meeting: _Meeting, seed: int) -> Path:
        marks = _mark(meeting.mine), _mark(meeting.theirs)
        key = derive_seed(seed, self.game_spec, *marks, meeting.games, meeting.seats)
        return self.out / "played" / f"{key:016x}.json"


class _Meeting(NamedTuple):
    """Two agents by their specs."""

    mine: str
    theirs: str
    games: int
    seats: Literal["rotate", "fixed"]


def _best_runs(
    definition: League, trained: Sequence[repeats.Trained], table: _Table
) -> dict[str, dict[str, Any]]:
    """Of each arm the run with the best score against the fixed opponent, and all their scores."""
    runs = [one for one in trained if one.arm.name in definition.arms]
    specs = [_spec(one.path) for one in runs]
    opponent, count = definition.chosen_against, definition.choosing_games
    played = table.play("choose", [_Meeting(spec, opponent, count, "rotate") for spec in specs])
    best: dict[str, dict[str, Any]] = {
        arm: {"score": -1.0, "scores": {}} for arm in definition.arms
    }
    for one, spec, games in zip(runs, specs, played, strict=True):
        found, score = best[one.arm.name], sum(games) / len(games)
        found["scores"][one.path.name] = round(score, 4)
        if score > found["score"]:
            found |= {"run": one.path.name, "spec": spec, "score": score}
    return best


def _play_pairs(
    definition: League, players: Mapping[str, Mapping[str, Any]], table: _Table
) -> dict[tuple[str, str], list[float]]:
    """(first, second) -> results of the first position's player, game by game."""
    pairs = list(permutations(definition.arms, 2))
    games = definition.games_per_pair // 2
    meetings = [
        _Meeting(players[first]["spec"], players[second]["spec"], games, "fixed")
        for first, second in pairs
    ]
    return dict(zip(pairs, table.play("league", meetings), strict=True))


def _play_one(game_spec: str, meeting: _Meeting, seed: int, file: Path) -> None:
    """Play one meeting and keep its results."""
    import torch

    from stratagem.agents import make_agent
    from stratagem.evaluate.matches import play_match

    torch.set_num_threads(1)
    game = load_game(game_spec)
    agents = [make_agent(meeting.mine, game), make_agent(meeting.theirs, game)]
    outcomes = play_match(game, agents, meeting.games, seed, seats=meeting.seats).outcomes
    write_atomically(file, json.dumps([one.duel(0, 1) for one in outcomes]) + "\n")


def _spec(path: Path) -> str:
    """The player that a run makes."""
    return read_settings(RunFolder.open(path)).agent.replace("{run}", str(path))


def _mark(spec: str) -> str:
    """A spec and the checkpoint that it stands for now: more training is another player."""
    run = RunFolder(Path(spec.partition(":")[2].partition("?")[0]))
    latest = run.latest()
    return f"{spec} {run.step_folder(latest).name}" if latest else spec
