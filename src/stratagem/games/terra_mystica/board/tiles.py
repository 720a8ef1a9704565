"""Round tiles, bonus cards, favour tiles and town tiles in numbers."""

from __future__ import annotations

import numpy as np

FIRE, WATER, EARTH, AIR = range(4)
CULTS = ("FIRE", "WATER", "EARTH", "AIR")

# Round tiles, index 0 = SCORE1: what scores, and how much each time.
ROUND_TILES = 8
SCORE_SPADE, SCORE_TOWN, SCORE_DWELLING, SCORE_LARGE, SCORE_POST = range(5)
TILE_EVENT = np.array(
    [
        SCORE_SPADE, SCORE_TOWN, SCORE_DWELLING, SCORE_LARGE,
        SCORE_DWELLING, SCORE_POST, SCORE_LARGE, SCORE_POST,
    ],
    np.int64,
)  # fmt: skip
TILE_VP = np.array([2, 5, 2, 5, 2, 3, 5, 3], np.int64)
# Cult reward at the end of the round: so much of a thing for each so many steps on a cult.
REWARD_CULT = np.array([EARTH, EARTH, WATER, FIRE, FIRE, WATER, AIR, AIR], np.int64)
REWARD_STEP = np.array([1, 4, 4, 2, 4, 4, 2, 4], np.int64)
REWARD_WORKER, REWARD_COIN, REWARD_PRIEST, REWARD_POWER, REWARD_SPADE = range(5)
REWARD = np.array(
    [
        REWARD_COIN, REWARD_SPADE, REWARD_PRIEST, REWARD_WORKER,
        REWARD_POWER, REWARD_SPADE, REWARD_WORKER, REWARD_SPADE,
    ],
    np.int64,
)  # fmt: skip
REWARD_AMOUNT = np.array([1, 1, 1, 1, 4, 1, 1, 1], np.int64)

# Bonus cards, index 0 = BON1: income of worker, coin, priest, power.
BONUS_CARDS = 9
BON_SPADE, BON_CULT, BON_SHIP, BON_LARGE, BON_POST, BON_DWELLING = 0, 1, 3, 5, 6, 8
BONUS_INCOME = np.array(
    [
        [0, 2, 0, 0], [0, 4, 0, 0], [0, 6, 0, 0], [0, 0, 0, 3], [1, 0, 0, 3],
        [2, 0, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 2, 0, 0],
    ],
    np.int64,
)  # fmt: skip

# Favour tiles, index 0 = FAV1: tile k is cult k % 4 with 3 - k // 4 steps.
FAVOURS = 12
FAVOUR_COPIES = np.array([1] * 4 + [3] * 8, np.int64)
FAV_TOWN, FAV_STEP, FAV_POST, FAV_DWELLING, FAV_PASS = 4, 5, 9, 10, 11  # FAV5 6 10 11 12
FAVOUR_INCOME = np.zeros((FAVOURS, 4), np.int64)  # worker, coin, priest, power
FAVOUR_INCOME[6] = [1, 0, 0, 1]  # FAV7
FAVOUR_INCOME[7] = [0, 0, 0, 4]  # FAV8
FAVOUR_INCOME[8] = [0, 3, 0, 0]  # FAV9
PASS_POSTS_VP = np.array([0, 2, 3, 3, 4], np.int64)  # FAV12, by trading posts

# Town tiles, index 0 = TW1: VP, worker, coin, priest, power; TW5 steps on every cult.
TOWNS = 5
TOWN_COPIES = 2
TOWN_GAIN = np.array(
    [[5, 0, 6, 0, 0], [7, 2, 0, 0, 0], [9, 0, 0, 1, 0], [6, 0, 0, 0, 8], [8, 0, 0, 0, 0]], np.int64
)
TOWN_CULTS = 4

POWER_COST = np.array([3, 3, 4, 4, 4, 6], np.int64)  # ACT1 .. ACT6
CULT_POWER = np.array([0, 0, 0, 1, 0, 2, 0, 2, 0, 0, 3], np.int64)  # on entering a space
