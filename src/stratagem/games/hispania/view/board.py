"""Hispania as a drawing: the map with stacks, structures and attacks; what decisions touch."""

from __future__ import annotations

from typing import Any

from stratagem.core.scene import Scene
from stratagem.core.seats import CHANCE, OVER
from stratagem.games.hispania.actions import BUY, FIGHT, FROM, REMOVE, RETREAT, STOP, TO, WITH
from stratagem.games.hispania.board.arrays import CODES, GAME_DATA, NATIONS, REGIONS, STACK
from stratagem.games.hispania.notation.codes import PHASES, describe_turn
from stratagem.games.hispania.rules.step import score
from stratagem.games.hispania.view.map import sheet_of, tinted_ground
from stratagem.games.hispania.view.panels import panels
from stratagem.games.hispania.view.stacks import attacks, control, marks, outline, stack


def view(s: Any) -> Scene:
    active = int(s["active"])
    sheet = sheet_of(active)
    tints = [shape for region in sheet.regions for shape in control(s, sheet, region)]
    shapes = tinted_ground(active, tints)
    for draw in (marks, stack):
        shapes += [shape for region in sheet.regions for shape in draw(s, sheet, region)]
    if s["seat"] != OVER:
        shapes += outline(sheet, int(s["origin"]), "chosen") if s["origin"] >= 0 else []
        shapes += outline(sheet, int(s["site"]), "target") if s["site"] >= 0 else []
        shapes += attacks(s, sheet)
    facts = tuple(_facts(s))
    return Scene(sheet.width, sheet.height, tuple(shapes), facts, panels=panels(s))


def touches(s: Any, action: int) -> tuple[str, ...]:
    """Return the region, then what is bought or removed there, or where its pieces go."""
    if s["seat"] == CHANCE:
        return (f"region:{int(s['site'])}",) if s["site"] >= 0 else ()
    if action < FROM:
        slot, region = divmod(action - BUY, REGIONS)
        return (f"region:{region}", f"type:{slot}")
    if action == STOP:
        return ()
    if action < STOP:
        return (f"region:{action - FROM}",)
    if action < TO:
        mask = action - WITH
        return tuple(f"piece:{place}" for place in range(STACK) if mask >> place & 1)
    if action < FIGHT:
        return (f"region:{int(s['origin'])}", f"region:{action - TO}")
    if action < RETREAT:
        return (f"region:{action - FIGHT}",)
    if action < REMOVE:
        site, region = int(s["site"]), action - RETREAT
        return (f"region:{site}",) if site == region else (f"region:{site}", f"region:{region}")
    slot, region = divmod(action - REMOVE, REGIONS)
    return (f"region:{region}", f"type:{slot}")


def _facts(s: Any) -> list[tuple[str, str]]:
    facts = [("round", str(int(s["round"])))]
    if s["seat"] != OVER:
        facts.append(("turn", describe_turn(s)))
        acting, phase = GAME_DATA.nations[int(s["nation"])].name, PHASES[int(s["phase"])]
        facts.append(("phase", f"{acting}, {phase}"))
    for seat in range(int(s["num_seats"])):
        facts.append((f"player {seat + 1} points", f"{score(s, seat):.0f}"))
    for nation in range(NATIONS):
        if s["player"][nation] >= 0 and (s["owner"] == nation).any():
            overlord = int(s["overlord"][nation])
            lord = f", vassal of {CODES[overlord]}" if overlord >= 0 else ""
            points = f"{int(s['vp'][nation])} VP, pool {int(s['pool'][nation])}{lord}"
            facts.append((GAME_DATA.nations[nation].name, points))
    return facts
