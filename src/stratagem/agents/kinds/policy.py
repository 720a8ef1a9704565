"""Players that use a network's policy without a search: `policy:PATH`.

Options: `temperature` (default 0: always the most likely action; 1: the network's probabilities)
and `iterations` of a recurrent network (default: as many as in training). A network that was
trained with the strength of its reference policy as an input takes `lambda`: 0.01 plays as strongly
as it can, 1 almost like its reference.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from stratagem.agents.spec import check_options
from stratagem.core.errors import BadSetting
from stratagem.core.game import Actions, Game, States
from stratagem.core.seeding import Seeds
from stratagem.search import Evaluator


class PolicyAgent:
    """Chooses from the network's priors over the legal actions."""

    def __init__(self, game: Game, evaluator: Evaluator, spec: str, temperature: float) -> None:
        self.spec = spec
        self._game = game
        self._evaluator = evaluator
        self._temperature = temperature

    def act(self, states: States, seeds: Seeds) -> Actions:
        evaluation = self._evaluator.evaluate(states, np.arange(len(states)))
        ids, counts = self._game.legal(states)
        legal = np.arange(ids.shape[1])[None, :] < counts[:, None]
        rows = np.arange(len(states))
        logits = evaluation.logits[rows[:, None], np.where(legal, ids, 0)]
        if self._temperature > 0:
            noise = np.array([_gumbels(seed, ids.shape[1]) for seed in seeds])
            logits = logits / self._temperature + noise
        picked: Actions = ids[rows, np.where(legal, logits, -np.inf).argmax(axis=1)]
        return picked


def _gumbels(seed: np.uint64, count: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    generator = np.random.Generator(np.random.PCG64(int(seed)))
    return generator.gumbel(size=count)


def build(target: str, options: Mapping[str, str], game: Game, spec: str) -> PolicyAgent:
    """`policy:PATH?temperature=T&iterations=N&engine=E&lambda=L`."""
    check_options(spec, options, ("temperature", "iterations", "engine", "lambda"))
    if not target:
        raise BadSetting(f"agent spec {spec!r}: write policy:PATH")
    try:
        temperature = float(options.get("temperature", 0))
    except ValueError:
        raise BadSetting(f"agent spec {spec!r}: temperature must be a number") from None
    if not temperature >= 0:
        raise BadSetting(f"agent spec {spec!r}: write temperature=0 or more")
    try:
        strength = float(options["lambda"]) if "lambda" in options else None
    except ValueError:
        strength = -1.0
    if strength is not None and not 0 < strength <= 100:
        raise BadSetting(f"agent spec {spec!r}: write lambda as a number above 0, such as 0.1")
    # torch loads only when needed
    from stratagem.agents.model import load_evaluator, parse_network_options

    evaluator = load_evaluator(target, game, parse_network_options(spec, options), strength)
    return PolicyAgent(game, evaluator, spec, temperature)
