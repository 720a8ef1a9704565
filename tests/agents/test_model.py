"""Networks of agents: how often a recurrent one repeats itself is an option of the spec."""

import numpy as np
import pytest
import torch

from stratagem.agents import make_agent
from stratagem.core.errors import BadSetting
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seeds
from stratagem.nets.build import build_network
from stratagem.nets.model_file import ModelCard, save_model

GAME = load_game("hexwar/symmetric")


def _saved(folder, kind, settings):
    torch.manual_seed(0)
    module = build_network(kind, settings, GAME.observer().spec, GAME.actions, 1)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.add_(0.2 * torch.randn_like(parameter))  # so that it has opinions
    card = ModelCard(
        game=GAME.spec, game_version=GAME.version, network=kind, settings=settings,
        encoding="planes", encoding_options={}, num_values=1,
    )  # fmt: skip
    save_model(folder, module, card)
    return folder


@pytest.fixture(scope="module")
def recall(tmp_path_factory):
    settings = {"filters": 4, "iterations": 3}
    return _saved(tmp_path_factory.mktemp("recall") / "model", "recall", settings)


@pytest.mark.parametrize("spec", ["policy:{}?", "mcts:{}?sims=4&"])
def test_iterations_change_how_it_plays(recall, spec):
    states = GAME.new_states(derive_seeds(1, count=40))
    seeds = derive_seeds(2, count=40)
    path = spec.format(recall)

    def plays(options):
        acted = make_agent(path + options, GAME).act(states, seeds)
        GAME.kernels.step(states.copy(), acted)
        return acted.tolist()

    assert plays("iterations=3") == plays("temperature=0")
    networks = [
        make_agent(path + options, GAME)._evaluator.network
        for options in ("temperature=0", "iterations=3", "iterations=9")
    ]
    seen = np.random.default_rng(3).random((4, networks[0].observation.size), np.float32)
    usual, same, longer = (network(seen)[0] for network in networks)
    assert np.array_equal(usual, same)
    assert not np.array_equal(usual, longer)


def test_mistakes_are_named(recall, tmp_path):
    with pytest.raises(BadSetting, match="iterations must be a whole number"):
        make_agent(f"policy:{recall}?iterations=many", GAME)
    with pytest.raises(BadSetting, match="1 or more"):
        make_agent(f"mcts:{recall}?iterations=0", GAME)
    with pytest.raises(BadSetting, match="without a network"):
        make_agent("mcts:none?iterations=3", GAME)
    plain = _saved(tmp_path / "plain", "residual", {"filters": 4, "blocks": 1, "style": "compact"})
    with pytest.raises(BadSetting, match="is not iterative"):
        make_agent(f"policy:{plain}?iterations=3", GAME)
