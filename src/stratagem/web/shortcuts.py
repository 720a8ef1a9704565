"""Several decisions in one click: a piece that moves further than one step, and ending a phase.

Nothing here knows a game's rules. A route repeats decisions of one group about one piece; a phase
ends by repeating the actions that game.toml lists as `finish` (units that stay where they are).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from stratagem.core.game import Game
from stratagem.core.knowledge import ends_turn
from stratagem.core.sentences import Reader, as_choice
from stratagem.web.schema import Shortcut

_MOST_POSITIONS = 300  # positions to look at for one piece
_MOST_STEPS = 60


def routes(game: Game, state: Any, piece: str, reader: Reader) -> list[Shortcut]:
    """Return places that a piece reaches by two or more decisions, the nearest first."""
    if game.has_hidden or game.rules.touches is None:
        return []
    found: dict[str, Shortcut] = {}
    reached = {place for _, place, _ in _steps(game, state, piece, None)}
    paths: list[tuple[Any, tuple[int, ...], str | None]] = [(state, (), None)]
    for place, actions, group in paths:  # grows: the nearest places come first
        if len(paths) > _MOST_POSITIONS:
            break
        for action, target, kind in _steps(game, place, piece, group):
            longer = (*actions, action)
            if actions and target not in reached:
                reached.add(target)
                found[target] = _shortcut(game, state, longer, (piece, target), reader)
            elif actions:
                continue  # a shorter way is known
            after = game.after(place, action)
            if int(after["seat"]) == int(state["seat"]):
                paths.append((after, longer, kind))
    return list(found.values())


def finish(game: Game, state: Any, reader: Reader) -> Shortcut | None:
    """Return what ends the phase: everything that is left stays as it is."""
    names = game.rules.about.finish.split()
    if not names or game.has_hidden:
        return None
    groups = [group for group in game.rules.groups(game.scenario) if group.name in names]
    seat, place = int(state["seat"]), state
    actions: list[int] = []
    while int(place["seat"]) == seat and len(actions) < _MOST_STEPS:
        legal = game.legal_actions(place)
        group = next((g for g in groups if any(g.start <= a < g.stop for a in legal)), None)
        if group is None:
            break
        actions.append(next(a for a in legal if group.start <= a < group.stop))
        groups = [group]  # the next phase has other decisions
        place = game.after(place, actions[-1])
    if len(actions) < 2:
        return None
    found = _shortcut(game, state, tuple(actions), (), reader)
    found.sentence = f"End the phase: leave all {len(actions)} others as they are"
    return found


def check(game: Game, state: Any, actions: list[int]) -> bool:
    """Whether the deciding player may take all these decisions, with no dice in between."""
    seat, place = int(state["seat"]), state
    for action in actions:
        if int(place["seat"]) != seat or action not in game.legal_actions(place):
            return False
        place = game.after(place, action)
    return True


def _steps(
    game: Game, state: Any, piece: str, wanted: str | None
) -> Iterator[tuple[int, str, str]]:
    """Return decisions that move this piece: action, place, group."""
    touches = game.rules.touches
    assert touches is not None
    groups = game.rules.groups(game.scenario)
    for action in game.legal_actions(state):
        touched = touches(state, action)
        if len(touched) != 2 or touched[0] != piece:
            continue
        group = next((g.name for g in groups if g.start <= action < g.stop), "")
        if group not in game.rules.about.finish.split() and wanted in (None, group):
            yield action, touched[1], group


def _shortcut(
    game: Game, state: Any, actions: tuple[int, ...], touched: tuple[str, ...], reader: Reader
) -> Shortcut:
    sentences, codes, place = [], [], state
    for action in actions:
        before, place = place, game.after(place, action)
        sentences.append(as_choice(game.describe(before, action, place), reader))
        codes.append(game.rules.notation.format_action(before, action))
        last = before
    return Shortcut(
        actions=list(actions),
        text="; ".join(codes),
        sentence="; then ".join([sentences[0], *(_small(one) for one in sentences[1:])]),
        touches=list(touched),
        ends_turn=ends_turn(game, last, actions[-1]),
    )


def _small(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]
