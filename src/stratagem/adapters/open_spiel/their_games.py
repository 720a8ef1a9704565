"""OpenSpiel's games as ours, for agents that need no network.

    game = from_open_spiel("breakthrough(rows=6,columns=6)")
    play_match(game, [make_agent("mcts:none?sims=100", game), make_agent("random", game)], 10, 1)

A position is the list of past events, which OpenSpiel replays; a cache keeps recent states. That is
exact and slow, and nothing here is compiled: `random`, `mcts:none`, matches, sessions and records
work, training does not. Requirements:

    turns       players move one after another, not simultaneously
    chance      explicit, or none
    hidden      only if the game can resample what a player does not know
    seats       two with zero-sum results, or more
    results     divided by the largest possible, to be within [-1, 1]
    length      at most MOST_EVENTS events, because a position has a fixed size
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel

from stratagem.core.about import About
from stratagem.core.errors import BadSetting, NotAllowed
from stratagem.core.game import Encoding, Game, Notation, Rules, States
from stratagem.core.scenario import Scenario
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import Seeds
from stratagem.core.specs import ActionSpec, ObservationSlice, ObservationSpec

MOST_EVENTS = 4096
_MOST_KEPT = 20_000  # states of OpenSpiel in the cache
_ENCODING = "observation"


def from_open_spiel(text: str) -> Game:
    """Load an OpenSpiel game by its string, `name` or `name(parameter=value)`."""
    name = text.partition("(")[0]
    if name not in pyspiel.registered_names():  # OpenSpiel would print all of them
        raise BadSetting(f"OpenSpiel has no game {name!r}: see pyspiel.registered_names()")
    try:
        theirs = pyspiel.load_game(text)
    except pyspiel.SpielError as error:
        reason = str(error).splitlines()[0].split(". Available")[0]
        raise BadSetting(f"OpenSpiel's {text!r}: {reason}: correct the parameters") from None
    _check(text, theirs)
    kernels = SpielKernels(theirs)
    scenario = SpielScenario(title=theirs.get_type().long_name)
    return Game(_rules(theirs, kernels), scenario, f"open_spiel:{theirs}")


class SpielScenario(Scenario):
    """OpenSpiel's parameters are part of the game's string, so there is nothing left to choose."""

    def pack(self) -> npt.NDArray[np.void]:
        return np.zeros(1, [("unused", "u1")])


class SpielKernels:
    """What `core.batch.Kernels` offers, computed by OpenSpiel one position at a time."""

    potential = symmetry = symmetry_action = None

    def __init__(self, theirs: Any) -> None:
        self.theirs = theirs
        self.longest = max(1, theirs.max_history_length())
        self._scale = max(abs(theirs.min_utility()), abs(theirs.max_utility()))
        self._kept: dict[bytes, Any] = {}
        hides = theirs.get_type().information != pyspiel.GameType.Information.PERFECT_INFORMATION
        self.hide = self._hide if hides else None

    @property
    def dtype(self) -> np.dtype[np.void]:
        """A position: who decides, and the events so far."""
        return np.dtype([("seat", "i1"), ("count", "u2"), ("events", "i4", (self.longest,))])

    def state_of(self, position: Any) -> Any:
        """Return OpenSpiel's state for a position; it is shared, so clone it before changing it."""
        events = position["events"][: int(position["count"])]
        key = events.tobytes()
        found = self._kept.get(key)
        if found is None:
            before = self._kept.get(key[:-4]) if key else None
            found = self.theirs.new_initial_state() if before is None else before.clone()
            for event in events if before is None else events[-1:]:
                found.apply_action(int(event))
            self._keep(key, found)
        return found

    # -- the kernels: shapes as in core/batch.py -----------------------------------------------

    def reset(self, states: States, scenario: Any, seeds: Seeds) -> None:
        for i in range(len(states)):
            self._write(states, i, self.theirs.new_initial_state())

    def legal(self, states: States, ids: Any, counts: Any) -> None:
        for i in range(len(states)):
            counts[i] = 0
            if states["seat"][i] >= 0:
                counts[i] = _list(self.state_of(states[i]).legal_actions(), ids[i])

    def chance(self, states: States, ids: Any, probs: Any, counts: Any) -> None:
        for i in range(len(states)):
            counts[i] = 0
            if states["seat"][i] == CHANCE:
                counts[i] = self._outcomes(states[i], ids[i], probs[i])

    def step(self, states: States, actions: Any) -> None:
        for i in range(len(states)):
            self._step(states, i, int(actions[i]))

    def draw(self, states: States, seeds: Seeds, width: int, out: Any) -> None:
        for i in range(len(states)):
            out[i] = -1
            if states["seat"][i] == CHANCE:
                out[i] = _drawn(self.state_of(states[i]), random.Random(int(seeds[i])))

    def returns(self, states: States, out: Any) -> None:
        for i in range(len(states)):
            out[i] = self._returns(self.state_of(states[i]))

    def score(self, states: States, out: Any) -> None:
        """Write points as OpenSpiel counts them."""
        for i in range(len(states)):
            out[i] = self.state_of(states[i]).returns()

    def expand(
        self, states: States, raw: Any, parents: Any, children: Any, actions: Any, seats: Any,
        ids: Any, probs: Any, counts: Any, values: Any,
    ) -> None:  # fmt: skip
        for i, child in enumerate(children):
            if actions[i] >= 0:
                raw[child] = raw[parents[i]]
                self._step(states, child, int(actions[i]))
            seats[i] = states["seat"][child]
            counts[i] = 0
            if seats[i] >= 0:
                counts[i] = _list(self.state_of(states[child]).legal_actions(), ids[i])
            elif seats[i] == CHANCE:
                counts[i] = self._outcomes(states[child], ids[i], probs[i])
            else:
                values[i] = self._returns(self.state_of(states[child]))

    def playout(
        self, states: States, raw: Any, rows: Any, seeds: Seeds, width: int, scratch: Any,
        scratch_raw: Any, out: Any,
    ) -> None:  # fmt: skip
        for i, row in enumerate(rows):
            out[i] = self._returns(self._finished(states[row], int(seeds[i])))

    def random_play(self, states: States, scenario: Any, seeds: Seeds, width: int) -> int:
        steps = 0
        self.reset(states, scenario, seeds)
        for i in range(len(states)):
            self._write(states, i, self._finished(states[i], int(seeds[i])))
            steps += int(states["count"][i])
        return steps

    def observe(self, states: States, rows: Any, seats: Any, options: Any, out: Any) -> None:
        for i, row in enumerate(rows):
            out[i] = self.state_of(states[row]).observation_tensor(int(seats[i]))

    # -- inside ----------------------------------------------------------------------------------

    def _hide(self, states: States, seats: Any, seeds: Seeds) -> None:
        for i in range(len(states)):
            source = random.Random(int(seeds[i]))
            state = self.state_of(states[i])
            if not state.is_chance_node() and not state.is_terminal():
                drawn = state.resample_from_infostate(int(seats[i]), source.random)
                self._write(states, i, drawn)

    def _step(self, states: States, row: int, action: int) -> None:
        before = self.state_of(states[row])
        if action not in before.legal_actions():
            raise NotAllowed(f"action {action} is not possible here: choose one from the list")
        self._write(states, row, before.child(action))

    def _write(self, states: States, row: int, state: Any) -> None:
        events = np.array(state.history(), np.int32)
        states["events"][row] = 0
        states["events"][row, : len(events)] = events
        states["count"][row] = len(events)
        player = OVER if state.is_terminal() else state.current_player()
        states["seat"][row] = CHANCE if player == pyspiel.PlayerId.CHANCE else int(player)
        self._keep(events.tobytes(), state)

    def _keep(self, key: bytes, state: Any) -> None:
        if len(self._kept) >= _MOST_KEPT:
            self._kept.clear()
        self._kept[key] = state

    def _outcomes(self, position: Any, ids: Any, probs: Any) -> int:
        listed = [one for one in self.state_of(position).chance_outcomes() if one[1] > 0]
        probs[: len(listed)] = [prob for _, prob in listed]
        return _list([outcome for outcome, _ in listed], ids)

    def _returns(self, state: Any) -> list[float]:
        return [value / self._scale for value in state.returns()]

    def _finished(self, position: Any, seed: int) -> Any:
        """Return a clone of the state, played to the end at random."""
        state, source = self.state_of(position).clone(), random.Random(seed)
        while not state.is_terminal():
            chance = state.is_chance_node()
            state.apply_action(
                _drawn(state, source) if chance else source.choice(state.legal_actions())
            )
        return state


