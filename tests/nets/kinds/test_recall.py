"""The recurrent hex network: the paper's sizes, iterations, progressive loss, any board."""

import pytest
import torch
from pydantic import ValidationError

from nets.specs import BOARD, MOVES, hex_specs
from stratagem.core.errors import BadSetting
from stratagem.core.specs import ActionSpec, ObservationSlice, ObservationSpec
from stratagem.nets.kinds.recall import Settings, build
from stratagem.nets.layers.basic import count_parameters
from stratagem.nets.layers.halting import divergence_from_geometric, stop_distribution
from stratagem.nets.layers.hex import HexLayer, SeparableHexLayer
from stratagem.nets.layers.hex_blocks import BoardPool

SMALL = {"filters": 8, "iterations": 3}
PAPER = {"style": "paper", "filters": 256, "iterations": 6, "alpha": 0.01}


def _network(height=5, width=5, num_values=1, **settings):
    torch.manual_seed(0)
    observation, actions = hex_specs(height, width)
    return build(Settings(**{**SMALL, **settings}), observation, actions, num_values)


def test_parameters_are_those_of_the_paper():
    observation, actions = hex_specs(5, 5, channels=86, planes=21)
    network = build(Settings(**PAPER), observation, actions, 1)
    parts = {
        "projection": 154_112,
        "step": 2_447_872,
        "policy": 262_752,
        "value": 577_080,
    }
    counted = {name: count_parameters(getattr(network, name)) for name in parts}
    assert counted == parts
    assert count_parameters(network) == 3_441_816
    assert not [name for name, _ in network.named_parameters() if "bias" in name or "norm" in name]


@pytest.mark.parametrize("style", ["compact", "paper"])
@pytest.mark.parametrize("num_values", [1, 3])
def test_shapes_and_bounds(style, num_values):
    network = _network(4, 6, num_values, style=style, fields=2)
    output = network(10 * torch.randn(3, 5 * 4 * 6))
    assert output.logits.shape == (3, 2 * 4 * 6)
    assert output.values.shape == (3, num_values)
    assert output.values.abs().max() <= 1


def test_recalling_is_a_convolution_over_state_and_input():
    """The two convolutions of the paper's step equal one over both, side by side."""
    network = _network(style="paper")
    from stratagem.nets.layers.hex import HexLayer

    together = HexLayer(8 + 5, 8, relu=False)
    state, planes = torch.randn(2, 8, 5, 5), torch.randn(2, 5, 5, 5)
    with torch.no_grad():
        for name in ("column", "sides"):
            parts = [getattr(layer, name) for layer in (network.step.state, network.step.input)]
            getattr(together, name).copy_(torch.cat(parts, 1))
        expected = network.step.blocks(together(torch.cat([state, planes], 1)))
        got = network.step(state, network.step.recall(planes))
    torch.testing.assert_close(got, expected, atol=1e-5, rtol=1e-5)


def test_logits_lie_where_their_actions_are():
    """Without pooling a far change on the board leaves the logits of a hex alone."""
    network = _network(9, 9, pooled=False, iterations=1).eval()
    observation = torch.rand(1, 5 * 81)
    changed = observation.clone()
    changed.view(1, 5, 9, 9)[:, :, 0, 0] += 1
    moved = (network(changed).logits - network(observation).logits).view(2, 9, 9).abs()
    assert moved[:, 0, 0].min() > 0
    assert moved[:, 8, 8].max() == 0


def test_more_iterations_see_further():
    def reach(iterations):
        network = _network(1, 40, pooled=False).eval()
        observation = torch.zeros(1, 5 * 40)
        changed = observation.clone()
        changed[0, 0] = 1.0
        planes = network(changed, iterations).logits - network(observation, iterations).logits
        return int(planes.view(2, 40).abs().amax(0).nonzero().max())

    assert reach(1) < reach(3) < reach(6)


def test_iterations_grow_with_the_board():
    assert _network(5, 5, iterations_per_side=1.5).iterations == 3 + 8
    assert _network(4, 12, iterations_per_side=1.5).iterations == 3 + 18


