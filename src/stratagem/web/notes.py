"""Findings about a session, stored beside its journal: analyses and the luck of rolls.

Every finding names the hash of its position. After a move is taken back, findings about positions
that no longer exist are simply not found.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from stratagem.core.game import state_hash
from stratagem.core.journal import append_lines
from stratagem.core.reading import MEGABYTE, read_regular
from stratagem.core.session import GameSession
from stratagem.web.schema import Analysis

_MOST_BYTES = 64 * MEGABYTE
_KEPT_MOVES = 12  # candidates stored in addition to the one that was played


class Notes:
    """Findings about one session; `file`, if there is one, grows with them."""

    def __init__(self, session: GameSession, file: Path | None = None) -> None:
        self._session = session
        self._file = file
        self._analyses: dict[tuple[int, str], list[Analysis]] = {}  # by ply and hash
        self._luck: dict[tuple[int, str], list[float]] = {}
        if file is not None and file.is_file():
            self._read(file)

    def add(self, found: Analysis) -> None:
        """Store an analysis in place of an earlier one by the same agent."""
        kept = found.model_copy(update={"moveInfos": _worth_keeping(found)})
        self._put(kept)
        self._write([{"analysis": kept.model_dump(mode="json")}])

    def add_luck(self, plies: Iterable[int], luck: Iterable[list[float]]) -> None:
        lines = []
        for ply, values in zip(plies, luck, strict=True):
            position = self._hash(ply)
            self._luck[ply, position] = values
            lines.append({"luck": values, "ply": ply, "position": position})
        self._write(lines)

    def find(self, ply: int, agent: str | None = None) -> Analysis | None:
        """Return the analysis of a position by this agent; by default, the one with most visits."""
        found = self._analyses.get((ply, self._hash(ply)), [])
        if agent is not None:
            found = [one for one in found if one.agent == agent]
        return max(found, key=lambda one: one.rootInfo.visits, default=None)

    def luck(self, ply: int) -> list[float] | None:
        return self._luck.get((ply, self._hash(ply)))

    def all(self) -> list[Analysis]:
        """Return every analysis of a position that still exists, by ply."""
        return [
            analysis
            for (ply, position), found in sorted(self._analyses.items())
            if ply <= self._session.plies and position == self._hash(ply) and self.may_show(ply)
            for analysis in found
        ]

    def may_show(self, ply: int) -> bool:
        """Whether the findings there reveal nothing to the current viewer."""
        viewer = self._session.viewer
        return viewer is None or int(self._session.states[ply]["seat"]) == viewer

    def for_record(self) -> dict[int, Mapping[str, Any]]:
        """Return what goes into a record: the best analysis of each position."""
        lines: dict[int, dict[str, Any]] = {}
        for ply in range(self._session.plies):
            found, luck = self.find(ply), self.luck(ply)
            if found is not None:
                shown = found.model_dump(mode="json", exclude={"id", "position"})
                lines.setdefault(ply, {})["an"] = shown
            if luck is not None:
                lines.setdefault(ply, {})["luck"] = luck
        return dict(lines)

    def take_from_record(self) -> None:
        """Adopt the analyses in an uploaded record; invalid ones are ignored."""
        seats = self._session.game.num_seats
        for ply, event in enumerate(self._session.events):
            luck = _luck_of(event.extra.get("luck"), seats)
            if luck is not None:
                self._luck[ply, self._hash(ply)] = luck
            try:
                found = Analysis.model_validate({"id": f"record-{ply}", **event.extra["an"]})
            except (KeyError, TypeError, ValidationError):
                continue
            if found.turnNumber == ply and len(found.rootInfo.values) == seats:
                self._put(found.model_copy(update={"position": self._hash(ply)}))

    def _hash(self, ply: int) -> str:
        return state_hash(self._session.states[ply])

    def _put(self, found: Analysis) -> None:
        group = self._analyses.setdefault((found.turnNumber, found.position), [])
        group[:] = [one for one in group if one.agent != found.agent] + [found]

    def _read(self, file: Path) -> None:
        try:
            data = read_regular(file, _MOST_BYTES)
        except OSError:
            return  # everything in it can be computed again
        for text in data.decode(errors="replace").split("\n"):
            try:
                line = json.loads(text)
                if "analysis" in line:
                    self._put(Analysis.model_validate(line["analysis"]))
                elif luck := _luck_of(line["luck"], self._session.game.num_seats):
                    self._luck[int(line["ply"]), str(line["position"])] = luck
            except (ValueError, LookupError, TypeError, OverflowError, RecursionError):
                continue  # cut off by a kill: it can be computed again

    def _write(self, lines: list[dict[str, Any]]) -> None:
        if self._file is not None:
            append_lines(self._file, lines)


def _luck_of(found: Any, seats: int) -> list[float] | None:
    """Parse a number per seat as `for_record` wrote them; None for anything else."""
    if not isinstance(found, list) or len(found) != seats:
        return None
    if not all(isinstance(value, int | float) and abs(value) <= 2 for value in found):
        return None
    return [float(value) for value in found]


def _worth_keeping(found: Analysis) -> list[Any]:
    return [move for move in found.moveInfos if move.order < _KEPT_MOVES or move.played]
