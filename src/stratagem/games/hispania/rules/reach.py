"""Where groups can go: which pieces may move, how far, and where there is room.

A group is a mask over the indices of its stack: the leader, then special units, cavalry, infantry,
unmoved before moved. Identical pieces are taken from the front, so each choice of pieces has one
mask. Nothing here changes the position.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.games.hispania.board.arrays import (
    BIT,
    DIFFICULT_MASK,
    LAND,
    LEADER,
    LEADER_MOVEMENT,
    MOVEMENT,
    NEAR,
    POOR_MASK,
    REGIONS,
    RIVER,
    SEA_REACH,
    SHIPS,
    STRAIT,
)
from stratagem.games.hispania.rules.stacks import attack_limit, limit_of, low, survey, units_in


@kernel
def fresh(s, region, kind):
    """Count the pieces of a kind (0-2 units, 3 leader) that have not moved in this phase."""
    if kind == LEADER:
        return (1 if s["leader"][region] > 0 else 0) - np.int64(s["moved"][region, LEADER])
    return np.int64(s["units"][region, kind]) - np.int64(s["moved"][region, kind])


@kernel
def first_place(s, region, kind):
    """Return where the pieces of a kind begin in the stack: leader, special, cavalry, infantry."""
    if kind == LEADER:
        return 0
    place = 1 if s["leader"][region] > 0 else 0
    if kind < 2:
        place += np.int64(s["units"][region, 2])
    if kind < 1:
        place += np.int64(s["units"][region, 1])
    return place


@kernel
def mask_of_group(s, region, infantry, cavalry, special, leader):
    mask = leader
    mask |= ((1 << infantry) - 1) << first_place(s, region, 0)
    mask |= ((1 << cavalry) - 1) << first_place(s, region, 1)
    return mask | ((1 << special) - 1) << first_place(s, region, 2)


@kernel
def in_group(s, region, mask, kind):
    """Count the pieces of a kind in a mask."""
    place = first_place(s, region, kind)
    have = (1 if s["leader"][region] > 0 else 0) if kind == LEADER else s["units"][region, kind]
    count = 0
    for k in range(have):
        count += (np.int64(mask) >> (place + k)) & 1
    return count


@kernel
def pace(nation, infantry, cavalry, special, leader):
    """Return a group's movement points: those of the slowest member, plus one with a leader."""
    slowest = LEADER_MOVEMENT
    if infantry > 0:
        slowest = min(slowest, MOVEMENT[nation, 0])
    if cavalry > 0:
        slowest = min(slowest, MOVEMENT[nation, 1])
    if special > 0:
        slowest = min(slowest, MOVEMENT[nation, 2])
    return slowest + (1 if leader > 0 else 0)


@kernel
def march(origin, points, with_leader, passable, enterable):
    """Return (regions that can be entered, those that can be entered without crossing water).

    `passable` regions may be crossed; `enterable` ones may also be entered, which ends the move.
    """
    front = BIT[origin]
    following = front & 0
    later = front & 0
    ends = front & 0
    dry = front & 0
    first = True
    while points > 0:
        land = front & 0
        river = front & 0
        strait = front & 0
        while front != 0:
            here = low(front)
            front &= front - 1
            land |= LAND[here]
            river |= RIVER[here]
            strait |= STRAIT[here]
        allowed = enterable
        if points < 2 and not first:
            allowed &= ~POOR_MASK
        land &= allowed
        entered = (land | river | strait) & allowed
        dry |= land
        ends |= entered
        onward = entered & passable
        if not with_leader:
            onward &= (land | river) & ~DIFFICULT_MASK
        following |= onward & ~POOR_MASK
        later |= onward & POOR_MASK
        front = following
        following = later
        later = front & 0
        points -= 1
        first = False
    return ends & ~BIT[origin], dry & ~BIT[origin]


@kernel
def open_ends(s, nation, origin, points, with_leader, seen):
    """Return where such a group could end, ignoring room. `seen` is the survey of the map."""
    own, neutral, friend, foe, lone = seen
    finals = own | neutral | foe | lone
    ends, _ = march(origin, points, with_leader, own | neutral | friend, finals | friend)
    ends |= SEA_REACH[SHIPS[nation, s["round"]], origin]
    return ends & finals & ~BIT[origin]


@kernel
def room_in(s, nation, region, with_leader):
    """Return how many units may still enter a region; -1: a second leader may not."""
    who = s["owner"][region]
    if who >= 0 and who != nation and units_in(s, region) > 0:
        if with_leader and s["pending"][region] >= 16:
            return -1
        return attack_limit(s, region, with_leader) - np.int64(s["pending"][region]) % 16
    if who == nation:
        if with_leader and s["leader"][region] > 0:
            return -1
        return limit_of(s, nation, region, with_leader) - units_in(s, region)
    return limit_of(s, nation, region, with_leader)


