"""The region network: layouts, masks, graph distances, sequences, densities, seats."""

import numpy as np
import pytest
import torch

from stratagem.core.errors import BadSetting
from stratagem.core.specs import ActionField, ActionSpec, ObservationSlice, ObservationSpec
from stratagem.nets.build import build_network
from stratagem.nets.inference.sequences import CachedStepper, FreshStepper, make_stepper
from stratagem.nets.layers.graph_bias import distances
from stratagem.nets.losses import masked_log_softmax

NODES, PIECES, STACK = 5, 7, 6
LINKS = ((0, 1), (1, 2), (2, 3))  # node 4 lies apart
TILES = ObservationSlice("tiles", (NODES, 3), "nodes", LINKS, (LINKS[:1], LINKS[1:]))
OBSERVATION = ObservationSpec(
    (
        TILES,
        ObservationSlice("pieces", (PIECES, 4), "tokens"),
        ObservationSlice("piece_tile", (PIECES,), "vector"),
        ObservationSlice("piece_slot", (PIECES,), "vector"),
        ObservationSlice("globals", (2,), "vector"),
        ObservationSlice("decision", (NODES + STACK + NODES + 1,), "vector"),
    )
)
FLAT = ObservationSpec((TILES, OBSERVATION.slices[4], OBSERVATION.slices[5]))
FIELDS = (
    ActionField("type", 2, "choice"),
    ActionField("tile", NODES, "nodes"),
    ActionField("units", STACK, "set"),
    ActionField("target", NODES, "nodes"),
)
MASKS = range(1, 2**STACK)
# Place a unit (tile and slot), choose pieces (a set), choose a target, stop.
TOKENS = (
    *((0, 2 + tile, 2 + NODES + slot) for slot in range(2) for tile in range(NODES)),
    *((1, *(2 + NODES + k for k in range(STACK) if mask >> k & 1)) for mask in MASKS),
    *((1, 2 + NODES + STACK + tile) for tile in range(NODES)),
    (1,),
)
ACTIONS = ActionSpec(len(TOKENS), fields=FIELDS, tokens=TOKENS)
UNITS = slice(2 * NODES, 2 * NODES + len(MASKS))


def observations(count, seed=1, in_play=NODES):
    generator = np.random.default_rng(seed)
    rows = generator.random((count, OBSERVATION.size)).astype(np.float32)
    at = {part.name: OBSERVATION.bounds(part) for part in OBSERVATION.slices}
    rows[:, in_play * 3 : NODES * 3] = 0
    present = generator.integers(1, PIECES + 1, count)
    tile, slot = (rows[:, slice(*at[name])] for name in ("piece_tile", "piece_slot"))
    tile[:] = generator.integers(0, in_play, tile.shape)
    slot[:] = np.arange(PIECES) % STACK
    for row, many in enumerate(present):
        tile[row, many:] = slot[row, many:] = -1
        start = at["pieces"][0]
        rows[row, start + many * 4 : at["pieces"][1]] = 0
    rows[:, slice(*at["decision"])] = generator.integers(0, 2, (count, 2 * NODES + STACK + 1))
    return rows


def network(num_values=1, observation=OBSERVATION, **settings):
    torch.manual_seed(3)
    made = build_network(
        "regions", {"width": 8, "steps": 6, **settings}, observation, ACTIONS, num_values
    )
    with torch.no_grad():  # heads start almost undecided, which would hide mistakes
        for parameter in made.parameters():
            parameter.add_(0.2 * torch.randn_like(parameter))
    return made.eval()


def test_distances_count_links():
    found = distances(NODES, LINKS)
    assert found[0].tolist() == [0, 1, 2, 3, 15]
    assert (found == found.T).all()


def test_shapes():
    output = network(4)(torch.from_numpy(observations(3)))
    assert output.logits.shape == (3, ACTIONS.size)
    assert output.values.shape == (3, 4) and output.values.abs().max() <= 1


