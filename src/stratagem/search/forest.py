"""A forest of trees that grow in lockstep, one batch of leaves at a time.

    select (all trees) -> step the game (all leaves) -> evaluate (one batch) -> finish (all trees)

The same code searches one position for a person and thousands for self-play. The forest holds
the arrays and the order of events; `kernels` does the work, the game and the evaluator are asked
in batches. Trees are named by their index; the caller decides which of them grow.
"""

from __future__ import annotations

from typing import TypeGuard

import numpy as np
import numpy.typing as npt

from stratagem.core.errors import BadSetting
from stratagem.core.game import Actions, Game, States
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import Seeds
from stratagem.core.state_arrays import as_bytes, put, take
from stratagem.search import kernels
from stratagem.search.evaluation import (
    Evaluation,
    Evaluator,
    PerspectiveEvaluator,
    PlayoutEvaluator,
    UniformEvaluator,
)
from stratagem.search.fused import grower
from stratagem.search.halving import halving_plan
from stratagem.search.outcomes import outcome_values
from stratagem.search.report import RootReport, completed_policy
from stratagem.search.settings import SearchSettings

Trees = npt.NDArray[np.int64]
ROOT_OBSERVES = -1  # in `observer_seats`: the seat that decides at the root


class Forest:
    """T trees over one game, with room that grows when needed."""

    def __init__(self, game: Game, settings: SearchSettings, num_trees: int) -> None:
        self.game = game
        self.settings = settings
        self.num_trees = num_trees
        # A leaf can need edges twice in a batch: as a chance node, and for what follows.
        self._edge_margin = 2 * settings.leaves_per_tree * game.width
        self._virtual_loss = settings.virtual_loss if settings.leaves_per_tree > 1 else 0.0
        self._shaped = settings.shaping > 0 and game.kernels.potential is not None
        # Self-play lets searches run on, and an expected move keeps most of its tree: what most
        # games need is there from the start. Memory that is never used costs nothing.
        nodes = 2 * settings.sims + settings.leaves_per_tree + 2
        self._allocate(nodes, nodes * min(game.width, 48) + self._edge_margin)
        self.words = np.ones(num_trees, np.uint64)
        self._luck = np.full(num_trees, kernels.INDEPENDENT)
        self._node_used = np.zeros(num_trees, np.int32)
        self._edge_used = np.zeros(num_trees, np.int32)
        self._root_bias = np.full((num_trees, game.width), -np.inf, np.float32)
        self._root_quota = np.zeros(num_trees, np.int32)
        self._considered = np.zeros(num_trees, np.int32)
        self._planned = np.full(num_trees, settings.sims, np.int32)
        # With `fixed_perspective`: who observes each tree's positions.
        self.observer_seats = np.full(num_trees, ROOT_OBSERVES, np.int8)
        if settings.fixed_perspective and game.num_seats != 2:
            raise BadSetting(f"fixed_perspective: {game.name} has {game.num_seats} seats, not two")
        self._sims_run = np.zeros(num_trees, np.int32)
        self._plans: dict[tuple[int, int], npt.NDArray[np.int32]] = {}
        self._new_batch(num_trees * settings.leaves_per_tree)

    # -- growing -----------------------------------------------------------------------------

    def set_roots(self, trees: Trees, states: States, seeds: Seeds, evaluator: Evaluator) -> None:
        """Start these trees anew from positions in which some seat decides."""
        if not len(trees):
            return
        kernels.start_trees(self._nodes, self._node_used, self._edge_used, trees)
        self._reserve(trees)
        self.words[trees] = seeds | np.uint64(1)
        if self.settings.stratified_chance:
            self._luck[trees] = seeds / 2.0**64
        self._sims_run[trees] = 0
        put(self._states, trees * self._capacity, states)
        self._leaf_kind[: len(trees)] = kernels.NEW
        self._leaf_tree[: len(trees)] = trees
        self._leaf_node[: len(trees)] = trees * self._capacity
        self._leaf_parent[: len(trees)] = trees * self._capacity
        self._leaf_action[: len(trees)] = -1  # list the root as it stands
        self._nodes["visits"][trees, kernels.ROOT] = 1
        self._complete(len(trees), evaluator)

    def prepare_roots(self, trees: Trees, noise: bool, sims: int | None = None) -> None:
        """Before a decision is searched: root noise, or Gumbel's candidates and plan.

        Without noise Gumbel's rule takes the actions that the prior likes best.
        `sims` is how many simulations will follow, if not as many as the settings say.
        """
        settings = self.settings
        scratch = np.empty(self.game.width, np.float64)
        if settings.root == "gumbel":
            kernels.open_root(self._nodes, trees)
            kernels.set_gumbel(
                self._nodes, self._edges, trees, self.words,
                settings.gumbel_considered, noise, self._root_bias, scratch,
            )  # fmt: skip
            counts = self._nodes["edge_count"][trees, kernels.ROOT]
            self._considered[trees] = np.minimum(counts, settings.gumbel_considered)
            self._planned[trees] = settings.sims if sims is None else sims
            self._sims_run[trees] = 0
        elif noise and settings.noise_fraction > 0:
            kernels.open_root(self._nodes, trees)
            kernels.add_root_noise(
                self._nodes, self._edges, trees, self.words,
                settings.noise_fraction, settings.noise_total, scratch,
            )  # fmt: skip

    def simulate(self, trees: Trees, evaluator: Evaluator) -> None:
        """One round: `leaves_per_tree` simulations in each of these trees."""
        settings = self.settings
        self._reserve(trees)
        if settings.root == "gumbel":
            self._set_quotas(trees)
            self._sims_run[trees] += settings.leaves_per_tree
        num_leaves = kernels.select(
            self._nodes, self._edges, self._node_used, trees, settings.leaves_per_tree, self.words,
            self._luck, settings.c_init, settings.c_base, settings.fpu_reduction,
            self._virtual_loss,
            kernels.ROOT_GUMBEL if settings.root == "gumbel" else kernels.ROOT_PUCT,
            self._root_bias, self._root_quota, settings.gumbel_scale, self._capacity,
            self._leaf_kind, self._leaf_tree, self._leaf_node, self._leaf_parent, self._leaf_action,
        )  # fmt: skip
        self._complete(num_leaves, evaluator)

    def search(self, trees: Trees, sims: int, evaluator: Evaluator) -> None:
        """Grow each tree until its root has `sims` visits besides its own."""
        if self._can_fuse(evaluator):
            self._search_fused(trees, sims, evaluator)
            return
        while True:
            growing = trees[self.root_visits(trees) < sims]
            if not len(growing):
                return
            self.simulate(growing, evaluator)

    def _can_fuse(self, evaluator: Evaluator) -> TypeGuard[PlayoutEvaluator | UniformEvaluator]:
        """Without network, dice, shaping and Gumbel's plan, nothing needs Python on the way."""
        simple = self.game.rules.chance is None and not self._shaped
        simple = simple and self.settings.margin_share == 0 and not self.settings.fixed_perspective
        known = isinstance(evaluator, PlayoutEvaluator | UniformEvaluator)
        return simple and known and self.settings.root == "puct"

    def _search_fused(
        self, trees: Trees, sims: int, evaluator: PlayoutEvaluator | UniformEvaluator
    ) -> None:
        settings, grow = self.settings, grower(self.game.rules)
        record = np.zeros(1, self.game.rules.dtype)
        dials = (settings.c_init, settings.c_base, settings.fpu_reduction, self._virtual_loss,
                 settings.shaping_discount)  # fmt: skip
        scratch = (record, as_bytes(record), self._root_bias, self._root_quota, self._no_logits)
        batch = (self._leaf_kind, self._leaf_tree, self._leaf_node, self._leaf_parent,
                 self._leaf_action, self._leaf_seat, self._ids, self._probs, self._counts,
                 self._values, self._logit_rows, self._accumulated)  # fmt: skip
        done = False
        while not done:
            forest = (self._nodes, self._edges, self._node_used, self._edge_used, self._endings,
                      self._potentials, self.words, self._luck, self._states,
                      self._raw)  # fmt: skip
            done = grow(
                trees, sims, evaluator.playouts, evaluator.seed, self.game.width,
                settings.leaves_per_tree, dials, forest, batch, scratch,
            )  # fmt: skip
            if not done:
                self._reserve(trees)

    def advance(self, trees: Trees, actions: Actions) -> npt.NDArray[np.bool_]:
        """Make the child behind each action the new root; False where no child was kept.

        A kept root may be a chance node or a finished game; `root_seats` tells.
        """
        kept = np.zeros(len(trees), np.int8)
        kernels.keep_subtrees(
            self._nodes, self._edges, self._node_used, self._edge_used,
            self._endings, self._potentials, self._raw, self._capacity,
            trees, actions, kept, *self._spare,
        )  # fmt: skip
        self._sims_run[trees] = 0
        return kept.astype(bool)

    # -- reading -----------------------------------------------------------------------------

    def root_visits(self, trees: Trees) -> npt.NDArray[np.int32]:
        """Completed simulations through each root."""
        visits: npt.NDArray[np.int32] = self._nodes["visits"][trees, kernels.ROOT] - 1
        return visits

    def root_seats(self, trees: Trees) -> npt.NDArray[np.int8]:
        seats: npt.NDArray[np.int8] = self._nodes["seat"][trees, kernels.ROOT]
        return seats

    def root_states(self, trees: Trees) -> States:
        """Copies of the positions at the roots."""
        return take(self._states, trees * self._capacity)

    def report(self, trees: Trees) -> RootReport:
        """Visits, values, priors and the improved policy at the roots."""
        widest = self._nodes["edge_count"][trees, kernels.ROOT].max(initial=1)
        shape = (len(trees), int(widest))
        actions, visits = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
        values, priors = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        counts = np.zeros(len(trees), np.int32)
        kernels.read_roots(self._nodes, self._edges, trees, actions, visits, values, priors, counts)
        roots = self._nodes[trees, kernels.ROOT]
        root_values = (roots["value"] / np.maximum(roots["visits"], 1)).astype(np.float32)
        if self.settings.root == "gumbel":
            policy = completed_policy(
                visits, values, priors, counts, root_values, self.settings.gumbel_scale
            )
        else:
            policy = visits / np.maximum(visits.sum(axis=1, keepdims=True), 1)
        return RootReport(
            actions, visits, values, priors, counts, root_values, policy.astype(np.float32)
        )

    def best_gumbel(self, trees: Trees, report: RootReport) -> Actions:
        """Gumbel's choice: the most visited actions compared by noise, logit and value."""
        most = report.visits.max(axis=1, keepdims=True)
        bias = self._root_bias[trees, : report.visits.shape[1]]
        score = bias + (50.0 + most) * self.settings.gumbel_scale * report.values
        score = np.where(report.visits == most, score, -np.inf)
        picked: Actions = report.actions[np.arange(len(trees)), score.argmax(axis=1)]
        return picked

    # -- one batch of leaves -----------------------------------------------------------------

    def _complete(self, num_leaves: int, evaluator: Evaluator) -> None:
        """Step the game at the new leaves, evaluate them, and back everything up."""
        new = self._new[: kernels.list_new(self._leaf_kind, num_leaves, self._new)]
        seats = self._leaf_seat
        self._expand(new)
        if self.game.rules.chance is not None:
            rolling = new[seats[new] == CHANCE]
            while len(rolling):
                self._reserve(self._leaf_tree[rolling])
                if self._shaped:
                    self._set_potentials(rolling)
                kernels.pass_chance(
                    self._nodes, self._edges, self._node_used, self._edge_used, self.words,
                    self._luck, self._virtual_loss, self._capacity, rolling, self._leaf_tree,
                    self._leaf_node, self._leaf_parent, self._leaf_action, self._ids, self._probs,
                    self._counts,
                )  # fmt: skip
                self._expand(rolling)
                rolling = rolling[seats[rolling] == CHANCE]
        deciding = self._deciding[: kernels.list_deciding(new, seats, self._deciding)]
        if self.settings.margin_share > 0 and len(deciding) < len(new):
            over = new[seats[new] == OVER]
            ended = take(self._states, self._leaf_node[over])
            self._values[over] = outcome_values(self.game, ended, self.settings)
        if self._shaped:
            self._set_potentials(new)
        logits = self._no_logits
        if len(deciding):
            evaluation = self._evaluate(deciding, evaluator)
            kernels.place_values(deciding, evaluation.values, self._values, self._logit_rows)
            logits = evaluation.logits
        kernels.finish(
            self._nodes, self._edges, self._edge_used, self._endings, self._potentials,
            self.settings.shaping_discount, self._virtual_loss, self._capacity,
            num_leaves, self._leaf_kind, self._leaf_tree, self._leaf_node, seats,
            self._ids, self._probs, self._counts, self._logit_rows, logits, self._values,
            self._accumulated,
        )  # fmt: skip

    def _evaluate(self, leaves: Trees, evaluator: Evaluator) -> Evaluation:
        rows = self._leaf_node[leaves]
        if not self.settings.fixed_perspective:
            return evaluator.evaluate(self._states, rows)
        if not isinstance(evaluator, PerspectiveEvaluator):
            raise BadSetting("fixed_perspective: only a network can observe as another seat")
        trees = self._leaf_tree[leaves]
        is_root = rows == trees * self._capacity  # a root that was just set has no seat yet
        own = np.where(is_root, self._leaf_seat[leaves], self.root_seats(trees))
        chosen = self.observer_seats[trees]
        observer_seats = np.where(chosen == ROOT_OBSERVES, own, chosen).astype(np.int8)
        return evaluator.evaluate_for(self._states, rows, observer_seats)

    def _expand(self, leaves: Trees) -> None:
        count = len(leaves)
        if count and leaves[-1] == count - 1:  # the first `count` of them: no gather needed
            self.game.kernels.expand(
                self._states, self._raw, self._leaf_parent[:count], self._leaf_node[:count],
                self._leaf_action[:count], self._leaf_seat, self._ids, self._probs,
                self._counts, self._values,
            )  # fmt: skip
            return
        seats, counts = self._leaf_seat[leaves], self._counts[leaves]
        ids, probs, values = self._ids[leaves], self._probs[leaves], self._values[leaves]
        self.game.kernels.expand(
            self._states, self._raw, self._leaf_parent[leaves], self._leaf_node[leaves],
            self._leaf_action[leaves], seats, ids, probs, counts, values,
        )  # fmt: skip
        self._leaf_seat[leaves], self._counts[leaves] = seats, counts
        self._ids[leaves], self._probs[leaves], self._values[leaves] = ids, probs, values

    def _set_potentials(self, leaves: Trees) -> None:
        assert self.game.kernels.potential is not None
        rows = self._leaf_node[leaves]
        out = np.zeros((len(rows), self.game.num_seats), np.float32)
        self.game.kernels.potential(self._states, rows, out)
        flat = self._potentials.reshape(-1, self.game.num_seats)
        flat[rows] = out * np.float32(self.settings.shaping)

    def _set_quotas(self, trees: Trees) -> None:
        wanted = np.stack([self._considered[trees], self._planned[trees]], axis=1)
        for considered, sims in {(int(one), int(other)) for one, other in wanted}:
            plan = self._plans.get((considered, sims))
            if plan is None:
                plan = np.array(halving_plan(considered, sims), np.int32)
                self._plans[considered, sims] = plan
            mine = trees[(wanted == (considered, sims)).all(axis=1)]
            self._root_quota[mine] = plan[np.minimum(self._sims_run[mine], len(plan) - 1)]

    # -- memory ------------------------------------------------------------------------------

    def _reserve(self, trees: Trees) -> None:
        """Make room for one more batch of leaves in these trees."""
        leaves = self.settings.leaves_per_tree
        nodes, edges = kernels.room_needed(self._node_used, self._edge_used, trees)
        nodes += leaves + 1
        edges += self._edge_margin
        if nodes > self._capacity or edges > self._edges.shape[1]:
            self._grow(nodes, edges)

    def _grow(self, nodes: int, edges: int) -> None:
        old = self._capacity, self._nodes, self._edges, self._states
        old_endings, old_potentials = self._endings, self._potentials
        capacity = old[0] if nodes <= old[0] else 2 * nodes
        edge_capacity = old[2].shape[1] if edges <= old[2].shape[1] else 2 * edges
        self._allocate(capacity, edge_capacity)
        self._nodes[:, : old[0]] = old[1]
        self._edges[:, : old[2].shape[1]] = old[2]
        grid = self._states.reshape(self.num_trees, capacity)
        grid[:, : old[0]] = old[3].reshape(self.num_trees, old[0])
        self._endings[:, : old[0]] = old_endings
        if self._shaped:
            self._potentials[:, : old[0]] = old_potentials
        # Leaves of the batch under way are named by flat index: re-base them.
        for index in (self._leaf_node, self._leaf_parent):
            index += self._leaf_tree * (capacity - old[0])

    def _allocate(self, nodes: int, edges: int) -> None:
        trees, seats = self.num_trees, self.game.num_seats
        self._capacity = nodes
        self._nodes = np.zeros((trees, nodes), kernels.NODE)
        self._edges = np.zeros((trees, edges), kernels.EDGE)
        self._states = np.zeros(trees * nodes, self.game.rules.dtype)
        self._raw = as_bytes(self._states)
        self._endings = np.zeros((trees, nodes, seats), np.float32)
        shaped_trees = trees if self._shaped else 0
        self._potentials = np.zeros((shaped_trees, nodes, seats), np.float32)
        spare_states = np.zeros(nodes, self.game.rules.dtype)
        self._spare = (
            np.zeros(nodes, kernels.NODE),
            np.zeros(edges, kernels.EDGE),
            np.zeros((nodes, seats), np.float32),
            np.zeros((nodes if self._shaped else 0, seats), np.float32),
            as_bytes(spare_states),
        )

    def _new_batch(self, leaves: int) -> None:
        width, seats = self.game.width, self.game.num_seats
        self._leaf_kind = np.zeros(leaves, np.int8)
        self._leaf_tree = np.zeros(leaves, np.int64)
        self._leaf_node = np.zeros(leaves, np.int64)
        self._leaf_parent = np.zeros(leaves, np.int64)
        self._leaf_action = np.zeros(leaves, np.int32)
        self._leaf_seat = np.zeros(leaves, np.int8)
        self._new = np.zeros(leaves, np.int64)
        self._deciding = np.zeros(leaves, np.int64)
        self._ids = np.zeros((leaves, width), np.int32)
        self._probs = np.zeros((leaves, width), np.float32)
        self._counts = np.zeros(leaves, np.int32)
        self._values = np.zeros((leaves, seats), np.float32)
        self._logit_rows = np.zeros(leaves, np.int64)
        self._accumulated = np.zeros(seats, np.float64)
        self._no_logits = np.zeros((0, 0), np.float32)
