"""Self-play: games that replay, policies that are legal, nothing seen that is hidden, shaping."""

from types import SimpleNamespace

import numpy as np
import pytest

from stratagem.core.record import record_game, replay
from stratagem.core.registry import load_game
from stratagem.core.seats import OVER
from stratagem.core.seeding import derive_generator
from stratagem.core.state_arrays import as_bytes
from stratagem.search import PlayoutEvaluator, UniformEvaluator
from stratagem.train.alphazero import slots as slots_module
from stratagem.train.alphazero.results import join_results
from stratagem.train.alphazero.slots import join_slots, split_slots
from train.alphazero.tiny import TINY, make_group, same, self_play

EVERY_KIND = [TINY, "dice", "dice/three", "cards"]  # plain, chance, three seats, hidden cards


@pytest.mark.parametrize("spec", EVERY_KIND)
@pytest.mark.parametrize("root", ["puct", "gumbel"])
def test_every_game_replays_to_the_positions_and_results_in_its_samples(spec, root):
    game = load_game(spec)
    played = self_play(game, 80, search={"root": root})
    position = 0
    assert len(played.games) > 5
    for finished in played.games:
        record = record_game(game, finished.setup_seed, list(finished.events), ("a", "b"))
        states = replay(record, game)  # checks that every event was legal
        assert states["seat"][-1] == OVER
        decided = states[states["seat"] >= 0]
        mine = slice(position, position + len(decided))
        assert played.samples.states[mine].tobytes() == decided.tobytes()
        assert (played.samples.values[mine] == game.returns(states[-1:])).all()
        position += len(decided)
    assert position == len(played.samples)
    assert played.mean_plies == pytest.approx(position / len(played.games))
    assert played.samples.values.shape[1] == game.num_seats


@pytest.mark.parametrize("spec", EVERY_KIND)
def test_visits_lie_on_legal_actions_only_and_make_a_whole(spec):
    game = load_game(spec)
    samples = self_play(game, 80).samples
    for k in range(len(samples)):
        mine = slice(*samples.offsets[k : k + 2])
        assert set(samples.actions[mine]) <= set(game.legal_actions(samples.states[k]))
        assert samples.shares[mine].min() > 0
        assert samples.shares[mine].astype(int).sum() == pytest.approx(65535, abs=4)
    assert (np.abs(samples.search_values) <= 1).all()


@pytest.mark.parametrize("spec", EVERY_KIND)
def test_the_same_generator_gives_the_same_games(spec):
    game = load_game(spec)
    one, other, third = (self_play(game, 64, seed=seed) for seed in (5, 5, 6))
    assert one.games == other.games
    assert same(one.samples, other.samples)
    assert one.games != third.games


def test_games_go_on_from_one_round_to_the_next():
    game = load_game(TINY)
    group, evaluator = make_group(game), PlayoutEvaluator(game, 0)
    seen = []
    for number in range(6):
        begun = [len(trajectory.states) for trajectory in group.trajectories]
        played = group.play(8, evaluator, derive_generator(number), 8)
        assert played.decisions == 8
        seen.append((begun, played))
    assert any(sum(begun) for begun, _ in seen)
    # Three in a row takes five plies: eight slots with one decision a round need five rounds.
    assert [len(played.games) for _, played in seen][:4] == [0] * 4
    assert sum(len(played.games) for _, played in seen) > 0


def test_exported_games_are_played_on_alike():
    game = load_game("dice/three")
    evaluator = PlayoutEvaluator(game, 0)
    groups = [make_group(game), make_group(game, selfplay={"slots": 3})]
    for number, group in enumerate(groups):
        group.play(13, evaluator, derive_generator(number), 8)
    again = [make_group(game), make_group(game, selfplay={"slots": 3})]
    parts = split_slots(join_slots([group.export() for group in groups]), [8, 3])
    for copy, part in zip(again, parts, strict=True):
        copy.restore(part)
    for number, (group, copy) in enumerate(zip(groups, again, strict=True)):
        expected = group.play(40, evaluator, derive_generator(9, number), 8)
        found = copy.play(40, evaluator, derive_generator(9, number), 8)
        assert same(found.samples, expected.samples)
        assert found.games == expected.games


def test_another_number_of_slots_is_refused():
    game = load_game(TINY)
    arrays = make_group(game).export()
    with pytest.raises(ValueError, match=r"8 games in progress, but selfplay\.slots is 4"):
        split_slots(arrays, [4])