def test_many_iterations_stay_finite():
    network = _network(8, 8, filters=16).eval()
    with torch.no_grad():
        output = network(torch.rand(2, 5 * 64) * 4, iterations=200)
    assert output.logits.isfinite().all()
    assert output.logits.abs().max() < 10


def test_same_weights_on_another_board():
    network = _network(fields=1)
    observation, actions = hex_specs(7, 8)
    other = network.on_board(observation, actions)
    assert other(torch.rand(2, observation.size)).logits.shape == (2, actions.size)
    assert [id(p) for p in other.parameters()] == [id(p) for p in network.parameters()]
    fresh = build(Settings(**SMALL, fields=1), observation, actions, 1)
    fresh.load_state_dict(network.state_dict())
    batch = torch.rand(2, observation.size)
    assert torch.equal(fresh(batch).logits, other(batch).logits)
    assert network(torch.rand(2, 125)).logits.shape == (2, 50)  # the first one is as it was


def test_another_board_needs_the_same_planes():
    observation, actions = hex_specs(7, 8, channels=6)
    with pytest.raises(BadSetting, match="6 planes and 2 kinds of actions, but these weights"):
        _network().on_board(observation, actions)


def test_training_terms_weigh_up_to_one():
    batch = torch.rand(2, 125)
    generator = torch.Generator().manual_seed(1)
    for alpha, count in ((0.0, 1), (0.25, 2), (1.0, 1)):
        terms = _network(alpha=alpha).training_terms(batch, generator)
        assert len(terms) == count
        assert sum(term.weight for term in terms) == pytest.approx(1)
    terms = _network(alpha=0.25).training_terms(batch, generator)
    assert [term.weight for term in terms] == [0.75, 0.25]


def test_progressive_iterations_stay_within_the_total(monkeypatch):
    network = _network(alpha=1.0, iterations=4)
    drawn = []
    monkeypatch.setattr(
        network, "progress", lambda observation, skipped, trained: drawn.append((skipped, trained))
    )
    generator = torch.Generator().manual_seed(0)
    for _ in range(300):
        network.training_terms(torch.rand(1, 125), generator)
    assert set(drawn) == {(n, k) for n in range(4) for k in range(1, 5 - n)}


def test_progressive_pass_trains_only_its_last_iterations():
    """The output is that of all iterations, the gradient that of the trained ones."""
    network = _network().eval()
    batch = torch.rand(2, 125)
    torch.testing.assert_close(network.progress(batch, 2, 1).logits, network(batch, 3).logits)

    def gradient(output):
        network.zero_grad()
        output.logits.square().sum().backward()
        return network.projection.column.grad

    assert gradient(network.progress(batch, 2, 1)) is None  # the state before was detached
    assert gradient(network.progress(batch, 0, 3)).abs().sum() > 0
    assert gradient(network(batch)).abs().sum() > 0


def test_facts_reach_every_hex():
    facts = ObservationSlice("facts", (2,), "vector")
    board = ObservationSlice("board", (3, 4, 4), "planes")
    network = build(
        Settings(**SMALL), ObservationSpec((board, facts)), ActionSpec(16, (1, 4, 4)), 1
    )
    observation = torch.rand(1, 50)
    changed = observation.clone()
    changed[:, -1] += 1
    assert (network(changed).logits != network(observation).logits).all()


def test_needs_planes_and_actions_on_the_board():
    with pytest.raises(BadSetting, match="reads a 'planes' slice, but this encoding has"):
        build(Settings(), ObservationSpec((MOVES,)), ActionSpec(9), 1)
    for shape in ((), (3, 3, 4)):
        with pytest.raises(BadSetting, match="not laid out over its board"):
            build(Settings(), BOARD, ActionSpec(36, shape), 1)


def test_a_focus_starts_as_the_plain_mean():
    x = torch.randn(3, 8, 5, 6)
    assert torch.allclose(BoardPool(8, 4)(x), BoardPool(8, 0)(x), atol=1e-6)


