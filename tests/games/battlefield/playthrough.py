"""A readable game of Battlefield: run this file to renew tests/golden/battlefield.txt."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from stratagem.core.game import state_hash
from stratagem.core.registry import load_game
from stratagem.core.seats import OVER
from stratagem.core.seeding import derive_seeds

FILE = Path(__file__).parents[2] / "golden" / "battlefield.txt"
SPEC = "battlefield/default"
PLAYERS = ("scripted", "goal-rush")


def playthrough() -> str:
    """Board, legal count, potential, move chosen, ply by ply; result and hash at the end."""
    game = load_game(SPEC)
    notation = game.rules.notation
    state = game.new_states(derive_seeds(7, "golden", count=1))
    seeds = derive_seeds(7, "golden moves", count=200)
    lines = [f"{SPEC}, version {game.version}: {PLAYERS[0]} (seat 0) against {PLAYERS[1]}", ""]
    while state["seat"][0] != OVER:
        seat, ply = int(state["seat"][0]), int(state["ply"][0])
        action = np.empty(1, np.int32)
        game.rules.bot_kernels[PLAYERS[seat]](state, seeds[ply : ply + 1], game.width, action)
        lines += [
            notation.format_state(state[0]),
            f"legal {len(game.legal_actions(state[0]))}, "
            f"potential of seat 0 {game.potentials(state)[0, 0]:+.4f}, "
            f"repeated {int(state['repeated'][0])}",
            f"seat {seat} plays {notation.format_action(state[0], int(action[0]))}",
            "",
        ]
        game.kernels.step(state, action)
    lines += [notation.format_state(state[0]), f"returns {game.returns(state)[0].tolist()}"]
    return "\n".join([*lines, f"hash {state_hash(state[0])}", ""])


if __name__ == "__main__":
    FILE.write_text(playthrough())
