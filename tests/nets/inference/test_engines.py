"""Every engine gives what the network gives: every kind, every shipped network, every size."""

from pathlib import Path

import numpy as np
import pytest
import torch

import stratagem.games
from nets.kinds import test_doubled, test_graph, test_places
from nets.specs import ACTIONS, BOARD, BOARD_AND_FACTS, FULL, MOVES, hex_specs
from stratagem.core.errors import BadSetting
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seeds
from stratagem.core.specs import ActionSpec
from stratagem.nets import engine
from stratagem.nets.build import build_network
from stratagem.nets.engine import choose_engine
from stratagem.nets.inference import InferenceNetwork, graph, graph_conversion, graph_forms
from stratagem.nets.inference.graph_forms import has_small_scores
from stratagem.nets.layers.attention import EncoderLayer
from stratagem.nets.model_file import load_model, read_card

BATCHES = (1, 2, 16, 128, 300)
KINDS = [
    ("cnn", {"filters": 16}, BOARD, ACTIONS),
    ("cnn", {"filters": 8, "global_pooling": True}, BOARD_AND_FACTS, ACTIONS),
    ("transformer", {"layers": 2, "width": 16}, BOARD_AND_FACTS, ACTIONS),
    ("transformer", {"layers": 2, "width": 16, "action_tokens": True}, FULL, ACTIONS),
    ("feedforward", {"hidden": (16,), "standardise": True}, BOARD_AND_FACTS, ACTIONS),
    ("recall", {"filters": 8, "fields": 2, "focus": 2}, *hex_specs(5, 6)),
    ("residual", {"filters": 8, "blocks": 1}, *hex_specs(4, 5)),
    ("graph", {"channels": 8, "hidden": 16}, test_graph.WHOLE, test_graph.ACTIONS),
    ("places", test_places.SMALL.model_dump(), test_places.SPEC, test_places.ACTIONS),
    ("doubled", test_doubled.SMALL.model_dump(), test_doubled.BOARD, ActionSpec(7)),
]
SHIPPED = sorted(
    file.parent for file in Path(stratagem.games.__path__[0]).glob("*/best/*/model.json")
)


def trained(kind, settings, observation, actions):
    """A network whose normalization has seen data and whose heads have opinions."""
    torch.manual_seed(0)
    network = build_network(kind, settings, observation, actions, 1)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
        for _ in range(20):
            network(torch.rand(64, observation.size))
    return network.eval()


def positions(observation, count):
    """Of which some have few legal actions, and one has none."""
    generator = np.random.default_rng(count)
    seen = generator.random((count, observation.size), np.float32)
    if MOVES in observation.slices:
        start, stop = observation.bounds(MOVES)
        moves = seen[:, start:stop].reshape(count, *MOVES.shape)
        moves[:, :, -1] = generator.random((count, MOVES.shape[0])) < generator.random((count, 1))
        moves[0, :, -1] = 0.0
    return seen


def legal(observation, seen):
    start, stop = observation.bounds(MOVES)
    return seen[:, start:stop].reshape(len(seen), *MOVES.shape)[:, :, -1] > 0


def assert_same(found, wanted):
    spread = max(1.0, float(np.abs(wanted).max()))
    np.testing.assert_allclose(found, wanted, rtol=0, atol=2e-5 * spread)


def plain(network, seen):
    with torch.no_grad():
        output = network(torch.from_numpy(seen))
    return output.logits.numpy(), output.values.numpy()


@pytest.mark.parametrize("name", ["torch", "openvino"])
@pytest.mark.parametrize(("kind", "settings", "observation", "actions"), KINDS)
def test_engines_agree_with_the_network(kind, settings, observation, actions, name):
    network = trained(kind, settings, observation, actions)
    inference = InferenceNetwork(network, observation, engine=name)
    assert inference.engine == name
    for count in BATCHES:
        seen = positions(observation, count)
        logits, values = inference(seen)
        expected, worth = plain(network, seen)
        if MOVES in observation.slices and settings.get("action_tokens"):
            allowed = legal(observation, seen)
            assert not logits[~allowed].any()
            expected = np.where(allowed, expected, 0.0)
        assert_same(logits, expected)
        assert_same(values, worth)
        assert count < 16 or expected.std() > 0.01


