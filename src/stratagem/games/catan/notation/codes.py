"""Moves and positions of Catan as text.

Places are numbered 0 to 53, tiles T0 to T18, both in reading order; an edge is named by its ends.
`settle 12`, `road 12-13`, `city 12`, `buy card`, `trade 4 wood for ore`, `knight T5`,
`monopoly ore`, `plenty ore`, `free road 12-13`, `end turn`, `roll`, `discard ore`, `robber T5`,
`steal from 1`, which is the first player. Between players: `offer 2 wood for 1 ore`, `accept`,
`refuse`, `counter 2 sheep for 1 ore` (what the player whose turn it is would give), `deal with 1`,
`no deal`.
"""

from typing import Any

from stratagem.core.errors import BadRecord
from stratagem.core.seats import CHANCE, OVER
from stratagem.games.catan.actions import (
    ACCEPT,
    BANK_TRADE,
    BUILD_CITY,
    BUILD_ROAD,
    BUILD_SETTLEMENT,
    BUY_CARD,
    COUNTER,
    DEALS,
    DISCARD_CARD,
    END_TURN,
    GROUPS,
    NO_DEAL,
    OFFER,
    PARTNER,
    PLACE_ROBBER,
    PLAY_KNIGHT,
    PLAY_MONOPOLY,
    PLAY_PLENTY,
    PLAY_ROADS,
    REFUSE,
    ROLL_DICE,
    STEAL_FROM,
)
from stratagem.games.catan.board import EDGE_PLACES, EDGES, PLACES, TILES
from stratagem.games.catan.notation.island import draw_island
from stratagem.games.catan.rules.trading import given_in, received_in
from stratagem.games.catan.state import (
    FREE_ROAD,
    KINDS,
    POINT,
    RESOURCES,
    ROLL,
    SEATS,
    STEAL,
    points,
    visible_points,
)

RESOURCE_NAMES = ("wood", "brick", "sheep", "wheat", "ore")
TERRAIN_NAMES = (*RESOURCE_NAMES, "desert")
KIND_NAMES = ("knight", "point", "roads", "plenty", "monopoly")
PHASE_NAMES = (
    "first settlement", "first road", "before the roll", "discard", "robber", "steal", "build",
    "free road", "year of plenty", "dice", "stolen card", "development card", "answer an offer",
    "choose a partner",
)  # fmt: skip


def format_action(s: Any, action: int) -> str:
    if s["seat"] == CHANCE:
        return _format_outcome(s, action)
    group = next(group for group in GROUPS if action < group.stop)
    index = action - group.start
    match group.name:
        case "settlement":
            return f"settle {index}"
        case "road":
            return f"road {edge_name(index)}"
        case "city":
            return f"city {index}"
        case "buy-card":
            return "buy card"
        case "bank-trade":
            given, received = divmod(index, RESOURCES)
            rate = int(s["rate"][int(s["seat"]), given])
            return f"trade {rate} {RESOURCE_NAMES[given]} for {RESOURCE_NAMES[received]}"
        case "knight" | "robber":
            return f"{group.name} T{index}"
        case "monopoly" | "discard":
            return f"{group.name} {RESOURCE_NAMES[index]}"
        case "year-of-plenty":
            return f"plenty {RESOURCE_NAMES[index]}"
        case "road-building":
            return f"free road {edge_name(index)}"
        case "end-turn":
            return "no more roads" if s["phase"] == FREE_ROAD else "end turn"
        case "steal":
            return f"steal from {_after(s, index) + 1}"
        case "offer" | "counter":
            return f"{group.name} {deal_text(index)}"
        case "answer":
            return "accept" if action == ACCEPT else "refuse"
        case "partner":
            return "no deal" if action == NO_DEAL else f"deal with {_after(s, index) + 1}"
    return "roll"


def _after(s: Any, places: int) -> int:
    """Return the seat this many seats after the next one."""
    return (int(s["seat"]) + 1 + places) % int(s["players"])


def deal_text(deal: int) -> str:
    """Write a deal as the current player sees it: `2 wood for 1 ore`."""
    (given, price), (received, number) = given_in(deal), received_in(deal)
    return f"{price} {RESOURCE_NAMES[given]} for {number} {RESOURCE_NAMES[received]}"


def edge_name(edge: int) -> str:
    return f"{EDGE_PLACES[edge, 0]}-{EDGE_PLACES[edge, 1]}"


def _format_outcome(s: Any, outcome: int) -> str:
    if s["phase"] == ROLL:
        return f"rolled {outcome}"
    if s["phase"] == STEAL:
        return f"stole {RESOURCE_NAMES[outcome]}"
    return f"drew {KIND_NAMES[outcome]}"


def parse_action(s: Any, text: str) -> int:
    words = text.split()
    try:
        action = _parse(s, words)
    except (ValueError, IndexError):
        raise BadRecord(
            f"move {text!r}: write e.g. settle 12, road 12-13, trade 4 wood for ore, knight T5, "
            "end turn"
        ) from None
    return action


