"""Replay: positions stored as states with their search results, not as tensors.

An entry consists of the state's bytes, the visited actions with their shares of the visits, the
result for each seat, and the search's own value: a few hundred bytes. Tensors are built when a
batch is drawn, each time with a new random symmetry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError
from safetensors.numpy import load_file, save

from stratagem.core.errors import BadCheckpoint, BadState
from stratagem.core.files import write_atomically
from stratagem.core.game import Game, Observer, States

_SHARE_ONE = 65535  # visit shares are stored as 16-bit fractions


@dataclass(frozen=True)
class Samples:
    """Consecutive positions, with visit shares as one ragged array. K visited actions in all."""

    states: States  # [n]
    offsets: npt.NDArray[np.int64]  # [n + 1] into actions and shares
    actions: npt.NDArray[np.uint16]  # [K]
    shares: npt.NDArray[np.uint16]  # [K]
    values: npt.NDArray[np.float32]  # [n, P] results per seat, shaped if shaping is on
    search_values: npt.NDArray[np.float32]  # [n] root value of the observing seat
    policy_weights: npt.NDArray[np.float32]  # [n] 0: search too short to learn the policy from
    scores: npt.NDArray[np.float32]  # [n, P] each seat's final points
    scenario_indices: npt.NDArray[np.uint8]  # [n] which of the run's games
    observer_seats: npt.NDArray[np.int8]  # [n] who observes the position, usually the deciding seat

    def __len__(self) -> int:
        return len(self.states)

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for array in vars(self).values())


def quantise(policy: npt.NDArray[np.float32]) -> npt.NDArray[np.uint16]:
    """Store the shares of a policy as 16-bit fractions."""
    return np.round(policy * _SHARE_ONE).astype(np.uint16)


def join(parts: Sequence[Samples]) -> Samples:
    """Join several sets of samples."""
    shifts = np.cumsum([0, *(len(part.actions) for part in parts)])
    offsets = [part.offsets[:-1] + shift for part, shift in zip(parts, shifts, strict=False)]
    return Samples(
        states=np.concatenate([part.states for part in parts]),
        offsets=np.concatenate([*offsets, shifts[-1:]]).astype(np.int64),
        actions=np.concatenate([part.actions for part in parts]),
        shares=np.concatenate([part.shares for part in parts]),
        values=np.concatenate([part.values for part in parts]),
        search_values=np.concatenate([part.search_values for part in parts]),
        policy_weights=np.concatenate([part.policy_weights for part in parts]),
        scores=np.concatenate([part.scores for part in parts]),
        scenario_indices=np.concatenate([part.scenario_indices for part in parts]),
        observer_seats=np.concatenate([part.observer_seats for part in parts]),
    )


def save_samples(samples: Samples, file: Path) -> None:
    """Write samples to a file, completely or not at all."""
    raw = samples.states.view(np.uint8).reshape(-1, samples.states.dtype.itemsize)
    arrays = {**vars(samples), "states": raw}
    write_atomically(file, save({name: np.ascontiguousarray(a) for name, a in arrays.items()}))


def load_samples(file: Path, games: Sequence[Game]) -> Samples:
    """Load samples; a damaged file raises an error that names it."""
    game = games[0]
    try:
        arrays = load_file(file)
        raw = arrays.pop("states")
        if raw.shape[1:] != (game.rules.dtype.itemsize,):
            raise BadCheckpoint(
                f"{file}: positions of another game or version of {game.name}: start a new run"
            )
        states = raw.reshape(-1).view(game.rules.dtype)
        samples = Samples(states=states, **arrays)
        _check(samples, games)
        return samples
    except (SafetensorError, OSError, KeyError, TypeError, ValueError, BadState) as error:
        reason = str(error).splitlines()[0]
        raise BadCheckpoint(
            f"{file}: damaged or missing replay segment ({reason}): delete the run's later files "
            "or start a new run"
        ) from None


def _check(samples: Samples, games: Sequence[Game]) -> None:
    """Refuse arrays that are inconsistent, or not of these games."""
    count, visited = len(samples), len(samples.actions)
    for name, kind in _KINDS.items():
        if getattr(samples, name).dtype != kind:
            raise ValueError(f"{name} does not have type {np.dtype(kind).name}")
    fits = (
        samples.offsets.shape == (count + 1,)
        and samples.shares.shape == (visited,)
        and samples.values.shape == samples.scores.shape == (count, games[0].num_seats)
        and samples.search_values.shape == samples.policy_weights.shape == (count,)
        and samples.scenario_indices.shape == samples.observer_seats.shape == (count,)
        and (samples.scenario_indices < len(games)).all()
        and samples.offsets[0] == 0
        and samples.offsets[-1] == visited
        and (np.diff(samples.offsets) >= 0).all()
        and (samples.observer_seats >= 0).all()
        and (samples.observer_seats < games[0].num_seats).all()
    )
    if not fits:
        raise ValueError("its parts are inconsistent")
    for name in ("values", "search_values", "policy_weights", "scores"):
        if not np.isfinite(getattr(samples, name)).all():
            raise ValueError(f"{name} are not finite")
    owners = np.repeat(samples.scenario_indices, np.diff(samples.offsets))
    for index, game in enumerate(games):
        if (samples.actions[owners == index] >= game.actions.size).any():
            raise ValueError(f"an action that does not exist in {game.spec}")
        game.check_states(samples.states[samples.scenario_indices == index])


_KINDS: Mapping[str, Any] = {
    "offsets": np.int64, "actions": np.uint16, "shares": np.uint16, "values": np.float32,
    "search_values": np.float32, "policy_weights": np.float32, "scores": np.float32,
    "scenario_indices": np.uint8, "observer_seats": np.int8,
}  # fmt: skip


@dataclass(frozen=True)
class Batch:
    """Arrays for one training step, all from one of the run's games."""

    observations: npt.NDArray[np.float32]  # [B, D]
    policies: npt.NDArray[np.float32]  # [B, A]
    legal: npt.NDArray[np.bool_]  # [B, A]
    values: npt.NDArray[np.float32]  # [B, V]
    policy_weights: npt.NDArray[np.float32]  # [B]
    scores: npt.NDArray[np.float32]  # [B, P] final points, starting with the observing seat
    scenario_index: int  # which of the run's games

    def split(self, parts: int) -> list[Batch]:
        """Divide the samples into `parts` nearly equal batches."""
        columns = {name: value for name, value in vars(self).items() if name != "scenario_index"}
        cut = zip(*(np.array_split(column, parts) for column in columns.values()), strict=True)
        return [replace(self, **dict(zip(columns, part, strict=True))) for part in cut]