def test_playout_caps_search_some_decisions_briefly_and_give_them_no_policy_weight():
    game = load_game(TINY)
    options = {"full_share": 0.5, "fast_sims": 4}
    samples = self_play(game, 200, selfplay=options, search={"sims": 16, "reuse": False}).samples
    full = samples.policy_weights == 1
    assert ((samples.policy_weights == 0) | full).all()
    assert 0.3 < full.mean() < 0.7
    for k in range(len(samples)):
        shares = samples.shares[slice(*samples.offsets[k : k + 2])] / 65535
        visits = shares * (16 if full[k] else 4)
        assert visits == pytest.approx(np.round(visits), abs=1e-3)
    assert (self_play(game, 64).samples.policy_weights == 1).all()


@pytest.mark.parametrize(("reuse", "kept_any"), [(True, True), (False, False)])
def test_trees_follow_the_moves_and_the_dice(monkeypatch, reuse, kept_any):
    game = load_game("dice")
    group = make_group(game, search={"reuse": reuse, "sims": 32})
    kept = []
    advance = group.forest.advance

    def watch(trees, actions):
        rolling = group.forest.root_states(trees)["seat"] < 0
        result = advance(trees, actions)
        kept.extend(result[rolling])
        return result

    monkeypatch.setattr(group.forest, "advance", watch)
    group.play(60, PlayoutEvaluator(game, 0), derive_generator(1), 32)
    assert any(kept) == kept_any
    slots = np.arange(len(group.batch))
    assert group.forest.root_states(slots).tobytes() == group.batch.states.tobytes()


def test_the_search_cannot_see_the_other_seats_card(monkeypatch):
    # The same seeds with other cards: no game could come to these positions.
    monkeypatch.setattr(slots_module, "check_retraced", lambda *_: None)
    game = load_game("cards/default?ranks=8")
    shares = []
    for card in (1, 8):  # held by the other seat
        group = make_group(game, search={"sims": 64})
        states = np.zeros(8, game.rules.dtype)
        states["ranks"] = 8
        states["card"] = (4, card)
        group.restore(
            group.export() | {"states": as_bytes(states), "setup_seeds": np.ones(8, np.uint64)}
        )
        group.play(8, PlayoutEvaluator(game, 0), derive_generator(1), 64)
        shares.append([tuple(t.shares[0]) for t in group.trajectories])
        assert (group.batch.states["card"] == (4, card)).all()  # the game itself is untouched
    assert shares[0] == shares[1]
    assert len(set(shares[0])) > 1  # the guesses differ from slot to slot


def test_groups_are_joined_by_their_games():
    game = load_game(TINY)
    one, other = self_play(game, 64, seed=1), self_play(game, 120, seed=2)
    idle = self_play(game, 4)
    assert idle.games == ()
    joined = join_results([one, idle, other])
    assert joined.games == one.games + other.games
    assert len(joined.samples) == len(one.samples) + len(other.samples)
    assert joined.decisions == one.decisions + idle.decisions + other.decisions
    assert joined.mean_plies == pytest.approx(len(joined.samples) / len(joined.games))
    assert join_results([idle, idle]).mean_plies == 0


# -- shaping -------------------------------------------------------------------------------------


def test_shaping_terms_by_hand():
    group = make_group(load_game(TINY), shaping={"target_weight": 2.0, "discount": 0.5})
    potentials = np.array([[0.1, -0.1], [0.4, -0.4], [0.2, -0.2], [0.0, 0.0]], np.float32)
    group.game = SimpleNamespace(potentials=lambda states: potentials)
    terms = group._shaping_terms(np.zeros(4))
    # d_k = 0.5 * 2 phi(k+1) - 2 phi(k):  d_0 = 0.2, d_1 = -0.6, d_2 = -0.4
    third = -0.4
    second = -0.6 + 0.5 * third
    first = 0.2 + 0.5 * second
    assert terms[:, 0] == pytest.approx([first, second, third])
    assert terms[:, 1] == pytest.approx([-first, -second, -third])


def test_without_a_discount_the_target_is_the_result_less_the_potential():
    game = load_game("battlefield")
    plain, shaped = (
        self_play(game, 1200, UniformEvaluator(game), shaping={"target_weight": weight})
        for weight in (0.0, 0.5)
    )
    potentials = game.potentials(plain.samples.states)
    assert np.abs(potentials).max() > 0.05
    assert shaped.samples.values == pytest.approx(plain.samples.values - 0.5 * potentials, abs=1e-5)
    assert shaped.draws == plain.draws  # counted by results, not by shaped targets
