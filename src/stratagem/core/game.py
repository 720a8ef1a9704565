"""The Game contract: what a folder under `games/` declares, and what everyone else receives.

`Rules` is the declaration: the dtype of a state, a scenario model and small compiled functions over
one state. `Game` is the rules bound to one scenario: sizes are known, kernels are batched.

The functions, over one state `s` (docs/add-a-game.md says more, and in which file each lives):

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
    subgoals[group](s, seat) -> float    what the actions of a group strive for (optional)
    heuristic(s, seat, options, out)     an evaluation without a network (optional): logits of all
                                    actions, then a value per seat
"""

from __future__ import annotations

import hashlib
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
from stratagem.core.errors import BadState, NotAllowed, UnknownName
from stratagem.core.limits import Limits, wrong_field
from stratagem.core.scenario import Scenario
from stratagem.core.scene import Scene
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import Seeds, derive_seeds
from stratagem.core.solution import Solution
from stratagem.core.specs import ActionGroup, ActionSpec, ObservationSpec

States = npt.NDArray[np.void]  # [B] of the game's dtype
Actions = npt.NDArray[np.int32]  # [B]
Values = npt.NDArray[np.float32]  # [B, P]


@dataclass(frozen=True, eq=False)
class Encoding:
    """One way to turn a state into numbers for a network.

    `observe(s, seat, options, out)` fills a zeroed flat float32 vector described by
    `spec(scenario, options)`. `options` are named integers, passed to the kernel in this order.
    With `clears` the kernel needs no zeroes: it writes every number, those that are zero too.
    """

    name: str
    observe: Kernel
    spec: Callable[[Any, Mapping[str, int]], ObservationSpec]
    options: Mapping[str, int] = field(default_factory=dict)
    clears: bool = False