@dataclass(frozen=True, eq=False)
class SpielRules(Rules):
    """The declaration of an OpenSpiel game, which has no folder and no compiled functions."""

    foreign: SpielKernels | None = None

    @cached_property
    def about(self) -> About:
        assert self.foreign is not None
        kind = self.foreign.theirs.get_type()
        seats = str(self.foreign.theirs.num_players())
        summary = "a game of OpenSpiel"
        return About(f"open_spiel:{kind.short_name}", kind.long_name, summary, seats, version=1)

    @cached_property
    def kernels(self) -> Any:
        return self.foreign

    @cached_property
    def observers(self) -> Mapping[str, Any]:
        return {one.name: one.observe for one in self.encodings}


def _rules(theirs: Any, kernels: SpielKernels) -> SpielRules:
    return SpielRules(
        folder=Path(__file__).parent / "no_folder",
        dtype=kernels.dtype,
        scenario=SpielScenario,
        reset=kernels.reset,
        legal=kernels.legal,
        step=kernels.step,
        returns=kernels.returns,
        score=kernels.score,
        # Always declared: otherwise the search would be compiled as a whole.
        chance=kernels.chance,
        max_chance=lambda scenario: max(1, theirs.max_chance_outcomes()),
        hide=kernels.hide,
        encodings=_encodings(theirs, kernels),
        actions=lambda scenario: ActionSpec(theirs.num_distinct_actions()),
        seats=lambda scenario: int(theirs.num_players()),
        notation=_notation(kernels),
        foreign=kernels,
    )