def _parse(s: Any, words: list[str]) -> int:
    match words:
        case ["settle", place]:
            return BUILD_SETTLEMENT + _number(place, PLACES)
        case ["city", place]:
            return BUILD_CITY + _number(place, PLACES)
        case ["road", edge]:
            return BUILD_ROAD + _edge(edge)
        case ["free", "road", edge]:
            return PLAY_ROADS + _edge(edge)
        case ["buy", "card"]:
            return BUY_CARD
        case ["trade", _, given, "for", received]:
            pair = RESOURCE_NAMES.index(given) * RESOURCES + RESOURCE_NAMES.index(received)
            return BANK_TRADE + pair
        case ["knight", tile]:
            return PLAY_KNIGHT + _number(tile.removeprefix("T"), TILES)
        case ["robber", tile]:
            return PLACE_ROBBER + _number(tile.removeprefix("T"), TILES)
        case ["monopoly", resource]:
            return PLAY_MONOPOLY + RESOURCE_NAMES.index(resource)
        case ["plenty", resource]:
            return PLAY_PLENTY + RESOURCE_NAMES.index(resource)
        case ["discard", resource]:
            return DISCARD_CARD + RESOURCE_NAMES.index(resource)
        case ["steal", "from", player]:
            return STEAL_FROM + _places_after(s, player)
        case ["offer", *deal]:
            return OFFER + _deal(" ".join(deal))
        case ["counter", *deal]:
            return COUNTER + _deal(" ".join(deal))
        case ["accept"]:
            return ACCEPT
        case ["refuse"]:
            return REFUSE
        case ["deal", "with", player]:
            return PARTNER + _places_after(s, player)
        case ["no", "deal"]:
            return NO_DEAL
        case ["end", "turn"] | ["no", "more", "roads"]:
            return END_TURN
        case ["roll"]:
            return ROLL_DICE
    raise ValueError


def _number(text: str, bound: int) -> int:
    if not 0 <= int(text) < bound:
        raise ValueError
    return int(text)


def _places_after(s: Any, player: str) -> int:
    """Return how many seats after the next one a player sits, by the number people use."""
    players = int(s["players"])
    after = (_number(str(int(player) - 1), players) - int(s["seat"]) - 1) % players
    if after == players - 1:  # oneself
        raise ValueError
    return after


def _deal(text: str) -> int:
    return [deal_text(deal) for deal in range(DEALS)].index(text)


def _edge(text: str) -> int:
    names = [edge_name(edge) for edge in range(EDGES)]
    return names.index(text)


def format_state(s: Any) -> str:
    """Draw the island with the numbers of places and tiles, then a line per player."""
    harbours = [("3:1", *RESOURCE_NAMES)[(int(kind) + 1) % 6] for kind in s["harbour"]]
    bank = ", ".join(
        f"{int(number)} {name}" for number, name in zip(s["bank"], RESOURCE_NAMES, strict=True)
    )
    return "\n".join(
        [
            *draw_island(s, TERRAIN_NAMES, harbours),
            f"bank: {bank}",
            f"turn {int(s['turn'])}, last roll {int(s['last_roll'])}, {_now(s)}",
            *(_player(s, seat) for seat in range(int(s["players"]))),
        ]
    )


def _now(s: Any) -> str:
    if s["seat"] == OVER:
        return "over"
    who = "chance" if s["seat"] == CHANCE else f"player {int(s['seat']) + 1}"
    return f"{PHASE_NAMES[int(s['phase'])]} ({who})"


def _player(s: Any, seat: int) -> str:
    settled = [place for place in range(PLACES) if s["place"][place] == seat + 1]
    cities = [place for place in range(PLACES) if s["place"][place] == seat + 1 + SEATS]
    roads = [edge_name(edge) for edge in range(EDGES) if s["road"][edge] == seat + 1]
    hand = ", ".join(
        f"{int(s['hand'][seat, r])} {RESOURCE_NAMES[r]}"
        for r in range(RESOURCES)
        if s["hand"][seat, r]
    )
    cards = ", ".join(
        f"{int(s['cards'][seat, k])} {KIND_NAMES[k]}" for k in range(KINDS) if s["cards"][seat, k]
    )
    hidden = int(s["cards"][seat, POINT])
    total = f"{int(points(s, seat))}" + (
        f" ({int(visible_points(s, seat))} seen)" if hidden else ""
    )
    awards = [f"road {int(s['road_length'][seat])}", f"knights {int(s['played'][seat, 0])}"]
    awards[0] += " longest" if s["road_holder"] == seat else ""
    awards[1] += " largest" if s["army_holder"] == seat else ""
    return (
        f"player {seat + 1}: {total} points | hand {hand or '-'} | cards {cards or '-'} | "
        f"{', '.join(awards)} | settlements {_listed(settled)} cities {_listed(cities)} "
        f"roads {_listed(roads)}"
    )


def _listed(things: list[Any]) -> str:
    return " ".join(map(str, things)) or "-"
