"""Kernels that play on, without Python, until the learner has something to decide.

Chance, the opponents and decisions without a choice are dealt with inside. Built for a game from
its own functions, and cached with them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from stratagem.core.compile import Kernel, kernel, kernel_in, room_of
from stratagem.core.errors import UnknownName
from stratagem.core.game import Game
from stratagem.core.random_kernels import advance, below, unit
from stratagem.core.seats import CHANCE, OVER
from stratagem.train.hdqn.settings import SELF

RANDOM = "random"


class PlayKernels(NamedTuple):
    """The two kernels of one game and opponent."""

    play_on: Kernel
    retrace: Kernel


def make_kernels(game: Game, opponent: str) -> PlayKernels:
    """`opponent` is `random`, a bot of the game, or `self` (then nobody else ever decides)."""
    rules = game.rules
    if opponent not in (SELF, RANDOM, *rules.bots):
        raise UnknownName(f"opponent for {game.name}", opponent, (SELF, RANDOM, *rules.bots))
    choose = rules.bots.get(opponent, choose_any)
    chance = rules.chance if rules.chance is not None else no_chance
    room = room_of(rules.reset.__module__)
    name = f"{rules.reset.__module__}.hdqn"
    mine = Path(__file__).resolve()
    play = kernel_in(room, f"{name}.play_on.{opponent}", mine)(
        _make_play_on(rules.step, rules.legal, chance, choose, rules.hide or no_hide)
    )
    retrace = kernel_in(room, f"{name}.retrace", mine)(_make_retrace(rules.step))
    return PlayKernels(play, retrace)


@kernel
def choose_any(s, ids, count, word):  # type: ignore[no-untyped-def]
    return ids[below(advance(word), count)]


@kernel
def is_drawn(drawn, ids, count):  # type: ignore[no-untyped-def]
    """Whether there is only one group to choose, and nobody to choose in it."""
    group = drawn[ids[0]]
    same = 0
    for k in range(count):
        if drawn[ids[k]] == group:
            same += 1
    return group >= 0 and same == count


@kernel
def no_hide(s, seat, seed):  # type: ignore[no-untyped-def]
    """Everybody sees everything."""


@kernel
def no_chance(s, ids, probs):  # type: ignore[no-untyped-def]
    return 0


def _make_play_on(
    step: Kernel, legal: Kernel, chance: Kernel, choose: Kernel, hide: Kernel
) -> Callable[..., Any]:
    def play_on(  # type: ignore[no-untyped-def]
        states, words, learns, drawn, actions, ids, counts, events, lengths
    ):
        """Apply actions[i] (if any) and go on until seat learns[i, seat] has a choice, or the end.

        words [B] uint64 are random streams, ids [B, W] and counts [B] the legal actions found
        (none: the game is over, or events [B, M] is full), lengths [B] the events so far.
        drawn [A] is the group of an action that is drawn at random if all others are of the same
        group, -1 for actions that networks decide about.
        """
        probs = np.empty(ids.shape[1], np.float32)
        seen = np.zeros(1, states.dtype)  # a position as an opponent sees it
        for i in range(len(states)):
            s = states[i]
            counts[i] = 0
            action = actions[i]
            while True:
                if action >= 0:
                    step(s, action)
                    events[i, lengths[i]] = action
                    lengths[i] += 1
                seat = s["seat"]
                if seat == OVER or lengths[i] == events.shape[1]:
                    break
                if seat == CHANCE:
                    words[i] = advance(words[i])
                    number = chance(s, ids[i], probs)
                    target = unit(words[i])
                    action = ids[i, number - 1]
                    for k in range(number):
                        target -= probs[k]
                        if target < 0.0:
                            action = ids[i, k]
                            break
                    continue
                number = legal(s, ids[i])
                if learns[i, seat] == 0:
                    seen[0] = s
                    hide(seen[0], seat, words[i])
                    words[i] = advance(words[i])
                    action = choose(seen[0], ids[i], number, words[i])
                elif number == 1:
                    action = ids[i, 0]
                elif is_drawn(drawn, ids[i], number):
                    words[i] = advance(words[i])
                    action = ids[i, below(words[i], number)]
                else:
                    counts[i] = number
                    break

    return play_on


def _make_retrace(step: Kernel) -> Callable[..., Any]:
    def retrace(states, raw, events):  # type: ignore[no-untyped-def]
        """states[0] is given; states[k + 1] follows from it by events[k]. raw: the same bytes."""
        for k in range(len(events)):
            raw[k + 1, :] = raw[k, :]
            step(states[k + 1], events[k])

    return retrace
