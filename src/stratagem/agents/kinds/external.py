"""Players that are other programs: `external:COMMAND`, in any language.

The program reads one line of JSON for each decision and writes one; docs/engine.md describes them.
COMMAND is split as a shell would split it, but no shell runs. Option: `timeout` (seconds per
decision, default 10).
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from stratagem.agents.external_process import ExternalProcess, NoAnswer, printable
from stratagem.agents.spec import check_options
from stratagem.core.agent import FORFEIT
from stratagem.core.errors import BadSetting
from stratagem.core.game import Actions, Game, States
from stratagem.core.seeding import Seeds

_TIMEOUT = "10"  # seconds
_MOST_SECONDS = 3600.0


class ExternalAgent:
    """Asks a program for each decision, one after another.

    A decision without a legal answer is forfeited: the game is lost, and the reason is counted.
    """

    def __init__(self, game: Game, process: ExternalProcess, spec: str) -> None:
        self.game, self.spec = game, spec
        self._process = process
        self._failures: Counter[str] = Counter()

    @property
    def failures(self) -> Mapping[str, int]:
        return dict(self._failures)

    def act(self, states: States, seeds: Seeds) -> Actions:
        chosen = [self._decide(states[row], int(seeds[row])) for row in range(len(states))]
        return np.array(chosen, np.int32)

    def _decide(self, state: Any, seed: int) -> int:
        legal = {
            int(action): self.game.rules.notation.format_action(state, int(action))
            for action in self.game.legal_actions(state)
        }
        try:
            return _chosen(self._process.ask(question(self.game, state, seed, legal)), legal)
        except NoAnswer as failure:
            self._failures[str(failure)] += 1
            return FORFEIT


def question(game: Game, state: Any, seed: int, legal: Mapping[int, str]) -> dict[str, Any]:
    """Build the question for one decision: only what the deciding seat may know."""
    return {
        "type": "decide",
        "game": game.spec,
        "seat": int(state["seat"]),
        "seats": game.num_seats,
        "seed": seed,
        "board": game.rules.notation.format_state(state),
        "state": {name: np.asarray(state[name]).tolist() for name in state.dtype.names},
        "legal": [{"action": action, "move": move} for action, move in legal.items()],
    }


def _chosen(answer: Mapping[str, Any], legal: Mapping[int, str]) -> int:
    """Return the legal action in an answer: `action` as a number, or `move` as text."""
    if "action" in answer:
        action = answer["action"]
        if isinstance(action, int) and not isinstance(action, bool) and action in legal:
            return action
        raise NoAnswer(f"illegal action {printable(str(action)[:40])}")
    move = answer.get("move")
    if move is None:
        raise NoAnswer("an answer with neither action nor move")
    named = [action for action, text in legal.items() if text == move]
    if not named:
        raise NoAnswer(f"illegal move {str(move)[:40]!r}")
    return named[0]


def build(target: str, options: Mapping[str, str], game: Game, spec: str) -> ExternalAgent:
    """`external:COMMAND?timeout=SECONDS`."""
    check_options(spec, options, ["timeout"])
    try:
        command = shlex.split(target)
        timeout = float(options.get("timeout", _TIMEOUT))
    except ValueError as error:
        raise BadSetting(f"agent spec {spec!r}: {error}") from None
    if not command:
        raise BadSetting(f"agent spec {spec!r}: write external:COMMAND")
    if not 0 < timeout <= _MOST_SECONDS:
        raise BadSetting(f"agent spec {spec!r}: timeout must be above 0 and at most 3600 seconds")
    return ExternalAgent(game, ExternalProcess(command, timeout), spec)
