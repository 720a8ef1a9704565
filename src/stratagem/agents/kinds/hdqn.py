"""Players trained by hierarchical DQN: `hdqn:PATH`, a run or a checkpoint.

Option `epsilon` (default 0): how often a step of the decision is random.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from stratagem.agents.spec import check_options
from stratagem.core.errors import BadSetting
from stratagem.core.game import Actions, Game, States
from stratagem.core.seeding import Seeds

if TYPE_CHECKING:
    from stratagem.agents.hierarchy import HierarchicalPolicy


class HierarchicalAgent:
    """Plays the actions its networks value most; at random in groups without a network."""

    def __init__(self, policy: HierarchicalPolicy, spec: str, epsilon: float = 0.0) -> None:
        self.spec = spec
        self._policy = policy
        self._epsilon = epsilon

    def act(self, states: States, seeds: Seeds) -> Actions:
        ids, counts = self._policy.game.legal(states)
        epsilon = self._epsilon
        return self._policy.choose(states, ids, counts, seeds, epsilon, epsilon).actions


def build(target: str, options: Mapping[str, str], game: Game, spec: str) -> HierarchicalAgent:
    """`hdqn:PATH?epsilon=E`."""
    check_options(spec, options, ("epsilon",))
    if not target:
        raise BadSetting(f"agent spec {spec!r}: write hdqn:PATH")
    try:
        epsilon = float(options.get("epsilon", 0))
    except ValueError:
        epsilon = -1.0
    if not 0 <= epsilon <= 1:
        raise BadSetting(f"agent spec {spec!r}: epsilon must be a number from 0 to 1")
    # torch loads only when needed
    import torch

    from stratagem.agents.hierarchy import HierarchicalPolicy
    from stratagem.nets.hierarchical import HierarchicalNetwork, build_hierarchy
    from stratagem.nets.model_file import load_model
    from stratagem.runs.checkpoints import find_checkpoint

    torch.set_num_threads(1)
    loaded = load_model(find_checkpoint(target), game, build_hierarchy)
    assert isinstance(loaded.module, HierarchicalNetwork)
    observer = game.observer(loaded.card.encoding, loaded.card.encoding_options)
    return HierarchicalAgent(HierarchicalPolicy(game, loaded.module, observer), spec, epsilon)
