"""`Game`, the rules bound to one scenario: what everyone outside a game's own folder works with.

Its sizes are known and its kernels are batched. `Rules`, what a game declares, is in
core/rules.py; its names can be imported from here too, as every game does.
"""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from stratagem.core.batch import Kernels
from stratagem.core.errors import BadSetting, BadState, NotAllowed, UnknownName
from stratagem.core.limits import Limits, wrong_field
from stratagem.core.rules import Encoding, Notation, Rules, States
from stratagem.core.scenario import Scenario
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import Seeds, derive_seeds
from stratagem.core.specs import ActionSpec, ObservationSpec

__all__ = [
    "Actions", "Encoding", "Game", "Notation", "Observer", "Rules", "States", "Values", "as_batch",
    "state_hash",
]  # fmt: skip

Actions = npt.NDArray[np.int32]  # [B]
Values = npt.NDArray[np.float32]  # [B, P]


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
        """Return what the deciding seat of each state sees, [B, D] float32."""
        self.game.check_array(states)
        picked = np.arange(len(states)) if rows is None else np.asarray(rows)
        if picked.dtype.kind not in "iu" or picked.ndim != 1:
            raise BadState("rows: pass an array of whole numbers, such as np.arange(8)")
        if len(picked) and not 0 <= picked.min() <= picked.max() < len(states):
            raise BadState(f"rows: with {len(states)} positions, rows are 0 to {len(states) - 1}")
        seats = states["seat"][picked]
        if (seats < 0).any():
            raise BadState("no seat decides in one of these positions: nobody to show it to")
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
        """Fill `out` [B, D] with what `seats` see; zero it first, unless the encoding clears it.

        Shapes are checked; the caller must pass existing rows and seats.
        """
        shape = (len(rows), self.spec.size)
        if out.shape != shape or out.dtype != np.float32 or len(seats) != shape[0]:
            raise BadState(f"out and seats: {shape[0]} rows need float32 {list(shape)}, and seats")
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
        """The game's display name, with the scenario's title if it has one."""
        about, scenario = self.rules.about, self.scenario
        own = scenario.title not in ("", about.title)
        return f"{about.title}: {scenario.title}" if own else about.title

    @property
    def version(self) -> int:
        """Raised whenever play could differ; records and checkpoints with another are refused."""
        return self.rules.about.version

    @property
    def kernels(self) -> Kernels:
        """The compiled functions over states [B], which the methods here call."""
        return self.rules.kernels

    @property
    def has_hidden(self) -> bool:
        """Whether some seats can know things that others do not."""
        return self.kernels.hide is not None

    @cached_property
    def num_seats(self) -> int:
        """P, the number of seats."""
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
        """The length that a list of legal actions or chance outcomes may need."""
        return max(self.max_legal, self.rules.max_chance(self.scenario), 1)

    @cached_property
    def num_symmetries(self) -> int:
        """The number of symmetries, including the identity; 1 means none."""
        return self.rules.symmetries(self.scenario)

    @cached_property
    def packed_scenario(self) -> npt.NDArray[np.void]:
        """The scenario's numbers as `reset` reads them: an array [1] of a dtype of its own."""
        return self.scenario.pack()

    @cached_property
    def limits(self) -> Limits:
        """The allowed values of a position's fields."""
        return self.rules.limits(self.scenario)

    def check_states(self, states: States) -> None:
        """Refuse states [B] from outside that would not be safe for this game's kernels."""
        if wrong := wrong_field(self, states):
            raise BadState(f"a position that cannot occur in {self.spec} (see {wrong})")

    def check_array(self, states: States, *others: npt.NDArray[Any]) -> None:
        """Refuse anything but an array [B] of positions; `others` must have the same length.

        Compiled code trusts its arguments: it would read past the end of a short array.
        """
        given = isinstance(states, np.ndarray) and states.ndim == 1
        if not given or states.dtype != self.rules.dtype:
            raise BadState(f"pass an array of positions of {self.name}, such as new_states returns")
        for other in others:
            if not isinstance(other, np.ndarray) or other.shape != states.shape:
                raise BadState(
                    f"{len(states)} positions need another array of {len(states)} numbers"
                )

    def new_states(self, seeds: Seeds) -> States:
        """Return starting positions [B], one for each of seeds [B] uint64."""
        roots = np.asarray(seeds)
        if roots.ndim != 1 or roots.dtype.kind not in "ui" or (roots < 0).any():
            raise BadSetting(
                "seeds: pass an array of whole numbers from 0 up: np.arange(8, dtype=np.uint64)"
            )
        states = np.zeros(len(roots), self.rules.dtype)
        self.kernels.reset(states, self.packed_scenario, roots.astype(np.uint64, copy=False))
        return states

    def new_state(self, seed: int) -> Any:
        """Return one starting position for this seed."""
        return self.new_states(derive_seeds(seed, "setup", count=1))[0]

    def legal(self, states: States) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """Return (ids [B, W], counts [B]) of the legal actions of each state's deciding seat.

        Each row is padded with -1.
        """
        self.check_array(states)
        ids = np.full((len(states), self.width), -1, np.int32)
        counts = np.empty(len(states), np.int32)
        self.kernels.legal(states, ids, counts)
        return ids, counts

    def legal_mask(self, states: States) -> npt.NDArray[np.bool_]:
        """Return which actions are legal, [B, A] bool; none where no seat decides."""
        ids, counts = self.legal(states)
        mask = np.zeros((len(states), self.actions.size), np.bool_)
        rows, places = np.nonzero(np.arange(ids.shape[1])[None, :] < counts[:, None])
        mask[rows, ids[rows, places]] = True
        return mask

    def possible(self, states: States, actions: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Return [B] whether each action is legal, or each outcome possible, in its own state."""
        self.check_array(states, actions)
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
        """Return the legal actions of one state."""
        ids, counts = self.legal(as_batch(state))
        return [int(action) for action in ids[0, : counts[0]]]

    def chance_outcomes(self, state: Any) -> list[tuple[int, float]]:
        """Return the (outcome, probability) pairs of one chance state."""
        states = as_batch(state)
        self.check_array(states)
        if states["seat"][0] != CHANCE:
            return []
        ids = np.empty((1, self.width), np.int32)
        probs = np.empty((1, self.width), np.float32)
        counts = np.empty(1, np.int32)
        self.kernels.chance(states, ids, probs, counts)
        return [(int(ids[0, k]), float(probs[0, k])) for k in range(counts[0])]

    def after(self, state: Any, action: int) -> Any:
        """Return a copy of one state with a legal action (or a listed chance outcome) applied."""
        states = as_batch(state)
        try:
            wanted = np.array([operator.index(action)], np.int64)
        except (TypeError, OverflowError):
            raise NotAllowed(f"action {action!r}: pass the number of an action") from None
        if not self.possible(states, wanted)[0]:
            seat = int(states["seat"][0])
            where = "the game is over" if seat == OVER else f"{self.spec} does not allow it here"
            raise NotAllowed(f"action {action}: {where}; legal_actions(state) lists what is")
        self.kernels.step(states, np.array([action], np.int32))
        return states[0]

    def describe(self, state: Any, action: int, after: Any) -> str:
        """Describe an event in `state` as a sentence with marks (core/sentences.py)."""
        notation = self.rules.notation
        if notation.describe is None:
            return notation.format_action(state, action)
        return notation.describe(state, action, after)

    def draw(self, states: States, seeds: Seeds) -> Actions:
        """Draw an outcome [B] int32 for each state in which chance decides, -1 for the others."""
        self.check_array(states, seeds)
        out = np.empty(len(states), np.int32)
        self.kernels.draw(states, seeds, self.width, out)
        return out

    def returns(self, states: States) -> Values:
        """Return the results of finished games, [B, P] float32 in [-1, 1]."""
        self.check_array(states)
        out = np.zeros((len(states), self.num_seats), np.float32)
        self.kernels.returns(states, out)
        return out

    def scores(self, states: States) -> Values:
        """Return the game's own points, [B, P] float32."""
        self.check_array(states)
        out = np.zeros((len(states), self.num_seats), np.float32)
        self.kernels.score(states, out)
        return out

    def potentials(self, states: States) -> Values:
        """Return shaping potentials, [B, P] float32; zero if the game declares none."""
        self.check_array(states)
        out = np.zeros((len(states), self.num_seats), np.float32)
        if self.kernels.potential is not None:
            self.kernels.potential(states, np.arange(len(states)), out)
        return out

    def hidden_from(self, states: States, seats: npt.NDArray[np.int8], seeds: Seeds) -> States:
        """Return copies [B] in which all that seats [B] cannot see is redrawn from seeds [B]."""
        self.check_array(states, seats, seeds)
        if ((seats < 0) | (seats >= self.num_seats)).any():
            raise BadState(f"seats: {self.spec} has seats 0 to {self.num_seats - 1}")
        if self.kernels.hide is None:
            return states
        copies = states.copy()
        self.kernels.hide(copies, seats, seeds)
        return copies

    def observer(
        self, encoding: str | None = None, options: Mapping[str, int] | None = None
    ) -> Observer:
        """Return an encoding of this game by name (default: the first) with its options set."""
        by_name = {known.name: known for known in self.rules.encodings}
        chosen = self.rules.encodings[0] if encoding is None else by_name.get(encoding)
        if chosen is None:
            raise UnknownName("encoding", str(encoding), by_name, self.name)
        for key in options or {}:
            if key not in chosen.options:
                raise UnknownName("option", key, chosen.options, f"encoding {chosen.name!r}")
        merged = {**chosen.options, **(options or {})}
        return Observer(self, chosen, merged, chosen.spec(self.scenario, merged))


def require_game(game: object) -> None:
    """Refuse anything that is not a game, such as the name of one."""
    if not isinstance(game, Game):
        raise BadSetting(f"{game!r} is not a game: load one with load_game('connect_four')")


def as_batch(state: Any) -> States:
    """Return a copy of one state as an array of length one."""
    if not isinstance(state, np.void | np.ndarray):
        raise BadState("pass one position, such as game.new_state(seed) or states[0]")
    return np.frombuffer(bytearray(state.tobytes()), state.dtype)


def state_hash(state: Any) -> str:
    """Return a short hash of a position's bytes; equal positions have equal hashes."""
    return hashlib.blake2b(state.tobytes(), digest_size=8).hexdigest()
