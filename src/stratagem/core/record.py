"""Records of games: text that replays to the same position, bit for bit.

One JSON object per line. The first is the header (game, version, set-up seed, agents), then comes
one line per event (a seat's decision or a chance outcome, with readable text and, if present,
analysis), and last the result and the hash of the final position. Unknown keys are kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from stratagem.core.errors import BadRecord
from stratagem.core.files import write_atomically
from stratagem.core.game import Game, States, state_hash
from stratagem.core.reading import MEGABYTE, read_regular
from stratagem.core.registry import GameSpec, load_game
from stratagem.core.seats import CHANCE, OVER

FORMAT = 1
MOST_BYTES = 32 * MEGABYTE  # as text; up to forty times as much in memory
MOST_LINES = 100_000


@dataclass(frozen=True)
class Event:
    """One decision (seat >= 0) or chance outcome (seat == CHANCE)."""

    seat: int
    action: int
    text: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class GameRecord:
    """The record of a whole game: its set-up, its events and its result."""

    game: str
    version: int
    setup_seed: int
    agents: tuple[str, ...]
    events: tuple[Event, ...]
    returns: tuple[float, ...] = ()
    final_hash: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)


def record_game(
    game: Game,
    setup_seed: int,
    actions: list[int],
    agents: tuple[str, ...],
    extra: Mapping[str, Any] | None = None,
) -> GameRecord:
    """Make a record from the set-up seed and the list of actions and chance outcomes."""
    state = game.new_states(np.array([setup_seed], np.uint64))
    events = []
    for action in actions:
        seat = int(state["seat"][0])
        events.append(Event(seat, int(action), game.rules.notation.format_action(state[0], action)))
        game.kernels.step(state, np.array([action], np.int32))
    over = state["seat"][0] == OVER
    returns = tuple(float(value) for value in game.returns(state)[0]) if over else ()
    return GameRecord(
        game.spec, game.version, setup_seed, agents, tuple(events), returns,
        state_hash(state[0]), extra or {},
    )  # fmt: skip


def format_record(record: GameRecord) -> str:
    """Write a record as text."""
    header = {
        "format": FORMAT,
        "game": record.game,
        "version": record.version,
        "setup_seed": record.setup_seed,
        "agents": list(record.agents),
        **record.extra,
    }
    lines = [header]
    lines += [{"ply": ply, **event_line(event)} for ply, event in enumerate(record.events)]
    lines.append({"returns": list(record.returns), "hash": record.final_hash})
    return "".join(json.dumps(line) + "\n" for line in lines)


def parse_record(text: str | bytes, source: str = "record") -> GameRecord:
    """Parse a record; errors name `source` and the line."""
    lines = list(_json_lines(text, source))
    if len(lines) < 2 or "hash" not in lines[-1]:
        raise BadRecord(f"{source}: incomplete, the last line has no hash: record the game again")
    header, *body, footer = lines
    try:
        if header["format"] != FORMAT:
            raise BadRecord(
                f"{source}: record format {header['format']}, but this program reads {FORMAT}"
            )
        known = {"format", "game", "version", "setup_seed", "agents"}
        return GameRecord(
            game=str(header["game"]),
            version=_whole(header["version"]),
            setup_seed=_seed(header["setup_seed"]),
            agents=_agents(header["agents"]),
            events=tuple(map(parse_event, body)),
            returns=tuple(map(float, footer["returns"])),
            final_hash=str(footer["hash"]),
            extra={key: value for key, value in header.items() if key not in known},
        )
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise BadRecord(f"{source}: missing or wrong key {error}") from None


def write_record(record: GameRecord, file: Path | str) -> None:
    """Write a record; the file appears completely or not at all."""
    write_atomically(Path(file), format_record(record))


def read_record(file: Path | str) -> GameRecord:
    """Read a record; a damaged line raises an error with its number."""
    file = Path(file)
    try:
        data = read_regular(file, MOST_BYTES)
    except FileNotFoundError:
        raise BadRecord(f"no such record: {file}") from None
    except OSError as error:
        raise BadRecord(
            f"cannot read {file}: {error.strerror}: give the path of a record"
        ) from None
    return parse_record(data, file.name)


def event_line(event: Event) -> dict[str, Any]:
    """Return the line of a record that says what happened, without its ply."""
    if event.seat == CHANCE:
        return {"chance": event.action, "text": event.text, **event.extra}
    return {"seat": event.seat, "action": event.action, "text": event.text, **event.extra}


def parse_event(line: Mapping[str, Any]) -> Event:
    """Parse the event in a line of a record."""
    known = {"ply", "seat", "action", "chance", "text"}
    extra = {key: value for key, value in line.items() if key not in known}
    if "chance" in line:
        return Event(CHANCE, _whole(line["chance"]), str(line.get("text", "")), extra)
    return Event(_whole(line["seat"]), _whole(line["action"]), str(line.get("text", "")), extra)


def replay(record: GameRecord, game: Game | None = None) -> States:
    """Return every position of a recorded game, [events + 1]; each move is checked to be legal."""
    game = load_game(record.game) if game is None else game
    named, given = (GameSpec.parse(spec).name for spec in (record.game, game.spec))
    if named != given:
        raise BadRecord(f"a record of {named}, but this is {given}: load the game of the record")
    if record.version != game.version:
        raise BadRecord(
            f"recorded with {game.name} version {record.version}, "
            f"but this is version {game.version}: "
            "replay it with the version that recorded it"
        )
    states = np.zeros(len(record.events) + 1, game.rules.dtype)
    states[:1] = game.new_states(np.array([record.setup_seed], np.uint64))
    for ply, event in enumerate(record.events):
        _check_legal(game, states[ply], event, ply)
        states[ply + 1] = states[ply]
        game.kernels.step(states[ply + 1 : ply + 2], np.array([event.action], np.int32))
    found = state_hash(states[-1])
    if found != record.final_hash:
        raise BadRecord(
            f"replay ends at {found}, but the record says {record.final_hash}: "
            "it was edited or damaged"
        )
    over = states["seat"][-1] == OVER
    returns = tuple(map(float, game.returns(states[-1:])[0])) if over else ()
    if record.returns != returns:
        raise BadRecord(
            f"replay ends with returns {list(returns)}, but the record says "
            f"{list(record.returns)}: it was edited or damaged"
        )
    return states


def _check_legal(game: Game, state: Any, event: Event, ply: int) -> None:
    seat = int(state["seat"])
    if seat != event.seat:
        raise BadRecord(f"ply {ply}: recorded for seat {event.seat}, but seat {seat} decides there")
    if seat == CHANCE:
        legal = [outcome for outcome, _ in game.chance_outcomes(state)]
    else:
        legal = game.legal_actions(state)
    if event.action not in legal:
        raise BadRecord(
            f"ply {ply}: action {event.action} ({event.text!r}) is illegal; "
            f"{len(legal)} actions are legal, the first is {legal[0] if legal else 'none'}"
        )


def _whole(value: Any) -> int:
    """Check for a whole number in JSON: 1.5 or "1" would be read as something nobody wrote."""
    if type(value) is not int:
        raise ValueError(f"{str(value)[:40]!r}: must be a whole number")
    return value


def _agents(names: Any) -> tuple[str, ...]:
    if not isinstance(names, list):
        raise ValueError("agents: must be a list of names")
    return tuple(map(str, names))


def _seed(value: Any) -> int:
    if not 0 <= _whole(value) < 2**64:
        raise ValueError(f"setup_seed {value}: a seed has at most 64 bits")
    return int(value)


def _json_lines(text: str | bytes, source: str) -> Iterator[dict[str, Any]]:
    try:
        decoded = text.decode() if isinstance(text, bytes) else text
    except UnicodeDecodeError:
        raise BadRecord(f"{source}: not a text file") from None
    if decoded.count("\n") > MOST_LINES:
        raise BadRecord(f"{source}: more than {MOST_LINES:,} lines, which no game has")
    # Not splitlines(): it also breaks at characters that were not counted above.
    for number, line in enumerate(decoded.removesuffix("\n").split("\n"), start=1):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):  # includes deep nesting and endless numbers
            raise BadRecord(f"{source}, line {number}: not valid JSON") from None
        if not isinstance(value, dict):
            raise BadRecord(f"{source}, line {number}: not a JSON object")
        if "\\u" in line and not _is_text(value):
            raise BadRecord(f"{source}, line {number}: a text with half a character in it")
        yield value


def _is_text(value: Any) -> bool:
    """Whether every text in there can be encoded; JSON can name halves of characters."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except (UnicodeEncodeError, RecursionError):
        return False
    return True