def _encodings(theirs: Any, kernels: SpielKernels) -> tuple[Encoding, ...]:
    if not theirs.get_type().provides_observation_tensor:
        return ()
    shape = tuple(theirs.observation_tensor_shape())
    planes = len(shape) == 3
    part = ObservationSlice(
        _ENCODING, shape if planes else (int(np.prod(shape)),), "planes" if planes else "vector"
    )
    return (Encoding(_ENCODING, kernels.observe, lambda *_: ObservationSpec((part,))),)


def _notation(kernels: SpielKernels) -> Notation:
    def format_action(position: Any, action: int) -> str:
        state = kernels.state_of(position)
        return str(state.action_to_string(state.current_player(), int(action)))

    def parse_action(position: Any, text: str) -> int:
        state = kernels.state_of(position)
        for action in state.legal_actions():
            if format_action(position, action) == text:
                return int(action)
        raise NotAllowed(f"{text!r} is not possible here: choose a move from the list")

    def format_state(position: Any) -> str:
        return str(kernels.state_of(position)) or "nothing has happened yet"

    return Notation(format_action, parse_action, format_state)


def _list(found: list[int], ids: Any) -> int:
    ids[: len(found)] = found
    return len(found)


def _drawn(state: Any, source: random.Random) -> int:
    outcomes, probs = zip(*state.chance_outcomes(), strict=True)
    return int(source.choices(outcomes, probs)[0])


def _check(text: str, theirs: Any) -> None:
    """Refuse games that do not fit our contract, with the reason in one line."""
    kinds, kind = pyspiel.GameType, theirs.get_type()
    reason = ""
    if kind.dynamics != kinds.Dynamics.SEQUENTIAL:
        reason = "players move simultaneously"
    elif kind.chance_mode == kinds.ChanceMode.SAMPLED_STOCHASTIC:
        reason = "its chance outcomes have no probabilities"
    elif theirs.num_players() < 2:
        reason = "it has a single player"
    elif theirs.num_players() == 2 and kind.utility != kinds.Utility.ZERO_SUM:
        reason = "its two players are not zero-sum"
    elif theirs.max_history_length() > MOST_EVENTS:
        reason = f"it may last {theirs.max_history_length()} events, but at most {MOST_EVENTS} fit"
    elif kind.information != kinds.Information.PERFECT_INFORMATION and not _resamples(theirs):
        reason = "it has secrets and cannot resample them"
    if reason:
        raise BadSetting(f"OpenSpiel's {text!r} cannot be played here: {reason}: choose another")


def _resamples(theirs: Any) -> bool:
    """Whether the game can resample what a player does not know."""
    state = theirs.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    try:
        state.resample_from_infostate(0, lambda: 0.5)
    except pyspiel.SpielError:
        return False
    return True
