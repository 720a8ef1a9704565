"""Battlefield as planes from one seat's view: its own team first; the board is never rotated.

The paper's planes come first (one per own agent, one for the other team, obstacles, health, steps
left, streaks, ammunition), then the same for earlier positions, then the broadcast and extra
planes; rows of action features are a slice of their own. docs/games/battlefield.md lists them and
says why there are eleven.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.errors import BadSetting
from stratagem.core.specs import ObservationSlice, ObservationSpec
from stratagem.games.battlefield.actions import DIGITS, FIRST_SHOT, digit_of, legal
from stratagem.games.battlefield.board import (
    DIRECTIONS,
    cell_of,
    goal_distance,
    inside,
    shot_end,
    walled,
)
from stratagem.games.battlefield.state import GONE, PAST, TEAM

OPTIONS = {"history": 0, "broadcast": 1, "extra": 1, "actions": 0}
_MOST = {"history": PAST, "broadcast": 1, "extra": 1, "actions": 1}
_SHARED = 9  # planes per position, besides one per own agent
_BROADCAST = 3
_EXTRA = 3  # besides one per agent of the other team
_FEATURES = 5  # of one agent in one action


def spec(scenario, options):
    for name, most in _MOST.items():
        if not 0 <= options[name] <= most:
            raise BadSetting(f"encoding option {name}={options[name]}: give 0 to {most}")
    team = scenario.team_size
    planes = (team + _SHARED) * (1 + options["history"])
    planes += _BROADCAST * options["broadcast"] + (_EXTRA + team) * options["extra"]
    slices = [ObservationSlice("board", (planes, scenario.height, scenario.width), "planes")]
    if options["actions"]:
        rows = (DIGITS**team, _FEATURES * team + 1)
        slices.append(ObservationSlice("actions", rows, "actions"))
    return ObservationSpec(tuple(slices))


@kernel
def observe(s, seat, options, out):
    area = np.int64(s["height"]) * np.int64(s["width"])
    position = area * (np.int64(s["team_size"]) + _SHARED)
    ply = np.int64(s["ply"])
    draw_position(s, seat, s["cells"], s["health"], s["ammo"], s["streak"], ply, out, 0)
    at = position
    for back in range(1, options[0] + 1):
        if back <= ply:
            slot = (ply - back) % PAST
            cells = s["past_cells"][slot]
            health = s["past_health"][slot]
            ammo = s["past_ammo"][slot]
            streak = s["past_streak"][slot]
            draw_position(s, seat, cells, health, ammo, streak, ply - back, out, at)
        at += position
    if options[1] == 1:
        fill(out, at, area, steps_left(s, ply))
        fill(out, at + area, area, np.float64(s["repeated"]))
        quiet = ply - np.int64(s["damage_ply"])
        fill(out, at + 2 * area, area, quiet / most_plies(s))
        at += _BROADCAST * area
    if options[2] == 1:
        draw_extra(s, seat, out, at)
        at += (_EXTRA + np.int64(s["team_size"])) * area
    if options[3] == 1:
        describe_actions(s, seat, out, at)


@kernel
def most_plies(s):
    """Return the ply by which the safe zone is gone at the latest."""
    side = min(np.int64(s["height"]), np.int64(s["width"]))
    return 2 * np.int64(s["shrink_every"]) * ((side + 1) // 2)


@kernel
def steps_left(s, ply):
    return 1.0 - ply / most_plies(s)


@kernel
def share(part, whole):
    return np.float64(part) / max(1.0, np.float64(whole))


@kernel
def fill(out, at, count, value):
    for k in range(count):
        out[at + k] = value


@kernel
def draw_position(s, seat, cells, health, ammo, streak, ply, out, at):
    """Draw the paper's team_size + 9 planes of one position."""
    width = np.int64(s["width"])
    height = np.int64(s["height"])
    team = np.int64(s["team_size"])
    area = height * width
    walls = at + (team + 1) * area
    for row in range(height):
        bits = np.int64(s["walls"][row])
        for column in range(width):
            out[walls + row * width + column] = (bits >> column) & 1
    for side in range(2):
        owner = seat if side == 0 else 1 - seat
        for agent in range(team):
            cell = np.int64(cells[owner, agent])
            if cell == GONE:
                continue
            where = (cell >> 4) * width + (cell & 15)
            plane = agent if side == 0 else team
            out[at + plane * area + where] = 1.0
            out[walls + (1 + side) * area + where] = share(health[owner, agent], s["max_health"])
            out[walls + (6 + side) * area + where] = share(ammo[owner, agent], s["max_ammo"])
        fill(out, walls + (4 + side) * area, area, share(streak[owner], s["hold_turns"]))
    fill(out, walls + 3 * area, area, steps_left(s, ply))


@kernel
def draw_extra(s, seat, out, at):
    """Draw safe zone, time left in it, goal, and the other team's agents one by one."""
    width = np.int64(s["width"])
    height = np.int64(s["height"])
    area = height * width
    per_ring = 2 * np.int64(s["shrink_every"])
    for row in range(height):
        for column in range(width):
            cell = row * 16 + column
            where = at + row * width + column
            if inside(s, cell):
                rings = min(row, column, height - 1 - row, width - 1 - column) + 1
                out[where] = 1.0
                out[where + area] = (rings * per_ring - np.int64(s["ply"])) / most_plies(s)
            if goal_distance(s, cell) == 0:
                out[where + 2 * area] = 1.0
    for agent in range(s["team_size"]):
        cell = cell_of(s, 1 - seat, agent)
        if cell != GONE:
            out[at + (3 + agent) * area + (cell >> 4) * width + (cell & 15)] = 1.0


@kernel
def describe_actions(s, seat, out, at):
    """Write per action and agent: target row and column, moves, shoots, waits; last: legal."""
    team = np.int64(s["team_size"])
    count = np.int64(DIGITS) ** team
    features = _FEATURES * team + 1
    for agent in range(team):
        for digit in range(DIGITS):
            target = aim(s, seat, agent, digit)
            row = (target >> 4) / (np.int64(s["height"]) - 1)
            column = (target & 15) / (np.int64(s["width"]) - 1)
            for action in range(count):
                if digit_of(s, action, agent) == digit:
                    base = at + action * features + _FEATURES * agent
                    if target != GONE:
                        out[base] = row
                        out[base + 1] = column
                    out[base + 2] = 1.0 if 0 < digit < FIRST_SHOT else 0.0
                    out[base + 3] = 1.0 if digit >= FIRST_SHOT else 0.0
                    out[base + 4] = 1.0 if digit == 0 else 0.0
    if s["seat"] == seat:
        ids = np.empty(count, np.int32)
        for k in range(legal(s, ids)):
            out[at + ids[k] * features + features - 1] = 1.0


@kernel
def aim(s, seat, agent, digit):
    """Return the cell that an agent's digit aims at: entered, shot at, or its own."""
    cell = cell_of(s, seat, agent)
    if cell == GONE or digit == 0:
        return cell
    if digit < FIRST_SHOT:
        ahead = cell + DIRECTIONS[digit - 1]
        return cell if walled(s, ahead) else ahead
    other = 1 - seat
    return shot_end(
        s,
        cell,
        digit - FIRST_SHOT,
        cell_of(s, seat, (agent + 1) % TEAM),
        cell_of(s, seat, (agent + 2) % TEAM),
        cell_of(s, other, 0),
        cell_of(s, other, 1),
        cell_of(s, other, 2),
    )
