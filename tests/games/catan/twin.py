"""Catan a second time, slow and plain: what moves, dice and cards do to a `Table`."""

from __future__ import annotations

from collections import Counter

from games.catan.island import EDGES, TILE_PLACES, side_name
from games.catan.twin_table import COSTS, DEALS, RESOURCES, WAYS, Table

__all__ = ["RESOURCES", "Twin"]


def named(words):
    """A deal by its text."""
    return next(deal for deal in DEALS if str(deal) == " ".join(words))


class Twin(Table):
    """One game beside the kernels."""

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
                self.victim = int(victim) - 1
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
            case ["offer", *deal]:
                self.offer, self.agreed = named(deal), {}
                self.offers_left -= 1
                self.ask_player(seat)
            case ["accept"]:
                self.agreed[seat] = self.offer
                self.ask_player(seat)
            case ["refuse"]:
                self.ask_player(seat)
            case ["counter", *deal]:
                self.agreed[seat] = named(deal)
                self.ask_player(seat)
            case ["deal", "with", other]:
                self.swap(int(other) - 1)
                self.resume()
            case ["no", "deal"]:
                self.resume()
        self.check_win()

    def ask_player(self, seat):
        """Whoever has cards enough answers, in the order of the table."""
        count = len(self.players)
        for k in range(1, count):
            other = (seat + k) % count
            if other == self.turn:
                break
            if sum(self.players[other].hand.values()) >= self.offer.number:
                self.deciding, self.need = other, "answer"
                return
        if self.agreed:
            self.deciding, self.need = self.turn, "partner"
        else:
            self.resume()

    def swap(self, other):
        deal, mine, theirs = self.agreed[other], *(self.players[k].hand for k in (self.turn, other))
        mine.subtract({deal.given: deal.price})
        theirs.update({deal.given: deal.price})
        theirs.subtract({deal.received: deal.number})
        mine.update({deal.received: deal.number})

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
        self.offer, self.offers_left = None, self.rules["offers"]
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
