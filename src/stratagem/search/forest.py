"""A forest of trees that grow in lockstep, one batch of leaves at a time.

    select (all trees) -> step the game (all leaves) -> evaluate (one batch) -> finish (all trees)

The same code searches one position for a person and thousands for self-play. The forest owns the
arrays and the order of steps; `kernels` does the work, and the game and the evaluator are called in
batches. Trees are named by their index, and the caller decides which of them grow.
"""

from __future__ import annotations

from typing import Any, TypeGuard

import numpy as np
import numpy.typing as npt

from stratagem.core.direct_call import direct
from stratagem.core.errors import BadSetting
from stratagem.core.game import Actions, Game, States
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import Seeds
from stratagem.core.state_arrays import as_bytes, put, take
from stratagem.search.evaluation import (
    Evaluation,
    Evaluator,
    PerspectiveEvaluator,
    PlayoutEvaluator,
    UniformEvaluator,
    check_evaluation,
)
from stratagem.search.evaluation_cache import EvaluationCache
from stratagem.search.fused import Playouts, grower
from stratagem.search.halving import HalvingPlans
from stratagem.search.kernels import (
    NEW,
    ROOT,
    ROOT_GUMBEL,
    ROOT_PUCT,
    Rule,
    add_root_noise,
    finish,
    keep_subtrees,
    list_deciding,
    open_root,
    pass_chance,
    read_roots,
    room_needed,
    select,
    set_gumbel,
    start_trees,
)
from stratagem.search.memory import check_memory, new_leaves, new_tree, states_of, with_room
from stratagem.search.outcomes import outcome_values
from stratagem.search.report import RootReport, completed_policy
from stratagem.search.settings import SearchSettings
from stratagem.search.view import TreeView

Trees = npt.NDArray[np.int64]
_CACHED_SEARCHES = 4  # the cache has room for so many searches of all trees
ROOT_OBSERVES = -1  # in `observer_seats`: the seat that decides at the root


