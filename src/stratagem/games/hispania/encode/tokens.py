"""Action tokens of 120 numbers, and the integer decisions they stand for.

    type    [0, 4)     growth, movement, battle, overpopulation
    tile    [4, 59)    growth: place; movement: origin; retreat: refuge, or the site to fight on;
                       overpopulation: place
    units   [59, 65)   growth: slot bought; otherwise pieces by their place in the tile's stack
    target  [65, 120)  movement: destination; battle and retreat: site of the battle

A token with only its type set means "stop moving". A move consists of up to three decisions but one
token, which is complete with the last of them; every other decision is one token.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from stratagem.core.errors import BadRecord
from stratagem.core.specs import ActionField, ActionSpec
from stratagem.games.hispania.actions import (
    ACTIONS,
    BUY,
    FIGHT,
    FROM,
    REMOVE,
    RETREAT,
    STOP,
    TO,
    WITH,
)
from stratagem.games.hispania.board.arrays import LEADER, REGIONS, STACK
from stratagem.games.hispania.rules.reach import first_place
from stratagem.games.hispania.rules.step import step
from stratagem.games.hispania.state import (
    ATTACKER,
    BATTLE,
    DEFENDER,
    DESTINATION,
    GROUP,
    GROWTH,
    ORIGIN,
    OVERPOPULATION,
)

Token = npt.NDArray[np.float32]

TYPES = ("growth", "movement", "battle", "overpopulation")
TILE = len(TYPES)
UNITS = TILE + REGIONS
TARGET = UNITS + STACK
SIZE = TARGET + REGIONS
_GROWTH, _MOVEMENT, _BATTLE, _OVERPOPULATION = range(4)


def action_spec() -> ActionSpec:
    """Return the actions, and for each the entries of a token that it sets.

    A move's three decisions set origin, pieces and destination; a removal names the unit type by
    its slot, because its index in the stack depends on the position.
    """
    fields = (
        ActionField("type", len(TYPES), "choice"),
        ActionField("tile", REGIONS, "nodes"),
        ActionField("units", STACK, "set"),
        ActionField("target", REGIONS, "nodes"),
    )
    return ActionSpec(ACTIONS, fields=fields, tokens=tuple(map(_entries, range(ACTIONS))))


def _entries(action: int) -> tuple[int, ...]:
    """Return the entries of a token that an action sets, whatever the position."""
    slot, region = divmod(action - (BUY if action < FROM else REMOVE), REGIONS)
    if action < FROM:
        return _GROWTH, TILE + region, UNITS + slot
    if action < STOP:
        return _MOVEMENT, TILE + action - FROM
    if action == STOP:
        return (_MOVEMENT,)
    if action < TO:
        pieces = action - WITH
        return _MOVEMENT, *(UNITS + place for place in range(STACK) if pieces >> place & 1)
    if action < FIGHT:
        return _MOVEMENT, TARGET + action - TO
    if action < RETREAT:
        return _BATTLE, TARGET + action - FIGHT
    if action < REMOVE:
        return _BATTLE, TILE + action - RETREAT
    return _OVERPOPULATION, TILE + region, UNITS + slot


def token_of(state: Any, action: int) -> Token | None:
    """Return the token that an action completes, or None in the middle of a move."""
    phase = int(state["phase"])
    if phase == GROWTH:
        slot, region = divmod(action - BUY, REGIONS)
        return _token(_GROWTH, region, 1 << slot, -1)
    if phase == ORIGIN and action == STOP:
        return _token(_MOVEMENT, -1, 0, -1)
    if phase in (ORIGIN, GROUP):
        return None
    if phase == DESTINATION:
        return _token(_MOVEMENT, int(state["origin"]), int(state["group"]), action - TO)
    if phase == BATTLE:
        return _token(_BATTLE, -1, 0, action - FIGHT)
    if phase in (DEFENDER, ATTACKER):
        return _token(_BATTLE, action - RETREAT, 0, int(state["site"]))
    slot, region = divmod(action - REMOVE, REGIONS)
    return _token(_OVERPOPULATION, region, 1 << int(first_place(state, region, slot)), -1)


def tokens_of(states: npt.NDArray[np.void], actions: list[int]) -> list[tuple[int, Token]]:
    """Return (ply that completes it, token) for a game of states [n + 1] and n actions."""
    found = []
    for ply, action in enumerate(actions):
        if states[ply]["seat"] >= 0:
            token = token_of(states[ply], int(action))
            if token is not None:
                found.append((ply, token))
    return found


def decisions_of(state: Any, token: Token) -> list[int]:
    """Return the decisions that a token stands for; an impossible token raises an error."""
    kind, tile, units, target = read_token(token)
    phase = int(state["phase"])
    wanted = {GROWTH: _GROWTH, ORIGIN: _MOVEMENT, OVERPOPULATION: _OVERPOPULATION}.get(
        phase, _BATTLE
    )
    if kind != wanted:
        raise BadRecord(f"token of type {TYPES[kind]}: the position asks for {TYPES[wanted]}")
    if phase == GROWTH:
        return [BUY + _single(units) * REGIONS + tile]
    if phase == ORIGIN:
        return _move(state, tile, units, target)
    if phase == BATTLE:
        return [FIGHT + target]
    if phase in (DEFENDER, ATTACKER):
        return [RETREAT + tile]
    if phase == OVERPOPULATION:
        return [REMOVE + _kind_at(state, tile, _single(units)) * REGIONS + tile]
    raise BadRecord("a move is half chosen here: give its token before its first decision")


def read_token(token: Token) -> tuple[int, int, int, int]:
    """Parse (type, tile or -1, unit mask, target or -1) of a token."""
    if token.shape != (SIZE,):
        raise BadRecord(f"token of shape {token.shape}: it must have {SIZE} numbers")
    kinds = np.flatnonzero(token[:TILE])
    tiles = np.flatnonzero(token[TILE:UNITS])
    targets = np.flatnonzero(token[TARGET:])
    if len(kinds) != 1 or len(tiles) > 1 or len(targets) > 1:
        raise BadRecord("token: set one type, at most one tile and at most one target")
    mask = sum(1 << int(place) for place in np.flatnonzero(token[UNITS:TARGET]))
    tile = int(tiles[0]) if len(tiles) else -1
    return int(kinds[0]), tile, mask, int(targets[0]) if len(targets) else -1


def _token(kind: int, tile: int, units: int, target: int) -> Token:
    token = np.zeros(SIZE, np.float32)
    token[kind] = 1.0
    if tile >= 0:
        token[TILE + tile] = 1.0
    for place in range(STACK):
        token[UNITS + place] = units >> place & 1
    if target >= 0:
        token[TARGET + target] = 1.0
    return token


def _move(state: Any, tile: int, units: int, target: int) -> list[int]:
    if tile < 0:
        return [STOP]
    after = np.empty(1, state.dtype)
    after[0] = state
    step(after[0], FROM + tile)
    if after["phase"][0] == GROUP:
        return [FROM + tile, WITH + units, TO + target]
    if int(after["group"][0]) != units:  # only one group was possible, so it was not a decision
        raise BadRecord(f"token: units {units:06b} cannot move, only {int(after['group'][0]):06b}")
    return [FROM + tile, TO + target]


def _single(units: int) -> int:
    if units.bit_count() != 1:
        raise BadRecord("token: set exactly one entry of the unit field here")
    return units.bit_length() - 1


def _kind_at(state: Any, region: int, place: int) -> int:
    """Return the unit type at an index of a stack."""
    for kind in (2, 1, 0):
        first = int(first_place(state, region, kind))
        if first <= place < first + int(state["units"][region, kind]):
            return kind
    what = "the leader" if place == 0 and first_place(state, region, LEADER) == 0 else "nobody"
    raise BadRecord(f"token: {what} stands at place {place} of region {region}; choose a unit")