class Replay:
    """A window of the newest segments, one per iteration, of one or several games.

    Several games are scenarios of the same rules: their states have the same type, but their
    observations may differ in size. So each batch is drawn from one game, chosen in proportion to
    its number of positions.
    """

    def __init__(self, games: Sequence[Game]) -> None:
        self._games = games
        self._segments: dict[int, Samples] = {}
        self._all: Samples | None = None
        self._of_scenario: list[npt.NDArray[np.int64]] = []

    def __len__(self) -> int:
        return sum(map(len, self._segments.values()))

    @property
    def nbytes(self) -> int:
        return sum(segment.nbytes for segment in self._segments.values())

    @property
    def newest(self) -> int:
        """The number of positions in the newest segment."""
        return len(self._segments[max(self._segments)]) if self._segments else 0

    @property
    def oldest(self) -> int:
        """The iteration of the oldest segment in the window."""
        return min(self._segments, default=0)

    def add(self, iteration: int, samples: Samples) -> None:
        """Append a segment."""
        self._segments[iteration] = samples
        self._all = None

    def forget(self, window: int) -> None:
        """Drop old segments that are not needed for a window of this many positions."""
        while len(self._segments) > 1 and len(self) - len(self._segments[self.oldest]) >= window:
            del self._segments[self.oldest]
        self._all = None

    def draw(
        self,
        count: int,
        generator: np.random.Generator,
        observers: Sequence[Observer],
        num_values: int,
        search_value_share: float,
        symmetries: bool,
    ) -> Batch:
        """Draw a random batch, ready for the network. `observers` are in the order of the games."""
        samples = self._joined()
        index = int(samples.scenario_indices[generator.integers(0, len(samples))])
        game, observer, own = self._games[index], observers[index], self._of_scenario[index]
        picked = own[generator.integers(0, len(own), count)]
        starts, ends = samples.offsets[picked], samples.offsets[picked + 1]
        owners = np.repeat(np.arange(count), ends - starts)
        flat = np.arange(len(owners)) - np.repeat(
            np.cumsum(ends - starts) - (ends - starts), ends - starts
        )
        flat += np.repeat(starts, ends - starts)
        states = samples.states[picked]
        actions = samples.actions[flat].astype(np.int32)
        if symmetries and game.num_symmetries > 1:
            states, actions = _mirror(game, states, owners, actions, generator)
        policies = np.zeros((count, game.actions.size), np.float32)
        policies[owners, actions] = samples.shares[flat]
        policies /= np.maximum(policies.sum(axis=1, keepdims=True), 1)
        ids, counts = game.legal(states)
        legal = np.zeros((count, game.actions.size), bool)
        known = np.arange(ids.shape[1])[None, :] < counts[:, None]
        legal[np.nonzero(known)[0], ids[known]] = True
        observer_seats = samples.observer_seats[picked]
        observations = np.zeros((count, observer.spec.size), np.float32)
        observer.observe_into(states, np.arange(count), observer_seats, observations)
        seats = observer_seats.astype(np.int64)
        return Batch(
            observations,
            policies,
            legal,
            _value_targets(samples, picked, seats, num_values, search_value_share),
            samples.policy_weights[picked],
            _observer_first(samples.scores[picked], seats, game.num_seats),
            index,
        )

    def _joined(self) -> Samples:
        if self._all is None:
            self._all = join([self._segments[key] for key in sorted(self._segments)])
            indices = self._all.scenario_indices
            self._of_scenario = [
                np.flatnonzero(indices == index) for index in range(len(self._games))
            ]
        return self._all