@pytest.mark.parametrize("settings", [{}, {"distance_bias": False}, {"decoder": False}])
def test_a_position_does_not_depend_on_its_company(settings):
    made, rows = network(**settings), torch.from_numpy(observations(5))
    together, alone = made(rows), made(rows[2:3])
    assert torch.allclose(together.logits[2], alone.logits[0], atol=1e-5)
    assert torch.allclose(together.values[2], alone.values[0], atol=1e-5)


def test_padding_tells_nothing():
    made, rows = network(), observations(4)
    start, stop = OBSERVATION.bounds(OBSERVATION.slices[1])
    tiles = rows[:, slice(*OBSERVATION.bounds(OBSERVATION.slices[2]))]
    other = rows.copy()
    other[:, start:stop].reshape(4, PIECES, 4)[tiles < 0] = 9.0
    mine, theirs = (made(torch.from_numpy(each)).logits for each in (rows, other))
    assert torch.allclose(mine, theirs, atol=1e-5)


def test_places_out_of_play_are_left_out():
    made, rows = network(), torch.from_numpy(observations(3, in_play=3))
    before = made(rows)
    with torch.no_grad():
        made.encoder.position[3:] += 5.0
        made.encoder.state_position[3:] += 5.0
    assert torch.equal(made(rows).logits, before.logits)


@pytest.mark.parametrize("what", ["by_distance", "by_relation"])
def test_the_graph_is_heard(what):
    made, rows = network(), torch.from_numpy(observations(3))
    before = made(rows).logits
    with torch.no_grad():
        getattr(made.encoder.state_bias, what)[:, 0] += 2.0
    assert not torch.allclose(made(rows).logits, before, atol=1e-4)


def test_pieces_in_the_last_slot_count_as_their_mean():
    made = network(piece_layers=0)
    pieces = made.encoder.pieces
    row = torch.from_numpy(observations(1))
    tile, slot = (row[:, slice(*OBSERVATION.bounds(OBSERVATION.slices[k]))] for k in (2, 3))
    tile[:], slot[:] = 0.0, 5.0
    index = torch.arange(NODES)
    stacks = pieces(row, index, index).unflatten(2, (STACK, -1))[0]
    features = pieces.pieces(row)
    encoded = pieces.tokens(features, pieces.tile_reference[tile.long()], None)[0]
    assert torch.allclose(stacks[0, 5], encoded.mean(0), atol=1e-5)
    assert not stacks[1:].any()


def test_subsets_of_units_have_independent_odds():
    """log p(set) is a sum over its members, and all sets together have probability one."""
    logits = network()(torch.from_numpy(observations(2))).logits
    legal = torch.zeros_like(logits, dtype=torch.bool)
    legal[:, UNITS] = True
    log_p = masked_log_softmax(logits, legal)[:, UNITS]
    assert torch.allclose(log_p.exp().sum(1), torch.ones(2))
    one, two, both = (log_p[:, mask - 1] for mask in (0b001, 0b010, 0b011))
    odd, more = log_p[:, 0b101 - 1], log_p[:, 0b111 - 1]
    assert torch.allclose(both - one, more - odd, atol=1e-5)  # unit 1 joins, whoever is there
    assert not torch.allclose(one, two)


def test_actions_with_tile_and_unit_know_both():
    """Not only a sum of a tile's and a unit's score."""
    logits = network()(torch.from_numpy(observations(1))).logits[0, : 2 * NODES].view(2, NODES)
    difference = logits[0] - logits[1]
    assert difference.std() > 1e-3


def test_sequences_in_parallel_equal_sequences_step_by_step():
    made = network(2)
    rows = np.stack([observations(4, seed=k) for k in range(5)])  # [S, B, D]
    actions = np.random.default_rng(5).integers(0, ACTIONS.size, (5, 4))
    stepper = make_stepper(made, OBSERVATION, 9, 5, "float32")
    assert isinstance(stepper, CachedStepper)
    slots = np.array([7, 2, 4, 0])
    steps = [stepper.begin(slots, rows[0])]
    logits = [steps[0][0]]
    logits += [stepper.go_on(slots, rows[k], actions[k - 1]) for k in range(1, 5)]
    memory = made.encode(torch.from_numpy(rows[0]))
    chosen = torch.stack([made.decoder.tokens.chosen(torch.from_numpy(row)) for row in rows], 1)
    previous = torch.from_numpy(np.vstack([np.full((1, 4), -1), actions[:4]]).T)
    whole, _ = made.decode(memory, chosen, previous, None, 0)
    assert np.allclose(whole.detach().numpy(), np.stack(logits, 1), atol=1e-4)
    assert np.allclose(steps[0][1], memory.values.detach().numpy(), atol=1e-5)
    with pytest.raises(ValueError, match="more than 5 steps"):
        stepper.go_on(slots, rows[0], actions[4])