@dataclass(frozen=True)
class Notation:
    """Text for people: parse_action(s, format_action(s, a)) == a for every legal a.

    `describe(s, action, after)` says in a sentence what a decision or a chance outcome of `s` does;
    core/sentences.py has its few marks. `after` is the position that follows, or None where
    whoever asks may not know it. Only what every seat may see belongs into it.
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
    # person would click them (origin before destination); () where the board shows none.
    touches: Callable[[Any, int], tuple[str, ...]] | None = None
    measures: Callable[[States, Sequence[int]], Mapping[str, float]] | None = None
    # What measures usually are, by their names without the seat: reports show it beside them.
    expected: Callable[[Any], Mapping[str, float]] = lambda scenario: {}
    # What the fields of a position may hold: positions from a file are checked against it.
    limits: Callable[[Any], Limits] = lambda scenario: Limits()
    # All positions of a game -> its course in a few drawings, each with a title.
    chronicle: Callable[[States], Sequence[tuple[str, Scene]]] | None = None
    # The truth about a position that is not over, where the game can be solved.
    solve: Callable[[Any], Solution] | None = None

    @cached_property
    def about(self) -> About:
        return About.read(self.folder)

    @cached_property
    def kernels(self) -> Kernels:
        """The batched kernels; one compilation serves every scenario."""
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


@dataclass(frozen=True, eq=False)
class Observer:
    """An encoding bound to a game and its options: states in, float32 matrix out."""

    game: Game
    encoding: Encoding
    options: Mapping[str, int]
    spec: ObservationSpec

    def __call__(
        self, states: States, rows: npt.NDArray[np.int64] | None = None
    ) -> npt.NDArray[np.float32]:
        """What the deciding seat of each state sees, [B, D] float32."""
        picked = np.arange(len(states)) if rows is None else rows
        seats = states["seat"][picked]
        if (seats < 0).any():
            raise BadState("in one of these positions nobody decides: nobody's view can be shown")
        out = np.zeros((len(picked), self.spec.size), np.float32)
        self.observe_into(states, picked, seats, out)
        return out

    def observe_into(
        self,
        states: States,
        rows: npt.NDArray[np.int64],
        seats: npt.NDArray[np.int8],
        out: npt.NDArray[np.float32],
    ) -> None:
        """Fill `out` [B, D], zeroed unless the encoding clears, with what `seats` see."""
        kernel = self.game.rules.observers[self.encoding.name]
        kernel(states, rows, seats, self._option_values, out)

    @cached_property
    def _option_values(self) -> npt.NDArray[np.int64]:
        return np.array([*self.options.values(), 0], np.int64)


@dataclass(frozen=True, eq=False)
class Game:
    """Rules bound to one scenario. Get one with `load_game("battlefield/default")`.

    Letters in shapes: B positions, A actions of the game (`actions.size`), W most legal actions
    of a position in the batch, P seats. Positions are one structured array, states [B].
    """

    rules: Rules
    scenario: Scenario
    spec: str  # canonical text: name/scenario?key=value

    @property
    def name(self) -> str:
        """The name of its folder, such as `connect_four`."""
        return self.rules.about.name

    @property
    def title(self) -> str:
        """The game's name for people, with the scenario's where it has its own."""
        about, scenario = self.rules.about, self.scenario
        own = scenario.title not in ("", about.title)
        return f"{about.title}: {scenario.title}" if own else about.title

    @property
    def version(self) -> int:
        """Raised whenever play could differ; records and checkpoints of another are refused."""
        return self.rules.about.version

    @property
    def kernels(self) -> Kernels:
        """The compiled functions over states [B]; the methods here call them."""
        return self.rules.kernels

    @property
    def has_hidden(self) -> bool:
        """Whether a seat may know things that another does not."""
        return self.kernels.hide is not None

    @cached_property
    def num_seats(self) -> int:
        """P, how many play."""
        return self.rules.seats(self.scenario)

    @cached_property
    def actions(self) -> ActionSpec:
        """What the actions 0 to A - 1 are; `actions.size` is A."""
        return self.rules.actions(self.scenario)

    @cached_property
    def max_legal(self) -> int:
        """The most legal actions that a position can have."""
        chosen = self.rules.max_legal
        return self.actions.size if chosen is None else chosen(self.scenario)

    @cached_property
    def width(self) -> int:
        """Room that a list of legal actions or of chance outcomes needs."""
        return max(self.max_legal, self.rules.max_chance(self.scenario), 1)

    @cached_property
    def num_symmetries(self) -> int:
        """Mirror images under which the game is the same; 1: none but itself."""
        return self.rules.symmetries(self.scenario)

    @cached_property
    def packed_scenario(self) -> npt.NDArray[np.void]:
        """The scenario's numbers as `reset` reads them, [1] of a type of their own."""
        return self.scenario.pack()

    @cached_property
    def limits(self) -> Limits:
        """What the fields of a position may hold."""
        return self.rules.limits(self.scenario)

    def check_states(self, states: States) -> None:
        """Refuse states [B] from outside that this game's kernels must not see."""
        if wrong := wrong_field(self, states):
            raise BadState(f"a position that {self.spec} cannot have (see {wrong})")

    def new_states(self, seeds: Seeds) -> States:
        """Fresh positions [B], one for each of seeds [B] uint64."""
        states = np.zeros(len(seeds), self.rules.dtype)
        self.kernels.reset(states, self.packed_scenario, seeds)
        return states

    def new_state(self, seed: int) -> Any:
        """One fresh position for the given root seed."""
        return self.new_states(derive_seeds(seed, "setup", count=1))[0]

    def legal(self, states: States) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """(ids [B, W], counts [B]) of the legal actions of each state's deciding seat.

        Behind the last of a row's actions its ids are -1.
        """
        ids = np.full((len(states), self.width), -1, np.int32)
        counts = np.empty(len(states), np.int32)
        self.kernels.legal(states, ids, counts)
        return ids, counts

    def legal_mask(self, states: States) -> npt.NDArray[np.bool_]:
        """[B, A] which actions are legal; none where nobody decides."""
        ids, counts = self.legal(states)
        mask = np.zeros((len(states), self.actions.size), np.bool_)
        rows, places = np.nonzero(np.arange(ids.shape[1])[None, :] < counts[:, None])
        mask[rows, ids[rows, places]] = True
        return mask

    def possible(self, states: States, actions: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """[B] whether each action is legal, or each chance outcome listed, in its own state."""
        seats = states["seat"]
        ids = np.full((len(states), self.width), -1, np.int32)
        counts = np.zeros(len(states), np.int32)
        if len(rows := np.flatnonzero(seats >= 0)):
            ids[rows], counts[rows] = self.legal(states[rows])
        if len(rows := np.flatnonzero(seats == CHANCE)):
            ids[rows], counts[rows] = self._outcomes(states[rows])
        listed = np.arange(self.width)[None, :] < counts[:, None]
        found: npt.NDArray[np.bool_] = ((ids == actions[:, None]) & listed).any(axis=1)
        return found

    def _outcomes(self, states: States) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        ids = np.full((len(states), self.width), -1, np.int32)
        counts = np.zeros(len(states), np.int32)
        self.kernels.chance(states, ids, np.zeros(ids.shape, np.float32), counts)
        return ids, counts

    def legal_actions(self, state: Any) -> list[int]:
        """The legal actions of one state."""
        ids, counts = self.legal(as_batch(state))
        return [int(action) for action in ids[0, : counts[0]]]

    def chance_outcomes(self, state: Any) -> list[tuple[int, float]]:
        """(outcome, probability) pairs of one chance state."""
        ids = np.empty((1, self.width), np.int32)
        probs = np.empty((1, self.width), np.float32)
        counts = np.empty(1, np.int32)
        self.kernels.chance(as_batch(state), ids, probs, counts)
        return [(int(ids[0, k]), float(probs[0, k])) for k in range(counts[0])]

    def after(self, state: Any, action: int) -> Any:
        """A copy of one state with a legal action (or a listed chance outcome) applied."""
        states = as_batch(state)
        if not self.possible(states, np.array([action], np.int64))[0]:
            seat = int(states["seat"][0])
            where = "the game is over" if seat == OVER else f"{self.spec} does not allow it here"
            raise NotAllowed(f"action {action}: {where}; legal_actions(state) lists what is")
        self.kernels.step(states, np.array([action], np.int32))
        return states[0]

    def describe(self, state: Any, action: int, after: Any) -> str:
        """What an event of `state` does, as a sentence with marks (core/sentences.py)."""
        notation = self.rules.notation
        if notation.describe is None:
            return notation.format_action(state, action)
        return notation.describe(state, action, after)

    def draw(self, states: States, seeds: Seeds) -> Actions:
        """[B] int32, a chance outcome for each state that waits for one, -1 for the others."""
        out = np.empty(len(states), np.int32)
        self.kernels.draw(states, seeds, self.width, out)
        return out

    def returns(self, states: States) -> Values:
        """[B, P] results of finished games."""
        out = np.zeros((len(states), self.num_seats), np.float32)
        self.kernels.returns(states, out)
        return out

    def scores(self, states: States) -> Values:
        """[B, P] points in the game's own count."""
        out = np.zeros((len(states), self.num_seats), np.float32)
        self.kernels.score(states, out)
        return out

    def potentials(self, states: States) -> Values:
        """[B, P] shaping potentials; zero for a game that declares none."""
        out = np.zeros((len(states), self.num_seats), np.float32)
        if self.kernels.potential is not None:
            self.kernels.potential(states, np.arange(len(states)), out)
        return out

    def hidden_from(self, states: States, seats: npt.NDArray[np.int8], seeds: Seeds) -> States:
        """Copies [B] in which all that seats [B] cannot see is drawn anew from seeds [B]."""
        if self.kernels.hide is None:
            return states
        copies = states.copy()
        self.kernels.hide(copies, seats, seeds)
        return copies

    def observer(
        self, encoding: str | None = None, options: Mapping[str, int] | None = None
    ) -> Observer:
        """An encoding of this game by name (default: the first) with its options set."""
        by_name = {known.name: known for known in self.rules.encodings}
        chosen = self.rules.encodings[0] if encoding is None else by_name.get(encoding)
        if chosen is None:
            raise UnknownName(f"encoding of {self.name}", str(encoding), by_name)
        for key in options or {}:
            if key not in chosen.options:
                raise UnknownName(f"option of encoding {chosen.name}", key, chosen.options)
        merged = {**chosen.options, **(options or {})}
        return Observer(self, chosen, merged, chosen.spec(self.scenario, merged))


def as_batch(state: Any) -> States:
    """A copy of one state as an array of length one."""
    return np.frombuffer(bytearray(state.tobytes()), state.dtype)


def state_hash(state: Any) -> str:
    """A short hash of a position's bytes; equal positions have equal hashes."""
    return hashlib.blake2b(state.tobytes(), digest_size=8).hexdigest()