def _mirror(
    game: Game,
    states: States,
    owners: npt.NDArray[np.int64],
    actions: npt.NDArray[np.int32],
    generator: np.random.Generator,
) -> tuple[States, npt.NDArray[np.int32]]:
    assert game.kernels.symmetry is not None and game.kernels.symmetry_action is not None
    indices = generator.integers(0, game.num_symmetries, len(states))
    mirrored = states.copy()
    game.kernels.symmetry(states, indices, mirrored)
    turned = np.empty_like(actions)
    game.kernels.symmetry_action(states, owners, indices, actions, turned)
    return mirrored, turned


def _value_targets(
    samples: Samples,
    picked: npt.NDArray[np.int64],
    seats: npt.NDArray[np.int64],
    num_values: int,
    search_value_share: float,
) -> npt.NDArray[np.float32]:
    """[B, V] relative to the observing seat, whose own entry is mixed with the search's value."""
    targets = _observer_first(samples.values[picked], seats, num_values)
    targets[:, 0] *= 1 - search_value_share
    targets[:, 0] += search_value_share * samples.search_values[picked]
    return np.clip(targets, -1, 1)


def _observer_first(
    by_seat: npt.NDArray[np.float32], seats: npt.NDArray[np.int64], count: int
) -> npt.NDArray[np.float32]:
    """[B, count]: entry k is that of seat (observer_seat + k) % P."""
    turned = (seats[:, None] + np.arange(count)) % by_seat.shape[1]
    return np.take_along_axis(by_seat, turned, axis=1)
