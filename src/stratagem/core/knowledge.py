"""What a seat can know: states that it cannot tell from the truth, and events that it sees.

This uses nothing but the game's own `hide`, which keeps everything a seat knows and draws the rest
at random. An event is unseen if the viewer could see the same after another event. A game does not
have to declare anything for this.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from stratagem.core.game import Game, States, as_batch
from stratagem.core.seats import CHANCE
from stratagem.core.seeding import derive_seeds
from stratagem.core.sentences import Reader, as_choice

OUTSIDER = -3  # a viewer without a seat: knows what all seats know

_SAMPLES = 8  # samples that have to agree before something counts as known
_TOLD = 4  # samples that have to agree before a consequence is shown
_MOST_ROLLS = 40  # chance events in a row, before we stop looking for who decides next
_ALTERNATIVES = 256  # other events to compare with what happened


def samples_of(game: Game, state: Any, viewer: int | None) -> States:
    """Return states that the viewer cannot tell from the truth; the truth if nothing is hidden."""
    if viewer is None or not game.has_hidden:
        return as_batch(state)
    if viewer == OUTSIDER:
        views = [samples_of(game, state, seat) for seat in range(game.num_seats)]
        return np.concatenate(views)
    # The seeds are fixed: knowledge must not depend on how often the viewer looks.
    seats = np.full(_SAMPLES, viewer, np.int8)
    seeds = derive_seeds(viewer, "sight", count=_SAMPLES)
    return game.hidden_from(np.repeat(as_batch(state), _SAMPLES), seats, seeds)


def choices(game: Game, state: Any, viewer: int | None, reader: Reader) -> list[str]:
    """Return the legal actions as sentences, in order.

    A consequence that the viewer cannot know for certain is left out.
    """
    samples = samples_of(game, state, viewer)[:_TOLD]
    texts = []
    for action in game.legal_actions(samples[0]):
        after = samples.copy()
        game.kernels.step(after, np.full(len(after), action, np.int32))
        agreed = {
            game.describe(sample, action, then) for sample, then in zip(samples, after, strict=True)
        }
        text = agreed.pop() if len(agreed) == 1 else game.describe(samples[0], action, None)
        texts.append(as_choice(text, reader))
    return texts


def ends_turn(game: Game, state: Any, action: int) -> bool:
    """Whether another seat decides next, or nobody; dice in between take the likeliest outcome.

    A response (`responses` in game.toml) does not end a turn: the seat that asked continues.
    """
    seat, after = int(state["seat"]), game.after(state, action)
    for _ in range(_MOST_ROLLS):
        if int(after["seat"]) != CHANCE:
            break
        outcome, _ = max(game.chance_outcomes(after), key=lambda one: one[1])
        after = game.after(after, outcome)
    return int(after["seat"]) != seat and not _answers(game, after)


def is_answer(game: Game, action: int) -> bool:
    """Whether this decision is a response during another seat's turn, according to game.toml."""
    names = game.rules.about.responses.split()
    groups = game.rules.groups(game.scenario) if names else ()
    return any(group.start <= action < group.stop for group in groups if group.name in names)


def _answers(game: Game, state: Any) -> bool:
    if not game.rules.about.responses or int(state["seat"]) < 0:
        return False
    return any(is_answer(game, action) for action in game.legal_actions(state))


def is_seen(game: Game, state: Any, seat: int, action: int, viewer: int | None) -> bool:
    """Whether the viewer can tell that this event of `state` happened and no other."""
    if viewer is None or viewer == seat or not game.has_hidden:
        return True
    if viewer == OUTSIDER:
        return all(is_seen(game, state, seat, action, one) for one in range(game.num_seats))
    before = np.concatenate([as_batch(state), samples_of(game, state, viewer)])
    rows, actions = _alternatives(game, before, seat)
    after = before[rows]
    game.kernels.step(after, np.array(actions, np.int32))
    after = np.concatenate([as_batch(game.after(state, action)), after])
    seats = np.full(len(after), viewer, np.int8)
    seeds = np.repeat(derive_seeds(viewer, "sight", count=1), len(after))
    sights = game.hidden_from(after, seats, seeds)
    happened = sights[0].tobytes()
    return all(
        other == action or sights[row + 1].tobytes() != happened
        for row, other in enumerate(actions)
    )


def _alternatives(game: Game, states: States, seat: int) -> tuple[list[int], list[int]]:
    """Return what could have happened in each of these states: rows and actions."""
    rows: list[int] = []
    actions: list[int] = []
    for row, state in enumerate(states):
        if seat == CHANCE:
            possible = [outcome for outcome, _ in game.chance_outcomes(state)]
        else:
            possible = game.legal_actions(state)
        room = _ALTERNATIVES // len(states) + 1
        rows += [row] * min(room, len(possible))
        actions += possible[:room]
    return rows, actions
