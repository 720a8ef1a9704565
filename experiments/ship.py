"""Put a checkpoint of a run into the package as `best` of a scenario.

    python experiments/ship.py RUN GAME/SCENARIO --plays "mcts:.?sims=100"

RUN is a run or checkpoint folder. Weights are kept in half precision (the network computes in the
precision it always has); beside them go the run's settings and the agent spec that is measured.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

import safetensors.torch
import torch

from stratagem.agents.spec import make_agent
from stratagem.core.registry import GameSpec, load_game
from stratagem.nets.model_file import WEIGHTS_FILE, read_card, save_weights
from stratagem.runs.checkpoints import find_checkpoint
from stratagem.runs.folder import run_around

AGENT = """# Whom the measured strength belongs to (experiments/LEADERBOARD.md).
plays = "{plays}"
"""


def ship(run: str, scenario: str, plays: str) -> Path:
    """Write the folder that `best` reads, and play one decision with it."""
    game = load_game(scenario)
    folder = game.rules.folder / "best" / GameSpec.parse(game.spec).scenario
    folder.mkdir(parents=True, exist_ok=True)
    checkpoint = find_checkpoint(run)
    tensors = safetensors.torch.load_file(checkpoint / WEIGHTS_FILE)
    halved = {
        name: tensor.half() if tensor.dtype == torch.float32 else tensor
        for name, tensor in tensors.items()
    }
    save_weights(folder, halved, read_card(checkpoint))
    (folder / "agent.toml").write_text(AGENT.format(plays=plays))
    shutil.copyfile(run_around(checkpoint).config_file, folder / "run.toml")
    make_agent("best", game)  # refuses what does not load
    return folder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run")
    parser.add_argument("scenario")
    parser.add_argument("--plays", required=True)
    given = parser.parse_args()
    folder = ship(given.run, given.scenario, given.plays)
    size = sum(file.stat().st_size for file in folder.iterdir()) / 1e6
    sys.stdout.write(f"{folder}: {size:.1f} MB\n")


if __name__ == "__main__":
    main()
