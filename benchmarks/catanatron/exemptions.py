"""Where Catanatron is known to play by other rules, each deviation with a name and a narrow test.

A difference between the two sides counts as exempt only if one of these tests explains it from the
position; anything else is a divergence.
"""

from __future__ import annotations

from typing import Any

from stratagem.games.catan import board
from stratagem.games.catan import state as catan

_AWARD_KEYS = {"road_holder", "points"}
ROAD_KEYS = _AWARD_KEYS | {"lengths"}
HAND_KEYS = {"hands", "bank"}
_SHORTEST_AWARD = 5
# Ours: a knight's tile is chosen with the card, before the card can change who has the army.
_ARMY = "friendly robber: judged before the knight takes the army (ours)"


def explain_tables(ours: dict[str, Any], theirs: dict[str, Any], event: str) -> str | None:
    """The name of the deviation behind two tables that differ, or None."""
    differing = {key for key in ours if ours[key] != theirs[key]}
    if differing <= HAND_KEYS and event == "roll" and _sole_claimant(ours, theirs):
        return "sole claimant gets nothing"
    if differing <= ROAD_KEYS and ours["lengths"] != theirs["lengths"]:
        wrong = [k for k, n in enumerate(ours["lengths"]) if n != theirs["lengths"][k]]
        if all(_touches_opponent(ours, seat) for seat in wrong):
            return "road up to an opponent's building not counted"
        return None
    if event == "settle" and "road_holder" in differing and _award_is_right(ours):
        # They may also win by the award that they give wrongly.
        wins_by_it = theirs["winner"] == theirs["road_holder"]
        if differing <= (_AWARD_KEYS | {"winner"} if wins_by_it else _AWARD_KEYS):
            return "longest road after a cut"
    if differing == {"winner"} and theirs["winner"] not in (-1, ours["turn_seat"]):
        return "win off turn"
    return None


def explain_offers(
    ours: set[tuple[Any, ...]], theirs: set[tuple[Any, ...]], table: dict[str, Any], friendly: int
) -> list[str] | None:
    """Names of the deviations behind two lists of legal actions that differ, or None."""
    names = []
    for extra in theirs - ours:
        if extra[0] == "road" and _through_building(table, extra[1:]):
            names.append("road continued through an opponent's building")
        elif extra[0] == "robber" and (reason := _robber(table, extra[1], friendly)):
            names.append(reason)
        elif extra[0] == "plenty" and len(extra) == 2:
            names.append("year of plenty for one card")
        else:
            return None
    for missing in ours - theirs:
        if missing == ("end",) and table["phase"] == "free-road":
            names.append("second free road forced")
        elif missing[0] == "robber" and _is_fallback(table, ours):
            names.append("friendly robber without a tile: anywhere instead of the desert")
        elif missing[0] == "robber" and _loses_army(table, missing[1], friendly):
            names.append(_ARMY)
        else:
            return None
    return names


def _sole_claimant(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """Ours paid out the rest of a resource to one seat, theirs paid nobody."""
    for resource in range(catan.RESOURCES):
        gained = [
            mine[resource] - their[resource]
            for mine, their in zip(ours["hands"], theirs["hands"], strict=True)
        ]
        if not any(gained):
            continue
        paid = [gain for gain in gained if gain]
        if ours["bank"][resource] != 0 or len(paid) != 1 or paid[0] != theirs["bank"][resource]:
            return False
    return True


def _award_is_right(table: dict[str, Any]) -> bool:
    """Whoever holds the longest road has one, of at least five; nobody does without or in a tie."""
    lengths, holder = table["lengths"], table["road_holder"]
    longest = max(lengths)
    if holder < 0:
        return longest < _SHORTEST_AWARD or lengths.count(longest) > 1
    return longest >= _SHORTEST_AWARD and lengths[holder] == longest


def _touches_opponent(table: dict[str, Any], seat: int) -> bool:
    held = {place for place, owner, _ in table["buildings"] if owner != seat}
    return any(owner == seat and held & {one, other} for one, other, owner in table["roads"])


def _through_building(table: dict[str, Any], ends: tuple[int, ...]) -> bool:
    """An own road ends at an opponent's building, and this one would go on from there."""
    seat = table["seat"]
    held = {place for place, owner, _ in table["buildings"] if owner != seat}
    reached = {p for one, other, owner in table["roads"] if owner == seat for p in (one, other)}
    return bool(held & reached & set(ends))


def _robber(table: dict[str, Any], tile: int, friendly: int) -> str | None:
    """Why the friendly robber keeps off a tile here and not there."""
    near = set(board.TILE_PLACES[tile].tolist())
    for place, owner, _ in table["buildings"]:
        visible = table["points"][owner] - table["cards"][owner][catan.POINT]
        if place not in near or visible >= friendly:
            continue
        if owner == table["seat"]:
            return "friendly robber: own tiles not protected"
        if table["points"][owner] >= friendly:
            return "friendly robber: hidden points count"
        return "friendly robber without a tile: anywhere instead of the desert"
    return None


def _loses_army(table: dict[str, Any], tile: int, friendly: int) -> bool:
    """A player at this tile falls below the limit because the knight takes the army away."""
    near = set(board.TILE_PLACES[tile].tolist())
    after = table.get("points_after", table["points"])
    return any(
        place in near and owner == table["army_holder"] and after[owner] < friendly
        for place, owner, _ in table["buildings"]
    )


def _is_fallback(table: dict[str, Any], ours: set[tuple[Any, ...]]) -> bool:
    return len({offer for offer in ours if offer[0] == "robber"}) == 1 and table["phase"] in (
        "robber",
        "before-roll",
        "build",
    )