def test_a_focus_does_not_fade_on_a_larger_board():
    """One unit on the board, and a group of channels that looks at it."""
    pool = BoardPool(4, 2)
    with torch.no_grad():
        pool.looks.weight[0, 0] = 30.0
    heard = []
    for size in (5, 15):
        x = torch.zeros(1, 4, size, size)
        x[0, :, 2, 3] = torch.tensor([1.0, 2.0, 3.0, 4.0])
        heard.append(pool(x)[0])
    torch.testing.assert_close(heard[1][:2], heard[0][:2], atol=1e-4, rtol=1e-4)
    assert heard[1][2] < heard[0][2] / 5  # the other group takes the plain mean


def test_focus_must_divide_half_the_filters():
    with pytest.raises(ValueError, match="focus must divide half the filters, 4"):
        Settings(filters=8, focus=3)


def test_separable_layers_are_a_hex_convolution_with_fewer_weights():
    """With one channel and weight 1 behind it a separable layer is the plain one."""
    plain, separable = HexLayer(1, 1, relu=False), SeparableHexLayer(1, 1, relu=False)
    with torch.no_grad():
        separable.column.copy_(plain.column)
        separable.sides.copy_(plain.sides)
        separable.mix.weight.fill_(1.0)
    x = torch.randn(2, 1, 5, 6)
    torch.testing.assert_close(separable(x), plain(x))
    wide = torch.randn(400, 32, 5, 5)
    torch.manual_seed(1)
    full, light = HexLayer(32, 32, relu=False), SeparableHexLayer(32, 32, relu=False)
    inner = (slice(None), slice(None), slice(1, 4), slice(1, 4))
    assert light(wide)[inner].std().item() == pytest.approx(
        full(wide)[inner].std().item(), rel=0.35
    )
    small, large = _network(separable=True, filters=32), _network(filters=32)
    assert count_parameters(small.step.block) < count_parameters(large.step.block) / 2
    assert small(torch.rand(2, 125)).logits.shape == (2, 50)


def test_where_a_network_stops_is_a_distribution():
    chances = [torch.tensor([0.5, 1.0]), torch.tensor([0.5, 0.3]), torch.tensor([0.1, 0.2])]
    stops = stop_distribution(chances)
    torch.testing.assert_close(stops, torch.tensor([[0.5, 0.25, 0.25], [1.0, 0.0, 0.0]]))
    usual = torch.tensor([[0.2, 0.16, 0.64]])
    assert float(divergence_from_geometric(usual, 0.2)) == pytest.approx(0, abs=1e-5)
    assert float(divergence_from_geometric(stops, 0.2)) > 0.3


def test_a_pondering_network_trains_every_iteration_by_its_chance():
    network = _network(halting=True, iterations=4)
    terms = network.training_terms(torch.rand(3, 125), torch.Generator())
    assert len(terms) == 4
    torch.testing.assert_close(sum(term.positions for term in terms), torch.ones(3))
    assert terms[0].penalty is not None and terms[1].penalty is None
    loss = sum((t.output.values[:, 0] * t.positions).sum() for t in terms) + terms[0].penalty
    loss.backward()
    assert network.halting.out.weight.grad.abs().sum() > 0
    with pytest.raises(ValidationError, match="no progressive loss"):
        Settings(halting=True, alpha=0.5)


def test_a_pondering_network_stops_by_itself_position_by_position():
    network = _network(halting=True, iterations=2, patience=3).eval()
    batch = torch.rand(3, 125)
    ran = []
    network.step.register_forward_hook(lambda *_: ran.append(1))

    def stop_at(*iterations):
        """Position k is surer than not to stop at the iteration given for it."""
        ran.clear()
        at = torch.tensor(iterations)
        network.halting.forward = lambda state: (at <= len(ran)).float() * 0.9

    with torch.no_grad():
        stop_at(1, 3, 2)
        output = network(batch)
        assert len(ran) == 3
        for row, count in enumerate((1, 3, 2)):
            expected = network(batch, count)
            torch.testing.assert_close(output.logits[row], expected.logits[row])
            torch.testing.assert_close(output.values[row], expected.values[row])
        stop_at(99, 99, 99)
        network(batch)
    assert len(ran) == 6
