"""The twin's battles."""

from __future__ import annotations

from games.hispania.twin_rounds import Rounds

FIGHT, RETREAT = 505, 560


class Battles(Rounds):
    def battles(self, nation):
        while True:
            sites = sorted({p.region for p in self.pieces if p.origin}, key=self.names.index)
            if not sites:
                return
            site = sites[0]
            if len(sites) > 1:
                options = {FIGHT + self.names.index(r) for r in sites}
                site = self.names[(yield from self.ask(self.player[nation], options)) - FIGHT]
            yield from self.fight(nation, site)

    def modifier(self, nation, site, attacking, first):
        side = self.attackers(site) if attacking else self.standing(site)
        total = any(p.leads for p in side)
        if attacking:
            total -= self.region_rows[site]["terrain"] == "difficult"
            total -= self.structure[site] in ("fort", "castle")
            total -= first and self.structure[site] == "city"
            total -= first and 2 * sum(p.wet for p in side) > len(side)
        return int(total)

    def fight(self, nation, site):
        defender = self.owner(site)
        for number in range(1, 31):
            yield from self.battle_round(nation, defender, site, number == 1)
            mine = [p for p in self.attackers(site) if not p.leads]
            theirs = self.units(site)
            if not mine or not theirs:
                break
            ways = self.refuges(defender, site)
            if ways:
                options = {RETREAT + self.names.index(r) for r in [site, *ways]}
                answer = yield from self.ask(self.player[defender], options)
                refuge = self.names[answer - RETREAT]
                if refuge != site:
                    for piece in self.standing(site):
                        piece.region = refuge
                    break
            if self.can_go_back(nation, site):
                origin = min(self.names.index(p.origin) for p in self.attackers(site))
                options = {RETREAT + self.names.index(site), RETREAT + origin}
                if number == 30:
                    answer = RETREAT + origin
                else:
                    answer = yield from self.ask(self.player[nation], options)
                if answer == RETREAT + origin:
                    for piece in self.attackers(site):
                        piece.region, piece.origin = piece.origin, ""
                    break
            elif number == 30:
                self.pieces = [p for p in self.pieces if not (p.region == site and p.origin)]
        self.settle_battle(nation, defender, site)

    def settle_battle(self, nation, defender, site):
        mine = self.attackers(site)
        if mine and not any(not p.leads for p in mine):
            for leader in mine:
                self.pieces.remove(leader)
                self.kill(defender, leader)
            mine = []
        if not self.units(site):
            for leader in self.standing(site):
                self.pieces.remove(leader)
                self.kill(nation, leader)
        for piece in self.pieces:
            piece.hp = self.stat(piece, "hp")
        if mine:
            self.beaten.add(defender)
            if self.structure[site] == "fort":
                self.structure[site] = "none"
                self.builder.pop(site, None)
            for piece in mine:
                piece.origin = ""

    def battle_round(self, nation, defender, site, first):
        hits = {True: [], False: []}
        dice = []
        for attacking in (True, False):
            side = self.attackers(site) if attacking else self.standing(site)
            units = sorted((p for p in side if not p.leads), key=lambda p: self.slot(p.type))
            factor = "offence" if attacking else "defence"
            dice += [(attacking, self.stat(unit, factor)) for unit in units]
        modifiers = {a: self.modifier(nation, site, a, first) for a in (True, False)}
        for attacking, factor in dice:
            face = yield from self.roll()
            value = face + modifiers[attacking]
            if face == 6:
                value = max(6, value)
            if face == 6 or (face > 1 and value >= factor):
                hits[attacking].append(value)
        victims = {True: self.units(site),
                   False: [p for p in self.attackers(site) if not p.leads]}  # fmt: skip
        for attacking in (True, False):
            for value in sorted(hits[attacking], reverse=True):
                self.strike(nation if attacking else defender, victims[attacking], value)

    def strike(self, killer, units, value):
        able = [p for p in units if self.stat(p, "min_die_to_be_killed") <= value]
        sturdy = [p for p in able if p.hp > 1]
        if sturdy:
            sturdy[0].hp -= 1
        elif able:
            cost = min(self.stat(p, "cost") for p in able)
            victim = [p for p in able if self.stat(p, "cost") == cost][-1]
            units.remove(victim)
            self.pieces.remove(victim)
            self.kill(killer, victim)

    def room_for(self, nation, region, pieces):
        if not self.open(nation, region) or self.owner(region) not in (None, nation):
            return False
        leader = any(p.leads for p in pieces)
        if leader and any(p.leads for p in self.standing(region)):
            return False
        units = sum(not p.leads for p in pieces)
        return len(self.units(region)) + units <= self.limit(nation, region, leader)

    def refuges(self, nation, site):
        origins = {p.origin for p in self.attackers(site)}
        return [
            r for r, kind in self.edges[site].items()
            if kind != "strait" and r not in origins and not self.attackers(r)
            and self.room_for(nation, r, self.standing(site))
        ]  # fmt: skip

    def can_go_back(self, nation, site):
        origins = {p.origin for p in self.attackers(site)}
        return all(
            self.room_for(nation, r, [p for p in self.attackers(site) if p.origin == r])
            for r in origins
        )
