"""Conformance of what agents see: observations and shaping potentials."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stratagem.core.conformance.failure import NonConformance, require, trying
from stratagem.core.conformance.playing import Played
from stratagem.core.game import Game, Observer, States

_GUARD = 4096  # numbers before and behind an observation that must not change
_UNTOUCHED = np.float32(-7.25e30)
_DIMENSIONS = {"planes": 3, "vector": 1, "actions": 2, "nodes": 2, "edges": 2, "tokens": 2}
_FORMS = {1: "(numbers,)", 2: "(rows, numbers)", 3: "(planes, rows, columns)"}


def check_observations(game: Game, played: Played) -> None:
    """Every encoding is finite, of its declared size, and depends on the state alone."""
    for encoding in game.rules.encodings:
        observer = game.observer(encoding.name)
        shown = np.concatenate([played.decisions, played.endings])
        for seat in range(game.num_seats):
            _check_encoding(observer, shown, seat)
        deciding = observer(played.decisions)
        for seat in range(game.num_seats):
            mine = played.decisions["seat"] == seat
            require(
                bool(
                    np.array_equal(deciding[mine], observe(observer, played.decisions[mine], seat))
                ),
                f"encoding {encoding.name!r}: the observer and seat {seat} disagree",
            )


def check_slices(game: Game) -> None:
    """Slices have distinct names and the shape that their kind requires."""
    for encoding in game.rules.encodings:
        with trying(f"spec of encoding {encoding.name!r}"):
            spec = game.observer(encoding.name).spec
        names = [part.name for part in spec.slices]
        where = f"encoding {encoding.name!r}"
        require(len(names) > 0, f"{where} declares no slice")
        require(len(set(names)) == len(names), f"{where}: two slices share a name: {names}")
        for part in spec.slices:
            require(
                part.kind in _DIMENSIONS, f"{where}: slice {part.name!r} has kind {part.kind!r}"
            )
            form = _FORMS[_DIMENSIONS[part.kind]]
            require(
                len(part.shape) == _DIMENSIONS[part.kind] and min(part.shape) > 0,
                f"{where}: slice {part.name!r} of kind {part.kind} has shape {part.shape}: "
                f"write {form}",
            )


def observe(observer: Observer, states: States, seat: int) -> npt.NDArray[np.float32]:
    """What one seat sees in each state, whoever decides there, [B, D] float32."""
    out = np.zeros((len(states), observer.spec.size), np.float32)
    seats = np.full(len(states), seat, np.int8)
    observer.observe_into(states, np.arange(len(states)), seats, out)
    return out


def _check_encoding(observer: Observer, states: States, seat: int) -> None:
    name = f"encoding {observer.encoding.name!r} of seat {seat}"
    before = states.tobytes()
    alone = [_observe_guarded(observer, states, row, seat, name) for row in range(len(states))]
    with trying(name):
        batch = observe(observer, states, seat)
    require(states.tobytes() == before, f"{name} changed the state")
    require(bool(np.all(np.isfinite(batch))), f"{name} holds a value that is not finite")
    require(
        bool(np.array_equal(batch, observe(observer, states.copy(), seat))),
        f"{name} differs for equal states",
    )
    if observer.encoding.clears:
        _check_clearing(observer, states, seat, batch)
    for row, seen in enumerate(alone):
        require(
            bool(np.array_equal(seen, batch[row])), f"{name} depends on the batch the state is in"
        )


def _observe_guarded(
    observer: Observer, states: States, row: int, seat: int, name: str
) -> npt.NDArray[np.float32]:
    """Observe one state with guard zones on both sides, before observing any without them."""
    size = observer.spec.size
    room = np.full(size + 2 * _GUARD, _UNTOUCHED, np.float32)
    out = room[_GUARD : _GUARD + size].reshape(1, size)
    out[:] = 0
    with trying(name):
        observer.observe_into(states, np.array([row]), np.full(1, seat, np.int8), out)
    around = np.concatenate([room[:_GUARD], room[_GUARD + size :]])
    if not (around == _UNTOUCHED).all():
        places = np.flatnonzero(around != _UNTOUCHED)
        last = int(places[-1]) - _GUARD + size if places[-1] >= _GUARD else int(places[0]) - _GUARD
        slices = ", ".join(f"{part.name} {part.shape}" for part in observer.spec.slices)
        raise NonConformance(
            f"{name} writes to index {last}, beyond its declared size {size} ({slices}): "
            "enlarge a slice in `spec`, or write less in `observe`"
        )
    seen: npt.NDArray[np.float32] = out[0]
    return seen


def _check_clearing(
    observer: Observer, states: States, seat: int, expected: npt.NDArray[np.float32]
) -> None:
    """An encoding declared with `clears` leaves nothing of what was there before."""
    littered = np.full((len(states), observer.spec.size), np.nan, np.float32)
    seats = np.full(len(states), seat, np.int8)
    observer.observe_into(states, np.arange(len(states)), seats, littered)
    require(
        bool(np.array_equal(littered, expected)),
        f"encoding {observer.encoding.name!r} declares `clears`, but leaves numbers unwritten",
    )


def check_potential(game: Game, played: Played) -> None:
    """Shaping potentials are finite and do not change the state."""
    states = played.everything
    before = states.tobytes()
    with trying("potential"):
        potentials = game.potentials(states)
    require(bool(np.all(np.isfinite(potentials))), "potential returned a value that is not finite")
    require(states.tobytes() == before, "potential changed the state")
    require(
        bool(np.array_equal(potentials, game.potentials(states))),
        "potential returned two values for one state",
    )
