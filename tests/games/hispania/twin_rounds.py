"""The twin's rounds: events, arrivals, and the count at the end."""

from __future__ import annotations

from games.hispania.twin_map import Map, rounds, split


class Rounds(Map):
    def start_round(self):
        self.major = set()
        self.halved = set()
        for event in self.event_rows:
            if int(event["round"]) != self.round or event["nation"] not in self.codes:
                continue
            nation = event["nation"]
            if event["event"] == "leave":
                self.leave(nation)
            elif event["event"] == "transform":
                self.transform(nation, event["value"], event["param"])
            else:
                self.halved.add(nation)
        for nation in self.codes:
            for number, row in enumerate(self.arrival_rows):
                if row["nation"] != nation:
                    continue
                if int(row["round"]) == self.round:
                    self.announce(number, row)
                for entry in [w for w in self.waiting if w[0] == number]:
                    self.arrive(row, entry)

    def leave(self, nation):
        for row in self.scoring(nation, "exit"):
            if set(split(row["targets"])) & set(self.held(nation)):
                count = sum(p.nation == nation and not p.leads for p in self.pieces)
                self.vp[nation] += int(row["vp"]) * min(count, int(row["param"]))
        self.vanish(nation)

    def vanish(self, nation):
        self.pieces = [p for p in self.pieces if p.nation != nation]
        self.waiting = [w for w in self.waiting if self.arrival_rows[w[0]]["nation"] != nation]
        self.pool[nation] = 0
        self.overlord.pop(nation, None)
        self.overlord = {v: o for v, o in self.overlord.items() if o != nation}

    def transform(self, nation, heir, param):
        key, _, value = param.partition("=")
        held = self.held(nation)
        if key == "max_regions" and len(held) > int(value):
            return
        if key == "regions":
            held = [r for r in held if r in value.split()]

        def rank(r):
            return (self.structure[r] != "city", -int(self.region_rows[r]["pop"]))

        founded = 0
        for region in sorted(held, key=rank):
            self.pieces = [p for p in self.pieces if p.region != region]
            if self.structure[region] == "fort":
                self.structure[region] = "none"
                self.builder.pop(region, None)
            if heir not in self.codes or not self.open(heir, region):
                continue
            wanted = 2 if self.structure[region] == "city" else 1
            given = min(wanted, self.quantity_left(heir, "INF"))
            self.add(heir, "INF", region, given)
            founded += given
        if key == "min" and founded < int(value):
            self.vp[nation] -= int(value) - founded
        if key != "regions":
            self.vanish(nation)

    def announce(self, number, row):
        nation = row["nation"]
        if row["mode"] == "home" and not any(p.nation == nation for p in self.pieces):
            return
        if row["revolt"] == "1":
            self.overlord.pop(nation, None)
        if row["major_invasion"] == "1":
            self.major.add(nation)
        types = []
        for part in split(row["units"]):
            kind, amount = part.split(":")
            types += [kind] * int(amount)
        self.waiting.append([number, types, bool(row["leader"])])

    def arrive(self, row, entry):
        nation = row["nation"]
        if int(row["leader_until"]) < self.round:
            entry[2] = False
        kept = []
        for kind in entry[1]:
            if kept.count(kind) < self.quantity_left(nation, kind):
                kept.append(kind)
        entry[1] = sorted(kept, key=self.slot, reverse=True)
        listed = split(row["regions"])
        if row["mode"] == "entry":
            for region in listed:
                coast = bool(self.region_rows[region]["seas"])
                free = self.owner(region) in (None, nation)
                if free and self.open(nation, region) and (self.offmap(region) or coast):
                    self.fill(row, region, entry)
            if not entry[1] and not entry[2]:
                self.waiting.remove(entry)
            return
        if row["mode"] == "home":
            for region in listed + self.names:
                if self.holder(region) == nation:
                    self.fill(row, region, entry)
        else:
            self.settle(row, listed, entry)
        self.waiting.remove(entry)

    def fill(self, row, region, entry):
        nation = row["nation"]
        has_leader = any(p.leads for p in self.standing(region))
        if entry[2] and not has_leader and (entry[1] or self.units(region)):
            self.add(nation, "LEA", region, until=int(row["leader_until"]))
            entry[2] = False
        while entry[1] and len(self.units(region)) < self.limit(nation, region):
            self.add(nation, entry[1].pop(0), region)

    def settle(self, row, listed, entry):
        nation = row["nation"]
        listed = [r for r in listed if r in self.active]
        free = [r for r in listed if self.owner(r) in (None, nation)]
        if not free:
            enemies = [r for r in listed if self.hostile(nation, self.owner(r))]
            if not enemies:
                return
            free = [min(enemies, key=lambda r: len(self.units(r)))]
            self.expel(free[0])
        for region in free:
            self.fill(row, region, entry)

    def expel(self, region):
        nation = self.owner(region)
        leaving = sorted(self.standing(region), key=lambda p: (not p.leads, -self.slot(p.type)))
        for refuge in sorted(self.edges[region], key=self.names.index):
            if self.holder(refuge) != nation:
                continue
            for piece in leaving:
                if piece.region != region:
                    continue
                if piece.leads:
                    if not any(p.leads for p in self.standing(refuge)):
                        piece.region = refuge
                elif len(self.units(refuge)) < self.limit(nation, refuge):
                    piece.region = refuge
        self.pieces = [p for p in self.pieces if p.region != region]

    def scoring(self, nation, kind):
        return [
            row for row in self.scoring_rows
            if (row["nation"], row["kind"]) == (nation, kind)
            and self.round in rounds(row["rounds"])
        ]  # fmt: skip

    def kill(self, killer, piece):
        for row in self.scoring(killer, "killleader" if piece.leads else "kill"):
            if piece.nation in split(row["targets"]) and row["param"] in ("", "ANY", piece.type):
                self.vp[killer] += int(row["vp"])

    def targets(self, row):
        found = set()
        for word in split(row["targets"]):
            found |= {
                n for n, r in self.region_rows.items()
                if n == word or r["area"] == word or (word == "ALL" and r["area"] != "Offmap")
            }  # fmt: skip
        return found & self.active

    def end_round(self):
        gains = {n: self.count(n) for n in self.codes if any(p.nation == n for p in self.pieces)}
        for nation, points in gains.items():
            self.vp[nation] += points
        self.pieces = [p for p in self.pieces if not (p.leads and p.until <= self.round)]
        self.overlord = {v: o for v, o in self.overlord.items() if len(self.held(o)) > 3}

    def count(self, nation):
        total = 0
        mine = set(self.held(nation))
        vassals = [v for v, o in self.overlord.items() if o == nation]
        theirs = {r for v in vassals for r in self.held(v)}
        built = {"hold": {"none", "fort", "castle", "city"}, "city": {"city"},
                 "castle": {"castle"}, "capital": {"castle", "city"}}  # fmt: skip
        for kind, structures in built.items():
            points = 0.0
            for row in self.scoring(nation, kind):
                good = {r for r in self.targets(row) if self.structure[r] in structures}
                points += int(row["vp"]) * (len(good & mine) + len(good & theirs) / 2)
            points = int(points)
            total += points // 2 if nation in self.overlord else points
        for row in self.scoring(nation, "area"):
            for area in split(row["targets"]):
                counts = {
                    n: sum(self.region_rows[r]["area"] == area for r in self.held(n))
                    for n in self.codes
                }
                best = max(v for n, v in counts.items() if n != nation)
                if counts[nation] >= 3 and counts[nation] > best:
                    total += int(row["vp"])
        for row in self.scoring(nation, "survive"):
            total += int(row["vp"]) * (len(mine) >= int(row["param"]))
        for row in self.scoring(nation, "vassal"):
            total += int(row["vp"]) * len(vassals)
        for row in self.scoring(nation, "deny"):
            denied = set(split(row["param"]))
            held = {r for n in split(row["targets"]) if n in self.codes for r in self.held(n)}
            total += int(row["vp"]) * (not denied & held)
        return total