class Forest:
    """T trees for one game, with space that grows when needed."""

    def __init__(self, game: Game, settings: SearchSettings, num_trees: int) -> None:
        if settings.fixed_perspective and game.num_seats != 2:
            raise BadSetting(f"fixed_perspective: {game.name} has {game.num_seats} seats, not two")
        self.game = game
        self.settings = settings
        self.num_trees = num_trees
        # With `fixed_perspective`: who observes each tree's positions.
        self.observer_seats = np.full(num_trees, ROOT_OBSERVES, np.int8)
        self._rule = _rule(settings)
        self._shaped = settings.shaping > 0 and game.kernels.potential is not None
        # A leaf can need edges twice in a batch: as a chance node, and for what follows it.
        self._edge_margin = 2 * settings.leaves_per_tree * game.width
        # Self-play lets searches run on, and an expected move keeps most of its tree, so what most
        # games need is allocated at once. Memory that is never used costs nothing.
        nodes = 2 * settings.sims + settings.leaves_per_tree + 2
        edges = nodes * min(game.width, 48) + self._edge_margin
        check_memory(game, num_trees + 1, nodes, edges)
        self._tree = new_tree(game, num_trees, nodes, edges, self._shaped)
        self._spare = new_tree(game, 1, nodes, edges, self._shaped)
        self._states = states_of(self._tree, game)
        self._trusted: Evaluator | None = None  # the evaluator whose first batch was finite
        self._cache: EvaluationCache | None = None  # its evaluations, unless it has no logits
        self._leaves = new_leaves(game, num_trees * settings.leaves_per_tree)
        self._plans = HalvingPlans(num_trees, settings.sims)
        bundles = self._tree, self._leaves, self._rule
        self._select = direct(select, *bundles, np.arange(0))
        self._pass_chance = direct(pass_chance, *bundles, np.arange(0))
        self._finish = direct(finish, *bundles, 0, _NOTHING, _NOTHING)

    # -- growing -----------------------------------------------------------------------------

    def set_roots(self, trees: Trees, states: States, seeds: Seeds, evaluator: Evaluator) -> None:
        """Restart these trees from positions in which a seat decides."""
        if not len(trees):
            return
        start_trees(self._tree, trees)
        self._reserve(trees)
        self._tree.seeds[trees] = seeds | np.uint64(1)
        if self.settings.stratified_chance:
            self._tree.chance_offsets[trees] = seeds / 2.0**64
        self._plans.restart(trees)
        leaves, count = self._leaves, len(trees)
        rows = trees * self._tree.nodes.shape[1]
        put(self._states, rows, states)
        leaves.kind[:count] = NEW
        leaves.new[:count] = np.arange(count)
        leaves.tree[:count] = trees
        leaves.node[:count] = rows
        leaves.parent[:count] = rows
        leaves.action[:count] = -1  # list the root unchanged
        self._tree.nodes["visits"][trees, ROOT] = 1
        self._complete(count, count, evaluator)

    def prepare_roots(self, trees: Trees, noise: bool, sims: int | None = None) -> None:
        """Prepare a search: add root noise, or choose Gumbel's candidates and plan.

        Without noise, Gumbel's rule takes the actions with the highest priors. `sims` is the number
        of simulations that will follow, if it differs from the settings.
        """
        settings, tree = self.settings, self._tree
        if settings.root == "gumbel":
            open_root(tree, trees)
            set_gumbel(tree, trees, settings.gumbel_considered, noise)
            counts = tree.nodes["edge_count"][trees, ROOT]
            considered = np.minimum(counts, settings.gumbel_considered)
            self._plans.begin(trees, considered, settings.sims if sims is None else sims)
        elif noise and settings.noise_fraction > 0:
            open_root(tree, trees)
            add_root_noise(tree, trees, settings.noise_fraction, settings.noise_total)

    def simulate(self, trees: Trees, evaluator: Evaluator) -> None:
        """Run one round: `leaves_per_tree` simulations in each of these trees."""
        self._reserve(trees)
        if self.settings.root == "gumbel":
            quotas = self._plans.next_quotas(trees, self.settings.leaves_per_tree)
            self._tree.root_quota[trees] = quotas
        trees = np.ascontiguousarray(trees, np.int64)
        num_leaves, num_new = self._select(self._tree, self._leaves, self._rule, trees)
        self._complete(num_leaves, num_new, evaluator)

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
        """Whether nothing in the search needs Python: network, chance, shaping, Gumbel's rule."""
        simple = self.game.rules.chance is None and not self._shaped
        simple = simple and self.settings.margin_share == 0 and not self.settings.fixed_perspective
        known = isinstance(evaluator, PlayoutEvaluator | UniformEvaluator)
        return simple and known and self.settings.root == "puct"

    def _search_fused(
        self, trees: Trees, sims: int, evaluator: PlayoutEvaluator | UniformEvaluator
    ) -> None:
        grow = grower(self.game.rules)
        state = np.zeros(1, self.game.rules.dtype)
        playouts = Playouts(evaluator.playouts, evaluator.seed, state, as_bytes(state))
        while not grow(
            self._tree, self._leaves, self._rule, self._states, trees, sims, self.game.width,
            playouts,
        ):  # fmt: skip
            self._reserve(trees)

    def advance(self, trees: Trees, actions: Actions) -> npt.NDArray[np.bool_]:
        """Make the child behind each action the new root; return False where no child was kept.

        A kept root may be a chance node or a finished game; see `root_seats`.
        """
        kept = np.zeros(len(trees), np.int8)
        keep_subtrees(self._tree, self._spare, trees, actions, kept)
        self._plans.restart(trees)
        return kept.astype(bool)

    # -- reading -----------------------------------------------------------------------------

    def view(self, tree: int) -> TreeView:
        """Return one tree with all its nodes, for reading."""
        nodes, edges = int(self._tree.node_used[tree]), int(self._tree.edge_used[tree])
        first = tree * self._tree.nodes.shape[1]
        potentials = self._tree.potentials[tree : tree + 1, :nodes]
        return TreeView(
            nodes=self._tree.nodes[tree, :nodes],
            edges=self._tree.edges[tree, :edges],
            states=self._states[first : first + nodes],
            endings=self._tree.endings[tree, :nodes],
            potentials=potentials.reshape(-1, self.game.num_seats),
        )

    @property
    def room(self) -> tuple[int, int]:
        """The number of nodes and edges that each tree currently has space for."""
        return self._tree.nodes.shape[1], self._tree.edges.shape[1]

    def root_visits(self, trees: Trees) -> npt.NDArray[np.int32]:
        """Return the number of completed simulations through each root."""
        visits: npt.NDArray[np.int32] = self._tree.nodes["visits"][trees, ROOT] - 1
        return visits

    def root_seats(self, trees: Trees) -> npt.NDArray[np.int8]:
        """Return who decides at each root: a seat, CHANCE or OVER."""
        seats: npt.NDArray[np.int8] = self._tree.nodes["seat"][trees, ROOT]
        return seats

    def root_states(self, trees: Trees) -> States:
        """Return copies of the positions at the roots."""
        return take(self._states, trees * self._tree.nodes.shape[1])

    def report(self, trees: Trees) -> RootReport:
        """Return visits, values, priors and the improved policy at the roots."""
        roots = self._tree.nodes[trees, ROOT]
        shape = (len(trees), int(roots["edge_count"].max(initial=1)))
        actions, visits = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
        values, priors = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        counts = np.zeros(len(trees), np.int32)
        read_roots(self._tree, trees, actions, visits, values, priors, counts)
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
        """Return Gumbel's choice: among the most visited, the best by noise, logit and value."""
        most = report.visits.max(axis=1, keepdims=True)
        bias = self._tree.root_bias[trees, : report.visits.shape[1]]
        score = bias + (50.0 + most) * self.settings.gumbel_scale * report.values
        score = np.where(report.visits == most, score, -np.inf)
        picked: Actions = report.actions[np.arange(len(trees)), score.argmax(axis=1)]
        return picked

    # -- one batch of leaves -----------------------------------------------------------------

    def _complete(self, num_leaves: int, num_new: int, evaluator: Evaluator) -> None:
        """Step the game at the new leaves, evaluate them, and back everything up."""
        leaves = self._leaves
        new = leaves.new[:num_new]
        self._expand(new)
        if self.game.rules.chance is not None:
            rolling = new[leaves.seat[new] == CHANCE]
            while len(rolling):
                self._reserve(leaves.tree[rolling])
                if self._shaped:
                    self._set_potentials(rolling)
                self._pass_chance(self._tree, leaves, self._rule, rolling)
                self._expand(rolling)
                rolling = rolling[leaves.seat[rolling] == CHANCE]
        deciding = leaves.deciding[: list_deciding(new, leaves.seat, leaves.deciding)]
        if self.settings.margin_share > 0 and len(deciding) < len(new):
            over = new[leaves.seat[new] == OVER]
            ended = take(self._states, leaves.node[over])
            leaves.values[over] = outcome_values(self.game, ended, self.settings)
        if self._shaped:
            self._set_potentials(new)
        logits = values = _NOTHING
        if len(deciding):
            evaluation = self._evaluate(deciding, evaluator)
            logits = np.ascontiguousarray(evaluation.logits, np.float32)
            values = np.ascontiguousarray(evaluation.values, np.float32)
        self._finish(self._tree, leaves, self._rule, num_leaves, logits, values)

    def _evaluate(self, picked: Trees, evaluator: Evaluator) -> Evaluation:
        """Evaluate these leaves, or find their evaluations in the cache."""
        observer_seats = self._observers(picked)
        if evaluator is not self._trusted:
            evaluation = self._ask(picked, observer_seats, evaluator)
            check_evaluation(evaluation, self.game, len(picked), finite=True)
            self._trusted, self._cache = evaluator, self._cache_of(evaluation)
            return evaluation

        def ask(rows: Trees) -> Evaluation:
            evaluation = self._ask(picked[rows], observer_seats[rows], evaluator)
            check_evaluation(evaluation, self.game, len(rows), finite=False)
            return evaluation

        if self._cache is None:
            return ask(np.arange(len(picked)))
        return self._cache.evaluate(self._leaves, self._tree.raw, picked, observer_seats, ask)

    def _cache_of(self, first: Evaluation) -> EvaluationCache | None:
        """Return an empty cache for the evaluator of this first batch; None for playouts."""
        if not self.settings.cache or not len(first.logits):
            return None
        if self._cache is not None:
            self._cache.forget()
            return self._cache
        positions = _CACHED_SEARCHES * self.num_trees * self.settings.sims
        return EvaluationCache(self.game, self._leaves, positions)

    def _observers(self, picked: Trees) -> npt.NDArray[np.int8]:
        """Return who observes these leaves; ROOT_OBSERVES stands for whoever decides there."""
        if not self.settings.fixed_perspective:
            return np.full(len(picked), ROOT_OBSERVES, np.int8)
        rows, trees = self._leaves.node[picked], self._leaves.tree[picked]
        is_root = rows == trees * self._tree.nodes.shape[1]  # a new root has no seat yet
        own = np.where(is_root, self._leaves.seat[picked], self.root_seats(trees))
        chosen = self.observer_seats[trees]
        return np.where(chosen == ROOT_OBSERVES, own, chosen).astype(np.int8)

    def _ask(
        self, picked: Trees, observer_seats: npt.NDArray[np.int8], evaluator: Evaluator
    ) -> Evaluation:
        rows = self._leaves.node[picked]
        if not self.settings.fixed_perspective:
            return evaluator.evaluate(self._states, rows)
        if not isinstance(evaluator, PerspectiveEvaluator):
            raise BadSetting("fixed_perspective: only a network can observe from another seat")
        return evaluator.evaluate_for(self._states, rows, observer_seats)

    def _expand(self, picked: Trees) -> None:
        """Step the game at these leaves and list what is legal there."""
        expand, leaves, count = self.game.kernels.expand, self._leaves, len(picked)
        node, parent, action = leaves.node, leaves.parent, leaves.action
        found: list[npt.NDArray[Any]]
        found = [leaves.seat, leaves.ids, leaves.probs, leaves.counts, leaves.values]
        if count and picked[-1] == count - 1:  # the first `count` leaves: no gather needed
            expand(self._states, self._tree.raw, parent[:count], node[:count], action[:count],
                   *found)  # fmt: skip
            return
        gathered = [array[picked] for array in found]
        expand(self._states, self._tree.raw, parent[picked], node[picked], action[picked],
               *gathered)  # fmt: skip
        for array, part in zip(found, gathered, strict=True):
            array[picked] = part

    def _set_potentials(self, picked: Trees) -> None:
        assert self.game.kernels.potential is not None
        rows = self._leaves.node[picked]
        out = np.zeros((len(rows), self.game.num_seats), np.float32)
        self.game.kernels.potential(self._states, rows, out)
        flat = self._tree.potentials.reshape(-1, self.game.num_seats)
        flat[rows] = out * np.float32(self.settings.shaping)

    def _reserve(self, trees: Trees) -> None:
        """Reserve space for another batch of leaves in these trees."""
        nodes, edges = room_needed(self._tree.node_used, self._tree.edge_used, trees)
        nodes += self.settings.leaves_per_tree + 1
        edges += self._edge_margin
        old_nodes, old_edges = self.room
        if nodes <= old_nodes and edges <= old_edges:
            return
        nodes = old_nodes if nodes <= old_nodes else 2 * nodes
        edges = old_edges if edges <= old_edges else 2 * edges
        self._tree = with_room(self._tree, self.game, nodes, edges)
        self._spare = new_tree(self.game, 1, nodes, edges, self._shaped)
        self._states = states_of(self._tree, self.game)
        # Leaves of the current batch are identified by the row of their position.
        for rows in (self._leaves.node, self._leaves.parent):
            rows += self._leaves.tree * (nodes - old_nodes)


_NOTHING = np.zeros((0, 0), np.float32)


def _rule(settings: SearchSettings) -> Rule:
    return Rule(
        leaves_per_tree=settings.leaves_per_tree,
        c_init=settings.c_init,
        c_base=settings.c_base,
        fpu_reduction=settings.fpu_reduction,
        virtual_loss=settings.virtual_loss if settings.leaves_per_tree > 1 else 0.0,
        root=ROOT_GUMBEL if settings.root == "gumbel" else ROOT_PUCT,
        gumbel_scale=settings.gumbel_scale,
        shaping_discount=settings.shaping_discount,
    )
