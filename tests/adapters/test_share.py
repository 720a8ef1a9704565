"""A shared folder plays, and its page says what it is."""

import shutil

import numpy as np
import pytest

from stratagem.adapters.share import find_network, share_network
from stratagem.agents import make_agent
from stratagem.core.errors import BadCheckpoint, BadSetting
from stratagem.core.registry import load_game


@pytest.fixture
def found():
    return find_network("best", "connect_four")


def test_the_folder_plays_elsewhere(found, tmp_path):
    page = share_network(found, tmp_path / "four")
    moved = shutil.move(tmp_path / "four", tmp_path / "moved")
    assert sorted(file.name for file in (tmp_path / "moved").iterdir()) == [
        "README.md", "manifest.json", "model.json", "model.safetensors",
    ]  # fmt: skip
    game = load_game("connect_four")
    states, seeds = game.new_states(np.ones(3, np.uint64)), np.ones(3, np.uint64)
    original = make_agent(f"policy:{found.folder}", game).act(states, seeds)
    assert (make_agent(f"policy:{moved}", game).act(states, seeds) == original).all()
    assert page.name == "README.md"


def test_the_page_says_what_it_needs(found, tmp_path):
    text = share_network(found, tmp_path / "four").read_text()
    for part in (
        "# four: a network for Connect Four", "connect_four/default", "version 1 of the rules",
        "mcts:four?sims=64", "| kind ", "cnn", "`threats`", "7 logits", "iteration", "Strength",
        "torch 2.",
    ):  # fmt: skip
        assert part in text, part
    assert str(tmp_path) not in text and str(found.folder) not in text


def test_damage_is_not_shared(found, tmp_path):
    shutil.copytree(found.folder, tmp_path / "own")
    weights = tmp_path / "own" / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"x")
    with pytest.raises(BadCheckpoint, match="damaged"):
        share_network(find_network(str(tmp_path / "own")), tmp_path / "four")
    assert not (tmp_path / "four").exists()


def test_what_can_be_named(found, tmp_path):
    share_network(found, tmp_path / "four")
    for text in (tmp_path / "four", f"mcts:{tmp_path / 'four'}?sims=9"):
        assert find_network(str(text)).game.spec == "connect_four/default"
    with pytest.raises(BadSetting, match="--game"):
        find_network("best")
    with pytest.raises(BadSetting, match="already exists"):
        share_network(found, tmp_path / "four")
    with pytest.raises(BadCheckpoint, match="check the path"):
        find_network("runs/nothing")