@pytest.mark.slow
@pytest.mark.parametrize("folder", SHIPPED, ids=lambda folder: f"{folder.parts[-3]}-{folder.name}")
def test_shipped_networks_agree_with_torch(folder):
    card = read_card(folder)
    game = load_game(card.game)
    network = load_model(folder, game).module
    observer = game.observer(card.encoding, card.encoding_options)
    seen = observer(game.new_states(derive_seeds(1, count=300)))
    fast = InferenceNetwork(network, observer.spec)
    reference = InferenceNetwork(network, observer.spec, engine="torch")
    for count in BATCHES:
        batch = np.ascontiguousarray(seen[:count])
        for found, wanted in zip(fast(batch), reference(batch), strict=True):
            assert_same(found, wanted)


@pytest.mark.parametrize(("kind", "settings", "observation", "actions"), KINDS[:4])
def test_same_weights_and_batch_give_the_same_bits(kind, settings, observation, actions):
    network = trained(kind, settings, observation, actions)
    first = InferenceNetwork(network, observation, engine="openvino")
    batches = [positions(observation, count) for count in (33, 5, 1, 33)]
    wanted = [first(batch) for batch in batches]
    other = trained(kind, settings, observation, actions)
    with torch.no_grad():
        for parameter in other.parameters():
            parameter.mul_(1.5)
    second = InferenceNetwork(other, observation, engine="openvino")
    assert np.abs(second(batches[0])[0] - wanted[0][0]).max() > 1e-3
    second.refresh(network)
    for batch, (logits, values) in reversed(list(zip(batches, wanted, strict=True))):
        found = second(batch)
        assert (found[0] == logits).all() and (found[1] == values).all()


def test_an_architecture_is_converted_once(monkeypatch, tmp_path):
    monkeypatch.setenv("STRATAGEM_CACHE", str(tmp_path))
    monkeypatch.setattr(graph, "_graphs", {})
    network = trained(*KINDS[0])
    inference = InferenceNetwork(network, BOARD, engine="openvino")
    seen = positions(BOARD, 40)
    wanted = inference(seen)
    monkeypatch.setattr(graph, "convert", lambda *arguments: pytest.fail("converted again"))
    inference.refresh(network)
    monkeypatch.setattr(graph, "_graphs", {})  # as in another process: found on disk
    found = InferenceNetwork(trained(*KINDS[0]), BOARD, engine="openvino")
    for again in (inference(seen), found(seen)):
        assert (again[0] == wanted[0]).all() and (again[1] == wanted[1]).all()


def test_a_damaged_graph_is_converted_again(monkeypatch, tmp_path):
    monkeypatch.setenv("STRATAGEM_CACHE", str(tmp_path))
    monkeypatch.setattr(graph, "_graphs", {})
    network, seen = trained(*KINDS[0]), positions(BOARD, 4)
    wanted = InferenceNetwork(network, BOARD, engine="openvino")(seen)
    (kept,) = tmp_path.rglob("graph.xml")
    kept.write_text(kept.read_text()[:200])
    monkeypatch.setattr(graph, "_graphs", {})
    found = InferenceNetwork(network, BOARD, engine="openvino")(seen)
    assert (found[0] == wanted[0]).all()


NATIVE = pytest.mark.skipif(
    not torch.cpu._is_avx512_bf16_supported(), reason="a processor without bfloat16"
)


@pytest.mark.parametrize("precision", ["float32", pytest.param("bfloat16", marks=NATIVE)])
def test_a_wrong_graph_is_not_used(monkeypatch, tmp_path, precision):
    monkeypatch.setenv("STRATAGEM_CACHE", str(tmp_path))
    monkeypatch.setattr(graph, "_graphs", {})
    right = graph_conversion._OpenWeights.forward

    def wrong(self, *inputs):
        logits, values = right(self, *inputs)
        return 1.2 * logits, values

    monkeypatch.setattr(graph_conversion._OpenWeights, "forward", wrong)
    network = trained(*KINDS[0])
    with pytest.warns(UserWarning, match="torch computes it instead"):
        inference = InferenceNetwork(network, BOARD, engine="openvino", precision=precision)
    assert inference.engine == "torch"


@NATIVE
def test_a_network_that_torch_rounds_as_much_is_a_graph(monkeypatch, tmp_path):
    """Trained weights can be sensitive to bfloat16: then torch is as far from float32."""
    monkeypatch.setenv("STRATAGEM_CACHE", str(tmp_path))
    monkeypatch.setattr(graph, "_graphs", {})
    monkeypatch.setattr(graph, "_TOLERANCE", {"bfloat16": 0.0})
    inference = InferenceNetwork(trained(*KINDS[0]), BOARD, engine="openvino", precision="bfloat16")
    assert inference.engine == "openvino"


