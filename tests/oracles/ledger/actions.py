"""Ledger commands as action numbers of the position they are given in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stratagem.games.terra_mystica import actions as action_ids
from stratagem.games.terra_mystica.board.factions import (
    AUREN,
    CHAOS,
    ENGINEERS,
    GIANTS,
    HOME,
    NOMADS,
    SPADES,
    SWARMLINGS,
    WITCHES,
)
from stratagem.games.terra_mystica.board.hexes import (
    BRIDGE,
    BRIDGES,
    COLOURS,
    LAND_CELL,
    LAND_NAMES,
    LAND_RIVERS,
    RIVER_CELL,
    RIVER_NAMES,
)

from .text import BadLedger, Command, cult_of

_UPGRADES = {"tp": action_ids.UP_POST, "sh": action_ids.UP_STRONGHOLD, "te": action_ids.UP_TEMPLE,
             "sa": action_ids.UP_SANCTUARY}  # fmt: skip
_FACTION_ACTIONS = {
    "acta": AUREN, "actc": CHAOS, "acte": ENGINEERS, "actg": GIANTS, "actn": NOMADS,
    "acts": SWARMLINGS, "actw": WITCHES,
}  # fmt: skip
# (from, to): units of each, and the conversion
_RATES = {
    ("pw", "c"): (1, 1, action_ids.PW_TO_C),
    ("pw", "w"): (3, 1, action_ids.PW_TO_W),
    ("pw", "p"): (5, 1, action_ids.PW_TO_P),
    ("p", "w"): (1, 1, action_ids.P_TO_W),
    ("p", "c"): (1, 1, action_ids.P_TO_C),
    ("w", "c"): (1, 1, action_ids.W_TO_C),
    ("vp", "c"): (1, 1, action_ids.VP_TO_C),
    ("c", "vp"): (2, 1, action_ids.C_TO_VP),
}


SANDSTORM = 99  # "free spades" of a step that needs none


def land_of(name: str) -> int:
    return LAND_NAMES.index(name.upper())


def cell_action(land: int, number: int) -> int:
    return int(LAND_CELL[land]) * action_ids.PER_CELL + number


def wrong(command: Command, reason: str) -> BadLedger:
    return BadLedger(command.line, command.text, reason)


def of_main(s: Any, seat: int, command: Command) -> int:
    """An action of a turn that is one command."""
    words = command.words
    if command.verb == "upgrade":
        return cell_action(land_of(words[0]), action_ids.UPGRADE + _UPGRADES[words[1]])
    if command.verb == "send":
        return _of_send(s, command)
    if command.verb == "advance":
        return action_ids.SHIP if words[0] == "ship" else action_ids.DIG
    if command.verb == "action":
        return _of_action(s, seat, command)
    if command.verb == "pass":
        return of_choice(s, command)
    if command.verb == "connect":
        return _of_connect(s, seat, command)
    raise wrong(command, "this does not begin an action")


def _of_send(s: Any, command: Command) -> int:
    cult = cult_of(command.words[0])
    if command.words[1]:
        place = 3 - int(command.words[1])
    else:  # the best spot that is free
        spots = s["spot"][cult]
        place = 0 if spots[0] < 0 else 1 if min(spots[1:]) < 0 else 2
    return action_ids.PRIEST + 3 * cult + place


def _of_action(s: Any, seat: int, command: Command) -> int:
    name = command.words[0]
    if name[3:].isdigit() and name.startswith("act"):
        return action_ids.POWER_ACTION + int(name[3:]) - 1
    if name.startswith("bon"):
        if s["bonus"][seat] != int(name[3:]) - 1:
            raise wrong(command, "they do not hold that bonus card")
        return action_ids.BONUS_ACTION
    if name == "fav6":
        return action_ids.FAVOUR_ACTION
    if s["faction"][seat] != _FACTION_ACTIONS[name]:
        raise wrong(command, "that is the action of another faction")
    return action_ids.FACTION_ACTION


def _of_connect(s: Any, seat: int, command: Command) -> int:
    if command.words[0]:
        rivers = [RIVER_NAMES.index(command.words[0])]
    else:
        one, other = (set(LAND_RIVERS[land_of(word)]) - {-1} for word in command.words[1:])
        rivers = sorted(int(river) for river in one & other)
    if not rivers:
        raise wrong(command, "no river hex lies between them")
    chosen = next((river for river in rivers if _joins(s, seat, river)), rivers[0])
    return int(RIVER_CELL[chosen]) * action_ids.PER_CELL


def _joins(s: Any, seat: int, river: int) -> bool:
    from stratagem.games.terra_mystica.rules.towns import can_connect

    return bool(can_connect(s, seat, river))


def of_change(command: Command) -> list[int]:
    """The single conversions that a `burn` or `convert` asks for."""
    if command.verb == "burn":
        return [action_ids.CONVERT + action_ids.BURN] * max(1, int(command.words[0]))
    give, what, get, into = command.words
    if (what, into) not in _RATES:
        raise wrong(command, f"{what} cannot be converted to {into}")
    units, gained, number = _RATES[what, into]
    times = int(get or 1) // gained
    if times < 1 or int(give or 1) != times * units or int(get or 1) != times * gained:
        raise wrong(command, f"wrong amount: {units} {what} make {gained} {into}")
    return [action_ids.CONVERT + number] * times


def of_transform(command: Command) -> int:
    return cell_action(land_of(command.words[0]), COLOURS.index(command.words[1]))


def of_build(s: Any, seat: int, command: Command) -> int:
    return cell_action(
        land_of(command.words[0]), action_ids.BUILD + int(HOME[int(s["faction"][seat])])
    )


def spades_of(s: Any, seat: int, command: Command) -> int:
    """Spades that a `transform` or `build` needs on its hex as it is now."""
    faction = int(s["faction"][seat])
    build = command.verb == "build"
    after = int(HOME[faction]) if build else COLOURS.index(command.words[1])
    return int(SPADES[faction, int(s["terrain"][land_of(command.words[0])]), after])


def of_ground(
    s: Any, seat: int, commands: Sequence[Command], free: int
) -> list[tuple[int, list[Command]]]:
    """Actions for one line of digging, transforming and building, with what each uses up.

    A hex that is built on is worked last: its index transforms and builds at once, and what is
    left of free spades is forfeited with it.
    """
    builds = [command for command in commands if command.verb == "build"]
    if len(builds) > 1:
        raise wrong(builds[1], "only one dwelling can be built in an action")
    build = builds[0] if builds else None
    digs = [command for command in commands if command.verb == "dig"]
    forfeits = [command for command in commands if command.verb == "forfeit"]
    transforms = [command for command in commands if command.verb == "transform"]
    merged = [c for c in transforms if build and c.words[0] == build.words[0]]
    plain = [c for c in transforms if c not in merged]
    worked = [*plain, *merged]
    if build is not None and not merged:
        worked.append(build)
    _check_spades(s, seat, worked, digs, forfeits, free)
    actions = [(of_transform(command), [command]) for command in plain]
    if build:
        if any(COLOURS.index(c.words[1]) != HOME[int(s["faction"][seat])] for c in merged):
            raise wrong(build, "the hex is not home terrain")
        actions.append((of_build(s, seat, build), [*merged, *forfeits, build]))
    elif forfeits:
        actions.append((action_ids.STOP, forfeits))
    if not actions:
        raise wrong(commands[0], "spades must be used on a hex: transform or build")
    first, used = actions[0]
    actions[0] = (first, [*digs, *used])
    return actions


def _check_spades(
    s: Any,
    seat: int,
    worked: Sequence[Command],
    digs: Sequence[Command],
    forfeits: Sequence[Command],
    free: int,
) -> None:
    """Spades dug must be what the hexes need beyond the free ones, and what is left forfeited."""
    if free == SANDSTORM:
        return
    needed = 0
    for command in worked:
        land = land_of(command.words[0])
        if s["owner"][land] >= 0:
            raise wrong(command, f"{LAND_NAMES[land]} is occupied")
        needed += spades_of(s, seat, command)
    dug = sum(int(command.words[0]) for command in digs)
    if dug != max(0, needed - free) and worked:
        raise wrong(
            (*digs, *worked)[0],
            f"wrong amount: {needed} spades are needed, {free} are free and {dug} dug",
        )
    left = free + dug - needed
    if forfeits and sum(int(command.words[0] or 1) for command in forfeits) != left:
        raise wrong(forfeits[0], f"wrong amount: {left} spades are left")


def of_choice(s: Any, command: Command) -> int:
    """A choice that follows an action, or passing."""
    words = command.words
    if command.verb == "favour":
        tile = int(words[0]) - 1
        return action_ids.PRIEST + 3 * (tile % 4) + tile // 4
    if command.verb == "town":
        return action_ids.TOWN_TILE + int(words[0]) - 1
    if command.verb == "cult":
        steps = int(words[0] or 1)
        return action_ids.PRIEST + 3 * cult_of(words[1]) + 3 - steps
    if command.verb == "bridge":
        return _of_bridge(command)
    if words[0]:
        if s["round"] == 6:
            raise wrong(command, "no bonus card is taken in the last round")
        return action_ids.PASS + int(words[0]) - 1
    if s["round"] != 6:
        raise wrong(command, "passing takes a bonus card: write `pass BON4`")
    return action_ids.PASS + int(s["bonus"][int(s["seat"])])


def _of_bridge(command: Command) -> int:
    ends = {land_of(word) for word in command.words}
    for place in range(BRIDGES):
        if {int(BRIDGE[place, 0]), int(BRIDGE[place, 1])} == ends:
            return cell_action(int(BRIDGE[place, 0]), int(BRIDGE[place, 2]))
    raise wrong(command, "no bridge can stand between these hexes")
