"""The 14 factions in numbers. Data only, checked when imported."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

FACTIONS = (
    "alchemists", "auren", "chaosmagicians", "cultists", "darklings", "dwarves", "engineers",
    "fakirs", "giants", "halflings", "mermaids", "nomads", "swarmlings", "witches",
)  # fmt: skip
(
    ALCHEMISTS, AUREN, CHAOS, CULTISTS, DARKLINGS, DWARVES, ENGINEERS,
    FAKIRS, GIANTS, HALFLINGS, MERMAIDS, NOMADS, SWARMLINGS, WITCHES,
) = range(14)  # fmt: skip
PLAIN, SWAMP, LAKE, FOREST, MOUNTAIN, WASTELAND, DESERT = range(7)
NO_BUILDING, DWELLING, TRADING_POST, TEMPLE, STRONGHOLD, SANCTUARY = range(6)
BUILDINGS = ("-", "D", "TP", "TE", "SH", "SA")

Numbers = npt.NDArray[np.int64]

# home, coins, workers, priests, bowls I and II, cults FIRE WATER EARTH AIR
_START: dict[str, tuple[int, ...]] = {
    "alchemists": (SWAMP, 15, 3, 0, 5, 7, 1, 1, 0, 0),
    "auren": (FOREST, 15, 3, 0, 5, 7, 0, 1, 0, 1),
    "chaosmagicians": (WASTELAND, 15, 4, 0, 5, 7, 2, 0, 0, 0),
    "cultists": (PLAIN, 15, 3, 0, 5, 7, 1, 0, 1, 0),
    "darklings": (SWAMP, 15, 1, 1, 5, 7, 0, 1, 1, 0),
    "dwarves": (MOUNTAIN, 15, 3, 0, 5, 7, 0, 0, 2, 0),
    "engineers": (MOUNTAIN, 10, 2, 0, 3, 9, 0, 0, 0, 0),
    "fakirs": (DESERT, 15, 3, 0, 7, 5, 1, 0, 0, 1),
    "giants": (WASTELAND, 15, 3, 0, 5, 7, 1, 0, 0, 1),
    "halflings": (PLAIN, 15, 3, 0, 3, 9, 0, 0, 1, 1),
    "mermaids": (LAKE, 15, 3, 0, 3, 9, 0, 2, 0, 0),
    "nomads": (DESERT, 15, 2, 0, 5, 7, 1, 0, 1, 0),
    "swarmlings": (LAKE, 20, 8, 0, 3, 9, 1, 1, 1, 1),
    "witches": (FOREST, 15, 3, 0, 5, 7, 0, 0, 0, 2),
}
# (workers, coins) of a stronghold and a sanctuary; the rest is the same except for two factions
_LARGE: dict[str, tuple[int, int, int, int]] = {
    "alchemists": (4, 6, 4, 6),
    "auren": (4, 6, 4, 8),
    "chaosmagicians": (4, 4, 4, 8),
    "cultists": (4, 8, 4, 8),
    "darklings": (4, 6, 4, 10),
    "dwarves": (4, 6, 4, 6),
    "engineers": (3, 6, 3, 6),
    "fakirs": (4, 10, 4, 6),
    "giants": (4, 6, 4, 6),
    "halflings": (4, 8, 4, 6),
    "mermaids": (4, 6, 4, 8),
    "nomads": (4, 8, 4, 6),
    "swarmlings": (5, 8, 5, 8),
    "witches": (4, 6, 4, 6),
}
_SMALL = {
    "engineers": (1, 1, 1, 2, 1, 4),
    "swarmlings": (2, 3, 3, 4, 3, 6),
}
_SMALL_USUAL = (1, 2, 2, 3, 2, 5)


def _home_terrains() -> Numbers:
    return np.array([_START[name][0] for name in FACTIONS], np.int64)


HOME = _home_terrains()  # [14]
START = np.array([_START[name][1:] for name in FACTIONS], np.int64)  # [14, 9]
START_VP = 20


def _costs() -> Numbers:
    table = np.zeros((14, 6, 2), np.int64)
    for k, name in enumerate(FACTIONS):
        table[k, DWELLING : TEMPLE + 1] = np.reshape(_SMALL.get(name, _SMALL_USUAL), (3, 2))
        table[k, STRONGHOLD:] = np.reshape(_LARGE[name], (2, 2))
    return table


COST = _costs()  # [14, building, (workers, coins)]; a trading post next to an opponent
STOCK = np.array([0, 8, 4, 3, 1, 1], np.int64)  # pieces of each building
POWER_VALUE = np.array([0, 1, 2, 2, 3, 3], np.int64)
MOST_PRIESTS = 7
MOST_BRIDGES = 3
MOST_SITES = 17  # maximum structures of one player

DIG_START = np.full(14, 3, np.int64)  # workers per spade before any advance
MOST_DIG = np.full(14, 2, np.int64)  # advances of the exchange rate
MOST_DIG[DARKLINGS] = 0
MOST_DIG[FAKIRS] = 1
DIG_COINS = np.full(14, 5, np.int64)
DIG_COINS[HALFLINGS] = 1
START_SHIP = np.zeros(14, np.int64)
START_SHIP[MERMAIDS] = 1
MOST_SHIP = np.full(14, 3, np.int64)
MOST_SHIP[MERMAIDS] = 5
MOST_SHIP[[DWARVES, FAKIRS]] = 0
SHIP_VP = np.tile(np.array([0, 2, 3, 4, 0, 0]), (14, 1))  # [14, level reached]
SHIP_VP[MERMAIDS] = [0, 0, 2, 3, 4, 5]
WORKER, COIN, PRIEST, POWER = range(4)


def _income() -> Numbers:
    """[14, building, count, (worker, coin, priest, power)] of structures standing."""
    table = np.zeros((14, 6, 9, 4), np.int64)
    table[:, DWELLING, :, WORKER] = [1, 2, 3, 4, 5, 6, 7, 8, 8]
    table[:, TRADING_POST, :5, COIN] = [0, 2, 4, 6, 8]
    table[:, TRADING_POST, :5, POWER] = [0, 1, 2, 4, 6]
    table[:, TEMPLE, :4, PRIEST] = [0, 1, 2, 3]
    table[:, STRONGHOLD, 1, POWER] = 2
    table[:, SANCTUARY, 1, PRIEST] = 1
    table[ENGINEERS, DWELLING, :, WORKER] = [0, 1, 2, 2, 3, 4, 4, 5, 6]
    table[ENGINEERS, TEMPLE, :4, PRIEST] = [0, 1, 1, 2]
    table[ENGINEERS, TEMPLE, :4, POWER] = [0, 0, 5, 5]
    table[SWARMLINGS, DWELLING, :, WORKER] = [2, 3, 4, 5, 6, 7, 8, 9, 9]
    table[SWARMLINGS, TRADING_POST, :5, COIN] = [0, 2, 4, 6, 9]
    table[SWARMLINGS, TRADING_POST, :5, POWER] = [0, 2, 4, 6, 8]
    table[SWARMLINGS, SANCTUARY, 1, PRIEST] = 2
    table[[ALCHEMISTS, NOMADS], TRADING_POST, :5, COIN] = [0, 2, 4, 7, 11]
    table[[ALCHEMISTS, NOMADS], TRADING_POST, :5, POWER] = [0, 1, 2, 3, 4]
    table[DWARVES, TRADING_POST, :5, COIN] = [0, 3, 5, 7, 10]
    table[DARKLINGS, SANCTUARY, 1, PRIEST] = 2
    table[[SWARMLINGS, GIANTS, MERMAIDS], STRONGHOLD, 1, POWER] = 4
    table[[ALCHEMISTS, CHAOS, FAKIRS], STRONGHOLD, 1, POWER] = 0
    table[ALCHEMISTS, STRONGHOLD, 1, COIN] = 6
    table[CHAOS, STRONGHOLD, 1, WORKER] = 2
    table[FAKIRS, STRONGHOLD, 1, PRIEST] = 1
    return table


INCOME = _income()
NEVER = 99  # spades, where a transformation is not allowed


def _spades() -> Numbers:
    """[14, from, to] spades needed: the path around the wheel may not cross the home terrain.

    Giants spend two on any hex and only make their home terrain.
    """
    table = np.zeros((14, 7, 7), np.int64)
    for faction in range(14):
        home = int(HOME[faction])
        for before in range(7):
            for after in range(7):
                ways = []
                for turn in (1, -1):
                    path = [(before + turn * k) % 7 for k in range(1, 7)]
                    length = path.index(after) + 1 if after != before else 0
                    if home not in path[: max(length - 1, 0)]:
                        ways.append(length)
                table[faction, before, after] = min(ways)
                if faction == GIANTS and after != before:
                    table[faction, before, after] = 2 if after == home else NEVER
    return table


SPADES = _spades()
