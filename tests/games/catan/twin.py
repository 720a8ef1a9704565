"""Catan a second time, slow and plain, written from the rules page: sets, dicts and text moves."""

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


class Twin:
    """One game. `deciding` is a seat, "chance" or "over"; `need` says what is awaited."""

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
        self.trails = {}  # lengths already worked out

    # What is on the board

    def holder(self, place):
        return next((p for p, who in enumerate(self.players) if place in who.buildings), None)

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
        best = 4
        for kind, side in zip(self.harbours, HARBOUR_EDGES, strict=True):
            if side & self.players[seat].buildings:
                if kind == "3:1":
                    best = min(best, 3)
                elif kind == resource:
                    best = 2
        return best

    def trail(self, seat):
        """Longest road by trying every trail there is."""
        roads = self.players[seat].roads
        foreign = frozenset(place for place in range(54) if self.holder(place) not in (None, seat))
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
                return {f"steal from {victim}" for victim in self.victims()}
            case "free road":
                roads = {f"free road {side_name(side)}" for side in self.road_sites(seat)}
                return roads | {"no more roads"}
            case "plenty":
                return {f"plenty {r}" for r in RESOURCES if self.bank[r]}
        return self.builds(seat) | self.card_plays(seat) | {"end turn"}

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

    # What happens

    def play(self, text):
        words = text.split()
        seat, who = self.deciding, self.players[self.deciding]
        if text == "end turn":
            self.end_turn()
            return
        match words:
            case ["settle", place] if self.need == "first settlement":
                self.first_settlement(seat, int(place))
                return
            case ["road", side] if self.need == "first road":
                self.lay(seat, side)
                self.order.pop(0)
                if self.order:
                    self.turn = self.deciding = self.order[0]
                    self.need = "first settlement"
                else:
                    self.begin(0)
                return
            case ["settle", place]:
                self.pay(seat, COSTS["settlement"])
                who.settlements.add(int(place))
                self.award_road()
            case ["road", side]:
                self.pay(seat, COSTS["road"])
                self.lay(seat, side)
            case ["city", place]:
                self.pay(seat, COSTS["city"])
                who.settlements.remove(int(place))
                who.cities.add(int(place))
            case ["buy", "card"]:
                self.pay(seat, COSTS["card"])
                self.deciding, self.need = "chance", "card"
            case ["trade", number, given, "for", received]:
                self.pay(seat, Counter({given: int(number)}))
                self.earn(seat, received, 1)
            case ["knight", tile]:
                self.spend_card(seat, "knight")
                knights = who.played["knight"]
                holder = self.largest
                if knights >= 3 and (
                    holder is None or knights > self.players[holder].played["knight"]
                ):
                    self.largest = seat
                self.move_robber(int(tile[1:]))
            case ["robber", tile]:
                self.move_robber(int(tile[1:]))
            case ["steal", "from", victim]:
                self.victim = int(victim)
                self.deciding, self.need = "chance", "theft"
            case ["monopoly", resource]:
                self.spend_card(seat, "monopoly")
                for other in self.players:
                    if other is not who:
                        who.hand[resource] += other.hand.pop(resource, 0)
                self.resume()
            case ["plenty", resource]:
                if self.need != "plenty":
                    self.spend_card(seat, "plenty")
                    self.left = 2
                self.earn(seat, resource, 1)
                self.left -= 1
                self.need = "plenty"
                if not self.left or not sum(self.bank.values()):
                    self.resume()
            case ["free", "road", side]:
                if self.need != "free road":
                    self.spend_card(seat, "roads")
                    self.left = 2
                self.lay(seat, side)
                self.left -= 1
                self.need = "free road"
                if not self.left or not self.road_sites(seat):
                    self.resume()
            case ["no", "more", "roads"]:
                self.resume()
            case ["discard", resource]:
                self.pay(seat, Counter({resource: 1}))
                self.owed[seat] -= 1
                if not self.owed[seat]:
                    self.ask_discards()
            case ["roll"]:
                self.ask_dice()
        self.check_win()

    def first_settlement(self, seat, place):
        self.players[seat].settlements.add(place)
        if len(self.players[seat].settlements) == 2:
            for tile in range(19):
                if place in TILE_PLACES[tile] and self.terrain[tile] != "desert":
                    self.earn(seat, self.terrain[tile], 1)
        self.anchor, self.need = place, "first road"

    def lay(self, seat, name):
        self.players[seat].roads.add(next(side for side in EDGES if side_name(side) == name))
        self.award_road()

    def pay(self, seat, cost):
        self.players[seat].hand.subtract(cost)
        self.bank.update(cost)

    def earn(self, seat, resource, number):
        self.players[seat].hand[resource] += number
        self.bank[resource] -= number

    def spend_card(self, seat, kind):
        self.players[seat].cards[kind] -= 1
        self.players[seat].played[kind] += 1
        self.card_played = True

    def move_robber(self, tile):
        self.robber = tile
        victims = self.victims()
        if not victims:
            self.resume()
        elif len(victims) == 1:
            (self.victim,) = victims
            self.deciding, self.need = "chance", "theft"
        else:
            self.deciding, self.need = self.turn, "steal"

    def begin(self, seat):
        self.turn, self.rolled, self.card_played = seat, False, False
        for who in self.players:
            who.fresh.clear()
        self.resume()
        self.check_win()

    def end_turn(self):
        self.turns += 1
        if self.turns == self.rules["turn_limit"]:
            self.deciding = "over"
        else:
            self.begin((self.turn + 1) % len(self.players))

    def resume(self):
        self.deciding = self.turn
        if self.rolled:
            self.need = "build"
        elif self.may_act_before_roll():
            self.need = "before the roll"
        else:
            self.ask_dice()

    def may_act_before_roll(self):
        who = self.players[self.turn]
        return not self.card_played and any(
            who.cards[kind] > who.fresh[kind] for kind in self.rules["pre_roll_cards"]
        )

    def check_win(self):
        if self.deciding != "over" and self.points(self.turn) >= self.rules["target"]:
            self.winner, self.deciding = self.turn, "over"

    # What chance does

    def ask_dice(self):
        self.deciding, self.need = "chance", "dice"
        if sum(self.dice.values()) < self.rules["deck_reshuffle"]:
            self.dice = Counter(WAYS)

    def outcomes(self):
        if self.need == "theft":
            hand = self.players[self.victim].hand
            weights = {f"stole {r}": hand[r] for r in RESOURCES}
        elif self.need == "card":
            weights = {f"drew {kind}": number for kind, number in self.deck.items()}
        else:
            weights = {f"rolled {total}": self.weight(total) for total in WAYS}
        total = sum(weights.values())
        return {text: weight / total for text, weight in weights.items() if weight > 0}

    def weight(self, total):
        if self.rules["dice"] == "fair":
            return WAYS[total]
        hits = self.recent[: self.rules["deck_memory"]].count(total)
        weight = self.dice[total] * max(0, 1 - self.rules["deck_recent"] * hits)
        return weight * self.seven_factor() if total == 7 else weight

    def seven_factor(self):
        rollers, count = self.seven_rollers, len(self.players)
        factor = 1.0
        if len(rollers) >= count:
            share = rollers.count(self.turn) / len(rollers)
            factor += (1 / count - share) / (1 / count)
        streak = 0
        while streak < len(rollers) and rollers[-1 - streak] == rollers[-1]:
            streak += 1
        if streak:
            sign = -1 if rollers[-1] == self.turn else 1
            factor += sign * self.rules["deck_streak"] * streak
        return min(max(factor, 0.0), 2.0)

    def happen(self, text):
        word = text.split()[1]
        if self.need == "theft":
            self.players[self.victim].hand[word] -= 1
            self.players[self.turn].hand[word] += 1
            self.victim = None
            self.resume()
        elif self.need == "card":
            who = self.players[self.turn]
            self.deck[word] -= 1
            who.cards[word] += 1
            who.fresh[word] += 1
            self.resume()
        else:
            self.roll(int(word))
        self.check_win()

    def roll(self, total):
        self.rolled, self.last_roll = True, total
        if self.rules["dice"] == "balanced":
            self.dice[total] -= 1
            self.recent.insert(0, total)
            if total == 7:
                self.seven_rollers.append(self.turn)
        if total == 7:
            for seat, who in enumerate(self.players):
                size = sum(who.hand.values())
                if size > self.rules["discard_limit"]:
                    up = self.rules["discard_rounding"] == "up"
                    self.owed[seat] = -(-size // 2) if up else size // 2
            self.ask_discards()
            return
        claims = {r: Counter() for r in RESOURCES}
        for tile in range(19):
            if self.tokens[tile] == total and tile != self.robber:
                for seat, who in enumerate(self.players):
                    number = len(who.settlements & TILE_PLACES[tile])
                    number += 2 * len(who.cities & TILE_PLACES[tile])
                    if number:
                        claims[self.terrain[tile]][seat] += number
        for resource, owed in claims.items():
            if sum(owed.values()) <= self.bank[resource]:
                for seat, number in owed.items():
                    self.earn(seat, resource, number)
            elif len(owed) == 1 and self.rules["bank_rule"] == "sole-claimant":
                self.earn(next(iter(owed)), resource, self.bank[resource])
        self.resume()

    def ask_discards(self):
        count = len(self.players)
        for seat in [(self.turn + k) % count for k in range(count)]:
            if self.owed[seat]:
                self.deciding, self.need = seat, "discard"
                return
        self.deciding, self.need = self.turn, "robber"
