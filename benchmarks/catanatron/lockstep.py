"""Both rules in lock-step: the same boards, seats, moves and chance, every position compared.

    python benchmarks/catanatron/lockstep.py --games 500 [--players 2] [--python PY] [--json]

Half of the games are random, half weighted random. After every event the positions must be equal,
and at every decision the legal actions. Known deviations are counted by name (`exemptions.py`) and
Catanatron's side is then set right, so that the comparison goes on to the end of the game.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections import Counter
from typing import Any

import numpy as np
from exemptions import explain_offers, explain_tables
from link import start_catanatron
from translate import SCENARIO, board_of, describe, rules_of, say

from stratagem.agents import Agent, make_agent
from stratagem.agents.external_process import ExternalProcess
from stratagem.core.game import Game
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import derive_seed, derive_seeds
from stratagem.games.catan import state as catan

COMPARED = ("settle-first", "road-first", "before-roll", "discard", "robber", "build", "free-road")
IGNORED = ("phase", "turns", "ready", "anchor", "rolled", "winner")


class Pair:
    """One game on both sides."""

    def __init__(self, game: Game, other: ExternalProcess, name: str, seed: int) -> None:
        self.game, self.other, self.name = game, other, name
        self.states = game.new_states(np.array([derive_seed(seed, "board")], np.uint64))
        self.exempt: Counter[str] = Counter()
        self.divergences: list[str] = []
        self.events = 0
        self._later: list[tuple[int, list[Any]]] = []  # discards by seat, until all are made
        self._sent: list[tuple[list[Any], int | None]] = []
        self._robber: list[Any] | None = None  # tile chosen, its victim still open
        self._plenty: list[int] = []
        other.ask(
            {
                "do": "new", "game": name, "players": ["ours"] * int(self.state["players"]),
                "board": board_of(self.state), "rules": rules_of(self.state), "seed": 1,
            }
        )  # fmt: skip
        self.theirs = other.ask({"do": "apply", "game": name, "actions": []})

    @property
    def state(self) -> Any:
        return self.states[0]

    def play(self, agent: Agent, seed: int) -> None:
        """To the end, or to the first difference that nothing explains."""
        for ply in itertools.count():
            word = derive_seeds(seed, "ply", ply, count=1)
            if self.state["seat"] == OVER or self.divergences:
                break
            if self.state["seat"] == CHANCE:
                event = int(self.game.draw(self.states, word)[0])
                self._chance(event)
            else:
                self._compare_offers()
                event = int(agent.act(self.states, word)[0])
                self._decide(event)
            self.events += 1
        if not self.divergences and self.theirs["table"]["winner"] != int(self.state["winner"]):
            self._diverge("winner", self.theirs["table"]["winner"])
        self.other.ask({"do": "drop", "game": self.name})

    # -- one event ---------------------------------------------------------------------------

    def _decide(self, action: int) -> None:
        said, seat = say(self.state, action), int(self.state["seat"])
        phase = int(self.state["phase"])
        if said[0] == "knight":
            self._show_knight()
        self.game.kernels.step(self.states, np.array([action], np.int32))
        match said[0]:
            case "roll" | "buy":
                return  # sent with the outcome
            case "knight" | "robber":
                self._robber = [said[1], -1]
            case "steal":
                assert self._robber is not None
                self._robber[1] = said[1]
            case "plenty":
                self._plenty.append(said[1])
                if self.state["phase"] != catan.TAKE_PLENTY or self.state["seat"] == OVER:
                    self._sent.append((["plenty", *sorted(self._plenty)], None))
                    self._plenty = []
            case "free-road":
                if phase != catan.FREE_ROAD:
                    self._sent.append((["roads"], None))
                self._sent.append((["road", *said[1:]], None))
            case "end" if phase == catan.FREE_ROAD:
                self.exempt["second free road forced"] += 1
                self._amend()
                return
            case "discard":
                self._discard(said, seat)
            case _:
                self._sent.append((said, None))
        if self._robber is not None:
            asked = int(self.state["phase"]) in (catan.CHOOSE_VICTIM, catan.STEAL)
            if asked and self.state["seat"] != OVER:
                return  # sent with its victim and the stolen card
            self._send_robber(None)
        self._flush(said[0])

    def _discard(self, said: list[Any], seat: int) -> None:
        """Here the roller discards first, there the lowest seat: send them in their order."""
        self._later.append((seat, said))
        if any(int(n) for n in self.state["owed"]):
            return
        ordered = sorted(self._later, key=lambda one: one[0])
        if ordered != self._later:
            self.exempt["order of discards"] += 1
        self._sent += [(discard, None) for _, discard in ordered]
        self._later = []

    def _chance(self, outcome: int) -> None:
        phase = int(self.state["phase"])
        thief_robs = int(self.state["victim"])
        self.game.kernels.step(self.states, np.array([outcome], np.int32))
        if phase == catan.ROLL:
            self._sent.append((["roll"], outcome))
            self._flush("roll")
        elif phase == catan.STEAL:
            assert self._robber is not None
            self._robber[1] = thief_robs
            self._send_robber(outcome)
            self._flush("robber")
        else:
            self._sent.append((["buy"], outcome))
            self._flush("buy")

    def _send_robber(self, stolen: int | None) -> None:
        assert self._robber is not None
        self._sent.append((["robber", *self._robber], stolen))
        self._robber = None

    def _flush(self, event: str) -> None:
        if not self._sent:
            return
        self.theirs = self.other.ask({"do": "apply", "game": self.name, "actions": self._sent})
        self._sent = []
        self._compare_tables(event)

    # -- comparing ---------------------------------------------------------------------------

    def _compare_tables(self, event: str) -> None:
        ours, theirs = describe(self.state), dict(self.theirs["table"])
        if self.state["seat"] == OVER or int(self.state["seat"]) == CHANCE:
            ours["seat"] = theirs["seat"]  # they ask for the roll, here the dice fall
        if self.state["seat"] == OVER:
            for key in ("owed", "turn_seat", "card_played"):  # no turn follows
                ours[key] = theirs[key]
        if sum(n > 0 for n in ours["owed"]) > 1:
            ours["seat"] = theirs["seat"]  # who discards first does not matter
        for key in IGNORED:
            theirs[key] = ours[key]
        theirs["winner"] = self.theirs["table"]["winner"]
        if self.state["seat"] != OVER and not self._is_ready(ours):
            self._diverge("ready cards", self.theirs["table"]["ready"])
        for _ in range(4):
            if ours == theirs:
                return
            reason = explain_tables(ours, theirs, event)
            if reason is None:
                break
            self.exempt[reason] += 1
            if reason == "win off turn":
                return
            self._amend()
            for key in ("hands", "bank", "lengths", "road_holder", "points", "winner"):
                theirs[key] = self.theirs["table"][key]
        if ours != theirs:
            wrong = {k: (ours[k], theirs[k]) for k in ours if ours[k] != theirs[k]}
            self._diverge(f"position after {event}", wrong)

    def _is_ready(self, ours: dict[str, Any]) -> bool:
        """Which cards may be played as far as the turn they were bought in is concerned."""
        if ours["card_played"]:
            return True  # none may be played any more
        held = ours["cards"][ours["turn_seat"]]
        flags = self.theirs["table"]["ready"]
        return all(
            ours["ready"][kind] == (flags[kind] and held[kind] > 0)
            for kind in range(catan.KINDS)
            if kind != catan.POINT
        )

    def _compare_offers(self) -> None:
        table = describe(self.state)
        elsewhere = table["seat"] != self.theirs["table"]["seat"] or self._later
        if table["phase"] not in COMPARED or elsewhere:
            return
        self._compare_legal(self._our_offers(), self._their_offers(), table)

    def _show_knight(self) -> None:
        """They play the card first and ask for the tile then: compare where the robber may go."""
        sent = [(["knight"], None)]
        self.theirs = self.other.ask({"do": "apply", "game": self.name, "actions": sent})
        legal = (say(self.state, a) for a in self.game.legal_actions(self.state))
        ours = {("robber", offer[1]) for offer in legal if offer[0] == "knight"}
        table = describe(self.state)
        table["points_after"] = self.theirs["table"]["points"]
        self._compare_legal(ours, self._their_offers(), table)

    def _their_offers(self) -> set[tuple[Any, ...]]:
        """What they offer; the robber's victim is compared when it is robbed."""
        return {
            tuple(offer[:2] if offer[0] == "robber" else offer) for offer in self.theirs["playable"]
        }

    def _our_offers(self) -> set[tuple[Any, ...]]:
        legal = {tuple(say(self.state, a)) for a in self.game.legal_actions(self.state)}
        plain = {o for o in legal if o[0] not in ("knight", "free-road", "plenty")}
        plain |= {("knight",)} if any(offer[0] == "knight" for offer in legal) else set()
        roads = {offer[1:] for offer in legal if offer[0] == "free-road"}
        if roads:
            in_hand = self.state["phase"] == catan.FREE_ROAD
            plain |= {("road", *road) for road in roads} if in_hand else {("roads",)}
        if any(offer[0] == "plenty" for offer in legal):
            plain |= self._pairs()
        return plain

    def _pairs(self) -> set[tuple[Any, ...]]:
        """Both cards of a year of plenty, as the bank allows."""
        bank = [int(n) for n in self.state["bank"]]
        if sum(bank) == 1:
            return {("plenty", bank.index(1))}
        pairs = itertools.combinations_with_replacement(range(catan.RESOURCES), 2)
        return {
            ("plenty", a, b) for a, b in pairs if bank[a] > 0 and bank[b] > (1 if a == b else 0)
        }

    def _compare_legal(
        self, ours: set[tuple[Any, ...]], theirs: set[tuple[Any, ...]], table: dict[str, Any]
    ) -> None:
        if ours == theirs:
            return
        names = explain_offers(ours, theirs, table, int(self.state["friendly_robber"]))
        if names is None:
            only = (sorted(ours - theirs), sorted(theirs - ours))
            self._diverge(f"legal actions, {table['phase']}", only)
        else:
            self.exempt.update(set(names))

    def _amend(self) -> None:
        table = describe(self.state)
        self.theirs = self.other.ask({"do": "amend", "game": self.name, "table": table})

    def _diverge(self, what: str, detail: Any) -> None:
        self.divergences.append(f"game {self.name}, event {self.events}: {what}: {detail}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--python", help="Python with Catanatron; default: $CATANATRON_PYTHON")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    game = load_game(f"{SCENARIO}&players={given.players}")
    exempt: Counter[str] = Counter()
    affected: Counter[str] = Counter()
    divergences, events = [], 0
    with start_catanatron(given.python) as other:
        for number in range(given.games):
            agent = make_agent(("random", "weighted-random")[number % 2], game)
            seed = derive_seed(given.seed, "lock-step", number)
            pair = Pair(game, other, str(number), seed)
            pair.play(agent, seed)
            exempt += pair.exempt
            affected.update(set(pair.exempt))
            divergences += pair.divergences
            events += pair.events
    report = {
        "games": given.games, "players": given.players, "events": events,
        "divergences": divergences,
        "exempt": {name: {"events": n, "games": affected[name]} for name, n in exempt.items()},
    }  # fmt: skip
    print(json.dumps(report, indent=None if given.json else 2))
    raise SystemExit(1 if divergences else 0)


if __name__ == "__main__":
    main()