@kernel
def most_room(s, nation, ends, with_leader):
    best = 0
    while ends != 0:
        region = low(ends)
        ends &= ends - 1
        best = max(best, room_in(s, nation, region, with_leader))
    return best


@kernel
def refuges(s, nation, ends):
    """Return where a leader may go alone: to own units without a leader."""
    found = ends & 0
    while ends != 0:
        region = low(ends)
        ends &= ends - 1
        if s["owner"][region] == nation and s["leader"][region] == 0 and units_in(s, region) > 0:
            found |= BIT[region]
    return found


@kernel
def group_room(s, nation, origin, seen):
    """Return the most units in a group by class: slow, fast, slow with leader, fast with leader;
    and whether the leader may go alone. Zero if no such group can be formed."""
    slow = fast = 0
    for kind in range(3):
        if fresh(s, origin, kind) > 0:
            if MOVEMENT[nation, kind] < LEADER_MOVEMENT:
                slow = 1
            else:
                fast = 1
    led = fresh(s, origin, LEADER) > 0
    slow_room = fast_room = slow_led = fast_led = 0
    alone = False
    if slow > 0:
        slow_room = most_room(s, nation, open_ends(s, nation, origin, 2, False, seen), False)
        if led:
            slow_led = most_room(s, nation, open_ends(s, nation, origin, 3, True, seen), True)
    if fast > 0:
        fast_room = most_room(s, nation, open_ends(s, nation, origin, 3, False, seen), False)
    if led:
        far = open_ends(s, nation, origin, 4, True, seen)
        if fast > 0:
            fast_led = most_room(s, nation, far, True)
        alone = refuges(s, nation, far) != 0
    return (slow_room, fast_room, slow_led, fast_led), alone


@kernel
def easy_ends(s, nation, seen):
    """Return the regions that a single unit without a leader could enter."""
    own, neutral, _, foe, lone = seen
    found = neutral | lone
    rest = own | foe
    while rest != 0:
        region = low(rest)
        rest &= rest - 1
        if room_in(s, nation, region, False) > 0:
            found |= BIT[region]
    return found


@kernel
def can_leave(s, nation, origin, seen, easy):
    """Whether any group of this region has somewhere to go."""
    units = fresh(s, origin, 0) + fresh(s, origin, 1) + fresh(s, origin, 2)
    if units > 0 and NEAR[origin] & easy != 0:
        return True
    if units == 0 and fresh(s, origin, LEADER) == 0:
        return False
    rooms, alone = group_room(s, nation, origin, seen)
    return alone or rooms[0] > 0 or rooms[1] > 0 or rooms[2] > 0 or rooms[3] > 0


@kernel
def can_move(s, nation):
    seen = survey(s, nation)
    easy = easy_ends(s, nation, seen)
    for region in range(REGIONS):
        if s["owner"][region] == nation and can_leave(s, nation, region, seen, easy):
            return True
    return False


@kernel
def list_groups(s, nation, origin, base, out):
    """Write base + mask of every group that can go somewhere; return their number."""
    rooms, alone = group_room(s, nation, origin, survey(s, nation))
    count = 0
    for leader in range(fresh(s, origin, LEADER) + 1):
        for special in range(fresh(s, origin, 2) + 1):
            for cavalry in range(fresh(s, origin, 1) + 1):
                for infantry in range(fresh(s, origin, 0) + 1):
                    units = infantry + cavalry + special
                    if units == 0:
                        fits = leader > 0 and alone
                    else:
                        points = pace(nation, infantry, cavalry, special, 0)
                        fast = 1 if points >= LEADER_MOVEMENT else 0
                        fits = units <= rooms[fast + 2 * leader]
                    if fits:
                        out[count] = base + mask_of_group(
                            s, origin, infantry, cavalry, special, leader
                        )
                        count += 1
    return count


@kernel
def group_ends(s, nation, origin, mask):
    """Return the regions where this group may end its move."""
    leader = in_group(s, origin, mask, LEADER)
    infantry = in_group(s, origin, mask, 0)
    cavalry = in_group(s, origin, mask, 1)
    special = in_group(s, origin, mask, 2)
    units = infantry + cavalry + special
    points = pace(nation, infantry, cavalry, special, leader)
    ends = open_ends(s, nation, origin, points, leader > 0, survey(s, nation))
    if units == 0:
        return refuges(s, nation, ends)
    found = ends & 0
    while ends != 0:
        region = low(ends)
        ends &= ends - 1
        if room_in(s, nation, region, leader > 0) >= units:
            found |= BIT[region]
    return found


@kernel
def crosses_water(s, nation, origin, target, points, with_leader):
    """Whether the group must cross a river, strait or sea to enter the target."""
    own, neutral, friend, foe, lone = survey(s, nation)
    passable = own | neutral | friend
    _, dry = march(origin, points, with_leader, passable, passable | foe | lone)
    return 1 if dry & BIT[target] == 0 else 0
