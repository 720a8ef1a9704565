"""What a folder under `games/` declares: the dtype of a state, a scenario model, small functions.

The functions, over one state `s` (docs/add-a-game.md has the details, and which file each is in):

    reset(s, scenario, seed)        set up; `s` arrives zeroed; the only place that uses a seed
    legal(s, out) -> count          ids of the legal actions of seat s["seat"]; at least one
    step(s, action)                 apply an action, or a chance outcome; never rolls dice
    chance(s, ids, probs) -> count  outcomes and probabilities where s["seat"] == CHANCE
    returns(s, out)                 per seat, in [-1, 1], once s["seat"] == OVER
    score(s, seat) -> float         the game's own points
    potential(s, seat) -> float     shaping potential of a seat (optional)
    hide(s, seat, seed)             resample what this seat cannot see (optional)
    symmetry(s, index, out)         `out`, a copy of `s`, becomes its mirror image (optional)
    symmetry_action(s, index, action) -> action    the same for an action of `s`
    subgoals[group](s, seat) -> float    the goal of a group's actions (optional)
    heuristic(s, seat, options, out)     an evaluation without a network (optional): logits of all
                                    actions, then a value per seat
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from stratagem.core.about import About
from stratagem.core.batch import Kernels, StateFunctions
from stratagem.core.compile import Kernel, room_of
from stratagem.core.limits import Limits
from stratagem.core.scenario import Scenario
from stratagem.core.scene import Scene
from stratagem.core.solution import Solution
from stratagem.core.specs import ActionGroup, ActionSpec, ObservationSpec

States = npt.NDArray[np.void]  # [B] of the game's dtype


@dataclass(frozen=True, eq=False)
class Encoding:
    """One way to turn a state into numbers for a network.

    `observe(s, seat, options, out)` fills a zeroed flat float32 vector described by
    `spec(scenario, options)`. `options` are named integers, passed to the kernel in this order.
    With `clears` the kernel needs no zeroes: it writes every number itself, including zeros.
    """

    name: str
    observe: Kernel
    spec: Callable[[Any, Mapping[str, int]], ObservationSpec]
    options: Mapping[str, int] = field(default_factory=dict)
    clears: bool = False


@dataclass(frozen=True)
class Notation:
    """Text for people: parse_action(s, format_action(s, a)) == a for every legal a.

    `describe(s, action, after)` describes a decision or chance outcome of `s` in a sentence;
    core/sentences.py explains its marks. `after` is the position that follows, or None if whoever
    asks must not know it. Describe only what every seat may see.
    """

    format_action: Callable[[Any, int], str]
    parse_action: Callable[[Any, str], int]
    format_state: Callable[[Any], str]
    describe: Callable[[Any, int, Any], str] | None = None  # default: the text of the action


@dataclass(frozen=True, eq=False)
class Rules:
    """A game as its folder declares it: `GAME = Rules(...)` in its `__init__.py`."""

    folder: Path
    dtype: np.dtype[np.void]
    scenario: type[Scenario]
    reset: Kernel
    legal: Kernel
    step: Kernel
    returns: Kernel
    score: Kernel
    encodings: tuple[Encoding, ...]
    actions: Callable[[Any], ActionSpec]
    notation: Notation
    seats: Callable[[Any], int] = lambda scenario: 2
    max_legal: Callable[[Any], int] | None = None  # default: every action
    chance: Kernel | None = None
    max_chance: Callable[[Any], int] = lambda scenario: 0
    potential: Kernel | None = None
    hide: Kernel | None = None
    symmetry: Kernel | None = None
    symmetry_action: Kernel | None = None
    symmetries: Callable[[Any], int] = lambda scenario: 1
    bots: Mapping[str, Kernel] = field(default_factory=dict)
    groups: Callable[[Any], tuple[ActionGroup, ...]] = lambda scenario: ()
    subgoals: Mapping[str, Kernel] = field(default_factory=dict)  # by the name of an action group
    heuristic: Kernel | None = None
    view: Callable[[Any], Scene] | None = None
    # Keys of the view's shapes that an action of this state concerns, in the order in which a
    # person would click them (origin before destination); () if it concerns nothing on the board.
    touches: Callable[[Any, int], tuple[str, ...]] | None = None
    # Those of the touched keys that are only aimed at, such as what is shot at: drawn differently.
    aims: Callable[[Any, int], tuple[str, ...]] | None = None
    measures: Callable[[States, Sequence[int]], Mapping[str, float]] | None = None
    # Typical values of measures, by name without the seat: reports show them for comparison.
    expected: Callable[[Any], Mapping[str, float]] = lambda scenario: {}
    # The allowed values of a position's fields: positions from a file are checked against them.
    limits: Callable[[Any], Limits] = lambda scenario: Limits()
    # All positions of a game -> a few drawings of its course, each with a title.
    chronicle: Callable[[States], Sequence[tuple[str, Scene]]] | None = None
    # The exact value of a position that is not over, for games that can be solved.
    solve: Callable[[Any], Solution] | None = None

    @cached_property
    def about(self) -> About:
        return About.read(self.folder)

    @cached_property
    def kernels(self) -> Kernels:
        """The batched kernels; compiled once for all scenarios."""
        return Kernels(
            room_of(self.reset.__module__),
            self.reset.__module__,
            StateFunctions(
                reset=self.reset,
                legal=self.legal,
                step=self.step,
                returns=self.returns,
                score=self.score,
                chance=self.chance,
                potential=self.potential,
                hide=self.hide,
                symmetry=self.symmetry,
                symmetry_action=self.symmetry_action,
            ),
        )

    @cached_property
    def bot_kernels(self) -> Mapping[str, Kernel]:
        return {name: self.kernels.bot(name, choose) for name, choose in self.bots.items()}

    @cached_property
    def bot_plays(self) -> Mapping[str, Kernel]:
        return {name: self.kernels.bot_play(name, choose) for name, choose in self.bots.items()}

    @cached_property
    def subgoal_kernels(self) -> Mapping[str, Kernel]:
        return {name: self.kernels.measure(name, goal) for name, goal in self.subgoals.items()}

    @cached_property
    def heuristic_kernel(self) -> Kernel | None:
        return self.heuristic and self.kernels.observer("heuristic", self.heuristic)

    @cached_property
    def observers(self) -> Mapping[str, Kernel]:
        return {e.name: self.kernels.observer(e.name, e.observe) for e in self.encodings}
