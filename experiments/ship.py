"""Put a checkpoint of a run into the package as `best` of a scenario.

    python experiments/ship.py RUN GAME/SCENARIO --plays "mcts:.?sims=100"

RUN is a run or checkpoint folder; a dot in the agent spec stands for it. The checkpoint goes into
the game's folder as `best/SCENARIO` (or `--name`), with weights in half precision (the network
computes in the precision it always has) and the run's settings; the spec goes into `best.toml`.
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

HEAD = """# Agent spec behind the leaderboard row of each scenario. Targets are folders below best/.

[agents]
"""


def ship(run: str, spec: str, plays: str, name: str = "") -> Path:
    """Write the checkpoint and the line that `best` reads, and load the agent once."""
    game = load_game(spec)
    scenario = GameSpec.parse(game.spec).scenario
    folder = game.rules.folder / "best" / (name or scenario)
    folder.mkdir(parents=True, exist_ok=True)
    checkpoint = find_checkpoint(run)
    tensors = safetensors.torch.load_file(checkpoint / WEIGHTS_FILE)
    halved = {
        name: tensor.half() if tensor.dtype == torch.float32 else tensor
        for name, tensor in tensors.items()
    }
    save_weights(folder, halved, read_card(checkpoint))
    write_agent(game.rules.folder / "best.toml", scenario, plays.replace(":.", f":{folder.name}"))
    shutil.copyfile(run_around(checkpoint).config_file, folder / "run.toml")
    make_agent("best", game)  # refuses what does not load
    return folder


def write_agent(file: Path, scenario: str, agent: str) -> None:
    """Set a scenario's own line of best.toml; other lines and comments stay as they are."""
    lines = (file.read_text() if file.is_file() else HEAD).splitlines()
    line = f'{scenario} = "{agent}"'
    own = [k for k, text in enumerate(lines) if text.partition("=")[0].strip(' "') == scenario]
    if own:
        lines[own[0]] = line
    else:
        lines.append(line)
    file.write_text("\n".join(lines) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run")
    parser.add_argument("scenario")
    parser.add_argument("--plays", required=True)
    parser.add_argument("--name", default="", help="of the checkpoint; default: the scenario")
    given = parser.parse_args()
    folder = ship(given.run, given.scenario, given.plays, given.name)
    size = sum(file.stat().st_size for file in folder.iterdir()) / 1e6
    sys.stdout.write(f"{folder}: {size:.1f} MB\n")


if __name__ == "__main__":
    main()
