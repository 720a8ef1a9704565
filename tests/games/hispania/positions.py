"""Hand-made Hispania positions, for tests of single rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from stratagem.core.game import Game
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE
from stratagem.games.hispania.board.arrays import ARRIVAL_FROM, ARRIVALS, CODES, NAMES
from stratagem.games.hispania.board.data import SPECIALS, STRUCTURES
from stratagem.games.hispania.rules.turns import advance
from stratagem.games.hispania.state import BATTLE, GROWTH, ORIGIN, OVERPOPULATION

PHASES = {"growth": GROWTH, "movement": ORIGIN, "battle": BATTLE, "overpopulation": OVERPOPULATION}
FOREVER = 21


class Position:
    """A game and one record, with words for what tests ask."""

    def __init__(self, game: Game, states: np.ndarray) -> None:
        self.game, self.states = game, states

    @property
    def s(self) -> Any:
        return self.states[0]

    def options(self) -> set[str]:
        return {
            self.game.rules.notation.format_action(self.s, action)
            for action in self.game.legal_actions(self.s)
        }

    def play(self, *texts: str) -> Position:
        for text in texts:
            action = self.game.rules.notation.parse_action(self.s, text)
            assert action in self.game.legal_actions(self.s), f"{text}: {sorted(self.options())}"
            self.game.kernels.step(self.states, np.array([action], np.int32))
        return self

    def move(self, origin: str, target: str, group: str = "") -> Position:
        self.play(f"from {origin}")
        if group:
            self.play(f"with {group}")
        return self.play(f"to {target}")

    def dice(self, *faces: int) -> Position:
        for face in faces:
            assert self.s["seat"] == CHANCE, "no die falls here"
            self.game.kernels.step(self.states, np.array([face - 1], np.int32))
        return self

    def stack(self, region: str) -> str:
        """Nation and pieces, e.g. `ROM L ELI2 INF1`; empty for nobody."""
        at = NAMES.index(region)
        nation = int(self.s["owner"][at])
        if nation < 0:
            return ""
        parts = [CODES[nation]] + (["L"] if self.s["leader"][at] else [])
        for slot, name in ((2, "SPE"), (1, "CAV"), (0, "INF")):
            if self.s["units"][at, slot]:
                parts.append(f"{name}{int(self.s['units'][at, slot])}")
        return " ".join(parts)

    def structure(self, region: str) -> str:
        return STRUCTURES[int(self.s["structure"][NAMES.index(region)])]

    def vp(self, code: str) -> int:
        return int(self.s["vp"][CODES.index(code)])

    def pool(self, code: str) -> int:
        return int(self.s["pool"][CODES.index(code)])


def leader_row(tables: int, code: str) -> int:
    """1 + the place of an arrival row with a leader of this nation who stays longest."""
    first = int(ARRIVAL_FROM[tables])
    rows = [
        (row.leader_until, k)
        for k, row in enumerate(ARRIVALS[first:])
        if row.leader and CODES[row.nation] == code
    ]
    return max(rows)[1] + 1


def position(
    stacks: dict[str, str],
    nation: str,
    phase: str = "movement",
    *,
    scenario: str = "full55",
    when: int = 3,
    structures: dict[str, str] | None = None,
    pools: dict[str, int] | None = None,
    vassals: dict[str, str] | None = None,
    major: bool = False,
    keep_structures: bool = False,
) -> Position:
    """An otherwise empty map in the middle of a nation's turn.

    On the whole map an Almoravid waits in Africa, so that the round does not end with the turn.
    A stack is a nation code and pieces such as `ROM L ELI2 INF1`; special types may be named.
    """
    game = load_game(f"hispania/{scenario}")
    states = game.new_states(np.array([1], np.uint64))
    s = states[0]
    for name in ("units", "leader", "moved", "pool", "vp", "pending", "waiting", "conquered"):
        s[name] = 0
    for name in ("owner", "builder", "overlord"):
        s[name] = -1
    if not keep_structures:
        s["structure"] = 0
    for name, kind in (structures or {}).items():
        s["structure"][NAMES.index(name)] = STRUCTURES.index(kind)
    waiting = {"Africa": "ALM INF1"} if scenario.endswith("55") else {}
    for name, text in {**waiting, **stacks}.items():
        at = NAMES.index(name)
        code, *pieces = text.split()
        s["owner"][at] = CODES.index(code)
        for piece in pieces:
            if piece == "L":
                s["leader"][at] = leader_row(int(s["tables"]), code)
            else:
                slot = 2 if piece[:3] in (*SPECIALS, "SPE") else ("INF", "CAV").index(piece[:3])
                s["units"][at, slot] = int(piece[3:])
    for code, points in (pools or {}).items():
        s["pool"][CODES.index(code)] = points
    for vassal, overlord in (vassals or {}).items():
        s["overlord"][CODES.index(vassal)] = CODES.index(overlord)
    s["nation"] = CODES.index(nation)
    s["seat"] = s["player"][CODES.index(nation)]
    s["round"], s["phase"] = when, PHASES[phase]
    s["major"] = 1 << CODES.index(nation) if major else 0
    s["halved"] = s["beaten"] = s["second"] = 0
    advance(states[0])
    return Position(game, states)
