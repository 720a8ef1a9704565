"""Catan a second time, slow and plain, written from the rules page: what lies on the table and
what may be done. Sets, dicts and text moves; `twin.py` says what then happens."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from games.catan.island import EDGES, HARBOUR_EDGES, NEIGHBOURS, TILE_PLACES, side_name

RESOURCES = ("wood", "brick", "sheep", "wheat", "ore")
COSTS = {
    "road": Counter(wood=1, brick=1),
    "settlement": Counter(wood=1, brick=1, sheep=1, wheat=1),
    "city": Counter(wheat=2, ore=3),
    "card": Counter(sheep=1, wheat=1, ore=1),
}
DECK = Counter(knight=14, point=5, roads=2, plenty=2, monopoly=2)
WAYS = {total: 6 - abs(7 - total) for total in range(2, 13)}


@dataclass(frozen=True)
class Deal:
    """What the player whose turn it is gives and receives."""

    price: int
    given: str
    number: int
    received: str

    def __str__(self):
        return f"{self.price} {self.given} for {self.number} {self.received}"


DEALS = [
    Deal(price, given, number, received)
    for price, number in ((1, 1), (2, 1), (1, 2))
    for given in RESOURCES
    for received in RESOURCES
    if given != received
]


@dataclass
class Player:
    hand: Counter = field(default_factory=Counter)
    cards: Counter = field(default_factory=Counter)
    fresh: Counter = field(default_factory=Counter)
    played: Counter = field(default_factory=Counter)
    roads: set = field(default_factory=set)
    settlements: set = field(default_factory=set)
    cities: set = field(default_factory=set)

    @property
    def buildings(self):
        return self.settlements | self.cities


class Table:
    """A position. `deciding` is a seat, "chance" or "over"; `need` says what is awaited."""

    def __init__(self, terrain, tokens, harbours, robber, rules):
        self.terrain, self.tokens, self.harbours = terrain, tokens, harbours
        self.robber, self.rules = robber, rules
        self.players = [Player() for _ in range(rules["players"])]
        self.bank = Counter(dict.fromkeys(RESOURCES, rules["bank"]))
        self.deck = DECK.copy()
        count = len(self.players)
        self.order = [*range(count), *reversed(range(count))]
        self.longest = self.largest = self.winner = self.victim = None
        self.turns = self.left = self.last_roll = 0
        self.rolled = self.card_played = False
        self.owed = [0] * count
        self.dice = Counter(WAYS)
        self.recent, self.seven_rollers = [], []
        self.turn = self.deciding = self.order[0]
        self.need = "first settlement"
        self.anchor = None
        self.offers_left, self.offer, self.agreed = 0, None, {}
        self.trails = {}  # lengths already worked out

    # What is on the board

    def holder(self, place):
        for seat, who in enumerate(self.players):
            if place in who.settlements or place in who.cities:
                return seat
        return None

    def paved(self, side):
        return any(side in who.roads for who in self.players)

    def visible(self, seat):
        who = self.players[seat]
        return (len(who.settlements) + 2 * len(who.cities)
                + 2 * (self.longest == seat) + 2 * (self.largest == seat))  # fmt: skip

    def points(self, seat):
        return self.visible(seat) + self.players[seat].cards["point"]

    def settleable(self, place):
        return self.holder(place) is None and all(
            self.holder(near) is None for near in NEIGHBOURS[place]
        )

    def touches(self, seat, place):
        """May this player's network go on from here?"""
        if self.holder(place) is not None:
            return self.holder(place) == seat
        return any(place in side for side in self.players[seat].roads)

    def road_sites(self, seat):
        if len(self.players[seat].roads) == 15:
            return []
        return [side for side in EDGES if not self.paved(side)
                and any(self.touches(seat, place) for place in side)]  # fmt: skip

    def rate(self, seat, resource):
        best, mine = 4, self.players[seat].buildings
        for kind, side in zip(self.harbours, HARBOUR_EDGES, strict=True):
            if side & mine:
                if kind == "3:1":
                    best = min(best, 3)
                elif kind == resource:
                    best = 2
        return best

    def trail(self, seat):
        """Longest road by trying every trail there is."""
        roads = self.players[seat].roads
        others = (who.buildings for other, who in enumerate(self.players) if other != seat)
        foreign = frozenset().union(*others)
        known = (frozenset(roads), foreign)
        if known in self.trails:
            return self.trails[known]

        def longest(place, used):
            best = len(used)
            if used and place in foreign:
                return best
            for side in roads - used:
                if place in side:
                    (end,) = side - {place}
                    best = max(best, longest(end, used | {side}))
            return best

        places = {place for side in roads for place in side}
        self.trails[known] = max((longest(place, frozenset()) for place in places), default=0)
        return self.trails[known]

    def award_road(self):
        lengths = [self.trail(seat) for seat in range(len(self.players))]
        best = max(lengths)
        if best < 5:
            self.longest = None
        elif self.longest is None or lengths[self.longest] < best:
            self.longest = lengths.index(best) if lengths.count(best) == 1 else None

    # What may be done

    def legal(self):
        seat, who = self.deciding, self.players[self.deciding]
        match self.need:
            case "first settlement":
                return {f"settle {p}" for p in range(54) if self.settleable(p)}
            case "first road":
                return {f"road {side_name(side)}" for side in EDGES
                        if self.anchor in side and not self.paved(side)}  # fmt: skip
            case "before the roll":
                return {"roll"} | self.card_plays(seat)
            case "discard":
                return {f"discard {r}" for r in RESOURCES if who.hand[r]}
            case "robber":
                return {f"robber T{tile}" for tile in self.robber_tiles()}
            case "steal":
                return {f"steal from {victim + 1}" for victim in self.victims()}
            case "free road":
                roads = {f"free road {side_name(side)}" for side in self.road_sites(seat)}
                return roads | {"no more roads"}
            case "plenty":
                return {f"plenty {r}" for r in RESOURCES if self.bank[r]}
            case "answer":
                return self.answers(seat)
            case "partner":
                return {"no deal"} | {
                    f"deal with {other + 1}" for other, deal in self.agreed.items()
                    if who.hand[deal.given] >= deal.price
                }  # fmt: skip
        return self.builds(seat) | self.card_plays(seat) | self.offers(seat) | {"end turn"}

    def offers(self, seat):
        """Anything one can pay, one or two cards on a side and never two for two."""
        if not self.offers_left:
            return set()
        largest = max(sum(other.hand.values()) for k, other in enumerate(self.players) if k != seat)
        return {
            f"offer {deal}" for deal in DEALS
            if self.players[seat].hand[deal.given] >= deal.price and largest >= deal.number
            and deal != self.offer
        }  # fmt: skip

    def answers(self, seat):
        """Another price for the same resource is a counter-offer; both need the cards in hand."""
        held = self.players[seat].hand[self.offer.received]
        found = {"refuse"} | ({"accept"} if held >= self.offer.number else set())
        return found | {
            f"counter {deal}" for deal in DEALS
            if deal != self.offer and deal.received == self.offer.received and held >= deal.number
            and sum(self.players[self.turn].hand.values()) >= deal.price
        }  # fmt: skip

    def affords(self, seat, item):
        return all(self.players[seat].hand[r] >= n for r, n in COSTS[item].items())

    def builds(self, seat):
        who, found = self.players[seat], set()
        if self.affords(seat, "road"):
            found |= {f"road {side_name(side)}" for side in self.road_sites(seat)}
        if self.affords(seat, "settlement") and len(who.settlements) < 5:
            found |= {f"settle {p}" for p in range(54)
                      if self.settleable(p) and any(p in side for side in who.roads)}  # fmt: skip
        if self.affords(seat, "city") and len(who.cities) < 4:
            found |= {f"city {p}" for p in who.settlements}
        if self.affords(seat, "card") and sum(self.deck.values()):
            found.add("buy card")
        for given in RESOURCES:
            rate = self.rate(seat, given)
            if who.hand[given] >= rate:
                found |= {f"trade {rate} {given} for {r}" for r in RESOURCES
                          if r != given and self.bank[r]}  # fmt: skip
        return found

    def card_plays(self, seat):
        who = self.players[seat]
        if self.card_played:
            return set()
        kinds = {kind for kind in ("knight", "roads", "plenty", "monopoly")
                 if who.cards[kind] > who.fresh[kind]}  # fmt: skip
        if not self.rolled:
            kinds &= set(self.rules["pre_roll_cards"])
        found = set()
        if "knight" in kinds:
            found |= {f"knight T{tile}" for tile in self.robber_tiles()}
        if "monopoly" in kinds:
            found |= {f"monopoly {r}" for r in RESOURCES}
        if "plenty" in kinds:
            found |= {f"plenty {r}" for r in RESOURCES if self.bank[r]}
        if "roads" in kinds:
            found |= {f"free road {side_name(side)}" for side in self.road_sites(seat)}
        return found

    def spared(self, seat):
        return self.visible(seat) < self.rules["friendly_robber"]

    def robber_tiles(self):
        tiles = [
            tile for tile in range(19)
            if tile != self.robber
            and not any(self.spared(seat) for seat, who in enumerate(self.players)
                        if who.buildings & TILE_PLACES[tile])
        ]  # fmt: skip
        return tiles or [self.terrain.index("desert")]

    def victims(self):
        return [
            seat for seat, who in enumerate(self.players)
            if seat != self.turn and who.buildings & TILE_PLACES[self.robber]
            and sum(who.hand.values()) and not self.spared(seat)
        ]  # fmt: skip
