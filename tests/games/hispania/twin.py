"""Hispania a second time: pieces as objects, plain Python, written from docs/games/hispania.md.

Slow and obvious. Shares with the game only the data files and the numbering of the decisions.
"""

from __future__ import annotations

import itertools

from games.hispania.twin_battle import Battles
from games.hispania.twin_map import rounds, split

BUY, FROM, STOP, WITH, TO, REMOVE = 0, 330, 385, 386, 450, 615


class Twin(Battles):
    def __init__(self, scenario):
        super().__init__(scenario)
        self.seat = None
        self.flow = self.game()
        self.legal = None
        next(self.flow)

    def game(self):
        while True:
            self.start_round()
            for nation in self.codes:
                if any(p.nation == nation for p in self.pieces):
                    yield from self.turn(nation)
            self.end_round()
            if self.round == self.last_round:
                self.seat = -2
                self.legal = set()
                yield
            self.round += 1

    def turn(self, nation):
        self.nation = nation
        self.beaten = set()
        yield from self.growth(nation)
        for _ in range(2 if nation in self.major else 1):
            for piece in self.pieces:
                piece.moved = False
            yield from self.movement(nation)
            yield from self.battles(nation)
        if self.submission:
            self.submit(nation)
        yield from self.overpopulation(nation)
        held = set(self.held(nation))
        for row in self.scoring(nation, "conquest"):
            for region in split(row["targets"]):
                if region in held and (nation, region) not in self.paid:
                    self.paid.add((nation, region))
                    self.vp[nation] += int(row["vp"])
        for piece in self.pieces:
            piece.moved = False

    def growth(self, nation):
        points = 0
        for region in self.held(nation):
            points += int(self.region_rows[region]["pop"])
            if self.structure[region] == "city" and not self.offmap(region):
                points += 2
        if nation in self.halved:
            points = -(-points // 2)
        if nation in self.overlord:
            self.pool[self.overlord[nation]] += points // 2
            points = -(-points // 2)
        self.pool[nation] += points
        while True:
            options = self.purchases(nation)
            if not options:
                break
            slot, region = divmod((yield from self.ask(self.player[nation], options)), 55)
            name = self.names[region]
            kind = self.slots[nation, slot]
            self.pool[nation] -= int(self.stats[nation, kind]["cost"])
            if slot < 3:
                self.add(nation, kind, name)
            else:
                self.structure[name] = kind.lower()
                self.builder[name] = nation
        self.pool[nation] = min(self.pool[nation], 8)

    def purchases(self, nation):
        found = set()
        for slot in range(6):
            kind = self.slots.get((nation, slot))
            if kind is None or int(self.stats[nation, kind]["cost"]) > self.pool[nation]:
                continue
            if slot < 3:
                left = self.quantity_left(nation, kind)
            else:
                used = [r for r, b in self.builder.items() if b == nation
                        and self.structure[r] == kind.lower()]  # fmt: skip
                left = int(self.stats[nation, kind]["quantity"]) - len(used)
            if left <= 0:
                continue
            for region in self.held(nation):
                if not self.offmap(region) and self.fits(nation, slot, region):
                    found.add(BUY + slot * 55 + self.names.index(region))
        return found

    def fits(self, nation, slot, region):
        if slot < 3:
            return len(self.units(region)) < self.limit(nation, region)
        stands = self.structure[region]
        if slot == 3:
            return stands == "none"
        if slot == 4:
            return stands in ("none", "fort")
        row = self.region_rows[region]
        return stands in ("none", "fort") and row["terrain"] == "clear" and int(row["pop"]) >= 2

    def stack(self, region):
        """Own pieces in the order that group masks use."""
        order = {"LEA": 0, "CAV": 2, "INF": 3}
        return sorted(self.standing(region), key=lambda p: (order.get(p.type, 1), p.moved))

    def groups(self, region):
        """{mask: pieces} of every different choice of unmoved pieces."""
        stack = self.stack(region)
        found = {}
        for size in range(1, 7):
            for chosen in itertools.combinations(range(len(stack)), size):
                pieces = [stack[k] for k in chosen]
                if any(p.moved for p in pieces):
                    continue
                kinds = tuple(sorted(p.type for p in pieces))
                mask = sum(1 << k for k in chosen)
                if kinds not in found or mask < found[kinds][0]:
                    found[kinds] = (mask, pieces)
        return dict(found.values())

    def walk(self, nation, origin, pieces):
        """{region: entered dry-shod somehow?} that a group can enter over land."""
        leader = any(p.leads for p in pieces)
        full = min(self.stat(p, "mp") for p in pieces) + leader
        entered = {}
        front = [(origin, full)]
        seen = set()
        while front:
            here, left = front.pop()
            if (here, left) in seen:
                continue
            seen.add((here, left))
            for there, kind in self.edges[here].items():
                terrain = self.region_rows[there]["terrain"]
                cost = 2 if terrain == "poor" else 1
                if not self.open(nation, there) or (cost > left and left < full) or left <= 0:
                    continue
                if there != origin:
                    entered[there] = entered.get(there, False) or kind == "land"
                who = self.owner(there)
                if who is not None and self.hostile(nation, who) and who != nation:
                    continue
                if not leader and (terrain == "difficult" or kind == "strait"):
                    continue
                front.append((there, left - cost))
        return entered

    def sail(self, nation, origin):
        row = self.nation_rows[nation]
        if not row["ships_rounds"] or self.round not in rounds(row["ships_rounds"]):
            return set()
        seas = set(split(self.region_rows[origin]["seas"]))
        if row["ships_range"] == "2":
            seas |= {other for sea in seas for other in self.seas[sea]}
        return {
            r for r in self.names
            if r != origin and self.open(nation, r)
            and seas & set(split(self.region_rows[r]["seas"]))
        }  # fmt: skip

    def ends(self, nation, origin, pieces):
        leader = any(p.leads for p in pieces)
        units = sum(not p.leads for p in pieces)
        found = set()
        for region in set(self.walk(nation, origin, pieces)) | self.sail(nation, origin):
            who, units_there = self.owner(region), self.units(region)
            own = who == nation
            if who is not None and not own and not self.hostile(nation, who):
                continue
            if who is not None and not own and units_there:
                there = self.attackers(region)
                led = any(p.leads for p in there)
                if leader and led:
                    continue
                most = 5 if self.offmap(region) else self.base_limit(region) + (leader or led)
                fits = units + sum(not p.leads for p in there) <= most and units > 0
            elif own:
                if leader and any(p.leads for p in self.standing(region)):
                    continue
                fits = len(units_there) + units <= self.limit(nation, region, leader)
                fits = fits and (units > 0 or bool(units_there))
            else:
                fits = 0 < units <= self.limit(nation, region, leader)
            if fits:
                found.add(region)
        return found

    def movement(self, nation):
        while True:
            ways = {}
            for region in {p.region for p in self.pieces if p.nation == nation and not p.origin}:
                options = {m: self.ends(nation, region, g) for m, g in self.groups(region).items()}
                options = {m: e for m, e in options.items() if e}
                if options:
                    ways[region] = options
            if not ways:
                break
            player = self.player[nation]
            chosen = yield from self.ask(
                player, {STOP} | {FROM + self.names.index(r) for r in ways}
            )
            if chosen == STOP:
                break
            origin = self.names[chosen - FROM]
            masks = ways[origin]
            mask = next(iter(masks))
            if len(masks) > 1:
                mask = (yield from self.ask(player, {WITH + m for m in masks})) - WITH
            goals = {TO + self.names.index(r) for r in masks[mask]}
            target = self.names[(yield from self.ask(player, goals)) - TO]
            self.move(nation, origin, self.groups(origin)[mask], target)
        for region in self.held(nation):
            while len(self.units(region)) > self.limit(nation, region):
                self.pieces.remove(min(self.units(region), key=lambda p: self.stat(p, "cost")))

    def move(self, nation, origin, pieces, target):
        who = self.owner(target)
        battle = who not in (None, nation) and bool(self.units(target))
        wet = not self.walk(nation, origin, pieces).get(target, False)
        if who not in (None, nation) and not battle:
            for leader in self.standing(target):
                self.pieces.remove(leader)
                self.kill(nation, leader)
        for piece in pieces:
            piece.region, piece.moved = target, True
            if battle:
                piece.origin, piece.wet = origin, wet
                self.pieces.remove(piece)  # the list keeps attackers in the order they came
                self.pieces.append(piece)

    def submit(self, nation):
        for other in split(self.nation_rows[nation]["can_vassalise"]):
            if other in self.beaten:
                most = int(self.nation_rows[other]["submit_at_regions"])
                led = any(p.nation == other and p.leads for p in self.pieces)
                if 1 <= len(self.held(other)) <= most and not led:
                    self.overlord[other] = nation

    def overpopulation(self, nation):
        while True:
            mine = [p for p in self.pieces if p.nation == nation and not p.leads]
            here = [p for p in mine if not self.offmap(p.region)]
            if len(here) <= 2 * len({p.region for p in here}):
                return
            options = {REMOVE + self.slot(p.type) * 55 + self.names.index(p.region) for p in here}
            slot, region = divmod((yield from self.ask(self.player[nation], options)) - REMOVE, 55)
            self.pieces.remove(
                next(p for p in here
                     if self.slot(p.type) == slot and p.region == self.names[region])
            )  # fmt: skip

    def play(self, action):
        self.flow.send(action)