def test_slots_may_be_at_different_steps():
    made = network()
    rows, actions = observations(3), np.array([3, 4, 5])
    mixed = make_stepper(made, OBSERVATION, 3, 4, "float32")
    alone = make_stepper(made, OBSERVATION, 3, 4, "float32")
    everyone = np.arange(3)
    for stepper in (mixed, alone):
        stepper.begin(everyone, rows)
    for stepper in (mixed, alone):
        stepper.go_on(np.array([1]), rows[1:2], actions[1:2])
    together = mixed.go_on(everyone, rows, actions)
    apart = [alone.go_on(np.array([k]), rows[k : k + 1], actions[k : k + 1])[0] for k in range(3)]
    assert np.allclose(together, apart, atol=1e-5)


def test_later_decisions_do_not_reach_earlier_ones():
    made = network()
    memory = made.encode(torch.from_numpy(observations(2)))
    chosen = torch.rand(2, 4, 2 * NODES + STACK + 1)
    previous = torch.tensor([[-1, 3, 4, 5], [-1, 6, 7, 8]])
    before, _ = made.decode(memory, chosen, previous, None, 0)
    previous[:, 3], chosen[:, 3] = 9, 0.0
    after, _ = made.decode(memory, chosen, previous, None, 0)
    assert torch.equal(before[:, :3], after[:, :3])
    assert not torch.allclose(before[:, 3], after[:, 3])


def test_one_step_is_the_plain_forward_pass():
    made, rows = network(), observations(3)
    stepper = make_stepper(made, OBSERVATION, 3, 4, "float32")
    logits, values = stepper.begin(np.arange(3), rows)
    output = made(torch.from_numpy(rows))
    assert np.allclose(logits, output.logits.detach().numpy(), atol=1e-5)
    assert np.allclose(values, output.values.detach().numpy(), atol=1e-5)
    assert isinstance(make_stepper(made, OBSERVATION, 3, 1, "float32"), FreshStepper)


def test_the_same_weights_serve_any_number_of_seats():
    two, four = network(1), network(4)
    four.load_state_dict(two.state_dict())
    rows = torch.from_numpy(observations(3))
    assert torch.equal(two(rows).logits, four(rows).logits)
    assert torch.equal(two(rows).values[:, 0], four(rows).values[:, 0])


def test_a_flat_encoding_has_no_piece_encoder():
    made = network(observation=FLAT)
    assert made.encoder.pieces is None and made.encoder.tile_tokens is None
    rows = torch.rand(2, FLAT.size)
    assert made(rows).logits.shape == (2, ACTIONS.size)


def test_the_papers_row_of_a_tile_has_237_numbers():
    from stratagem.core.registry import load_game

    game = load_game("hispania/full55")
    made = build_network("regions", {}, game.observer("hierarchy").spec, game.actions, 4)
    known = made.encoder.global_features.in_features
    assert known + made.encoder.state_tokens.enter.in_features == 237


@pytest.mark.parametrize(
    ("observation", "actions", "message"),
    [
        (ObservationSpec((OBSERVATION.slices[4],)), ACTIONS, "reads a 'nodes' slice"),
        (OBSERVATION, ActionSpec(9), "declare fields and tokens"),
        (ObservationSpec(OBSERVATION.slices[:2]), ACTIONS, "needs a slice 'piece_tile'"),
    ],
)
def test_what_it_cannot_read_is_refused(observation, actions, message):
    with pytest.raises(BadSetting, match=message):
        build_network("regions", {}, observation, actions, 1)