def test_bfloat16_without_native_products_stays_on_torch(monkeypatch):
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: False)
    network = trained(*KINDS[0])
    inference = InferenceNetwork(network, BOARD, engine="openvino", precision="bfloat16")
    assert inference.engine == "torch"


@NATIVE
def test_distances_keep_their_digits():
    """In bfloat16 a network with distance fields reads them in float32, like torch."""
    kind, settings, observation, actions = next(one for one in KINDS if "fields" in one[1])
    network = trained(kind, settings, observation, actions)
    read, _ = graph_conversion.stages_of(network, observation.size, None, "bfloat16")
    exact = graph.Graph(graph_conversion.convert(network, read), read).bind(network, (1, 16))
    for count in BATCHES:
        seen = positions(observation, count)
        (found,) = exact([seen])
        with torch.no_grad():
            assert_same(found, network.read(torch.from_numpy(seen)).numpy())


@NATIVE
@pytest.mark.parametrize(("kind", "settings", "observation", "actions"), KINDS)
def test_bfloat16_is_as_close_as_torch(kind, settings, observation, actions):
    network = trained(kind, settings, observation, actions)
    inference = InferenceNetwork(network, observation, engine="openvino", precision="bfloat16")
    assert inference.engine == "openvino"
    by_torch = InferenceNetwork(network, observation, engine="torch", precision="bfloat16")
    for count in BATCHES:
        seen = positions(observation, count)
        logits, values = inference(seen)
        rounded, worth = by_torch(seen)
        for found, wanted in ((logits, rounded), (values, worth)):
            assert np.abs(found - wanted).max() < 0.06 * max(1.0, np.abs(wanted).max())


@pytest.mark.parametrize("times", [1.0, 12.0])
@pytest.mark.parametrize("action_tokens", [False, True])
def test_attention_with_any_scores(times, action_tokens):
    """Where exponentials of scores could be infinite, the largest is subtracted from them."""
    observation = FULL if action_tokens else BOARD_AND_FACTS
    settings = {"layers": 2, "width": 16, "action_tokens": action_tokens}
    network = trained("transformer", settings, observation, ACTIONS)
    with torch.no_grad():
        for layer in network.encoder:
            layer.query_key_value.weight[:32] *= times
    assert has_small_scores(network) == (times == 1.0)
    inference = InferenceNetwork(network, observation, engine="openvino")
    assert inference.engine == "openvino"
    seen = positions(observation, 40)
    logits, values = inference(seen)
    expected, worth = plain(network, seen)
    if action_tokens:
        expected = np.where(legal(observation, seen), expected, 0.0)
    np.testing.assert_allclose(logits, expected, rtol=0, atol=1e-3)
    np.testing.assert_allclose(values, worth, rtol=0, atol=1e-3)


def test_scores_are_bounded_by_the_weights():
    """No pair of tokens reaches more, and the worst pair reaches nearly that."""
    layer = EncoderLayer(16, 4, 2)
    torch.manual_seed(1)
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.add_(0.5 * torch.randn_like(parameter))
        tokens = layer.norm(torch.randn(2000, 16) * 10)
        query, key, _ = layer.query_key_value(tokens).view(-1, 3, 4, 4).unbind(1)
        scores = torch.einsum("qhf,khf->hqk", query, key) / 2
    bound = graph_forms._score_bound(layer)
    assert 0.3 * bound < float(scores.abs().max()) <= bound


def test_a_network_that_halts_never_becomes_a_graph(monkeypatch):
    """A graph of one overran memory: it kept the batch that it was traced with."""

    def refuse(*_):
        raise AssertionError("a graph of a network that halts")

    monkeypatch.setattr("stratagem.nets.inference.network.bind_graph", refuse)
    observation, actions = hex_specs(4, 5)
    settings = {"filters": 8, "iterations": 3, "halting": True}
    halting = trained("recall", settings, observation, actions)
    network = InferenceNetwork(halting, observation, engine="openvino")
    assert network.engine == "torch"
    for count in BATCHES:
        seen = positions(observation, count)
        for found, wanted in zip(network(seen), plain(halting, seen), strict=True):
            assert_same(found, wanted)


def test_choosing_an_engine(monkeypatch):
    assert choose_engine("torch") == "torch"
    with pytest.raises(BadSetting, match="choose one of auto, torch, openvino"):
        choose_engine("tensorflow")
    monkeypatch.setattr(engine, "_is_installed", lambda: False)
    assert choose_engine("auto") == "torch"
    with pytest.raises(BadSetting, match="not installed"):
        choose_engine("openvino")
