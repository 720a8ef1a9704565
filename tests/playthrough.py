"""A random game as text that a person can read: what golden files hold.

    python tests/playthrough.py connect_four 1 > tests/golden/connect_four.txt

regenerates a golden file after a change that was meant; read the difference like a game record.
"""

import hashlib
import sys

import numpy as np

from stratagem.core.conformance.playing import random_trajectory
from stratagem.core.game import Game, state_hash
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE, OVER


def playthrough(game: Game, seed: int) -> str:
    """Every position drawn, its moves listed, the move taken, and how it ended."""
    trajectory = random_trajectory(game, seed)
    write = game.rules.notation
    size = game.rules.dtype.itemsize
    lines = [
        f"{game.spec} version {game.version}, seed {seed}",
        f"{game.num_seats} seats, {game.actions.size} actions, {size} bytes a position",
    ]
    for ply, state in enumerate(trajectory.states):
        lines += ["", f"# ply {ply}", write.format_state(state)]
        seat = int(state["seat"])
        if seat == OVER:
            break
        if seat == CHANCE:
            outcomes = game.chance_outcomes(state)
            listed = [f"{write.format_action(state, o)} ({p:.4f})" for o, p in outcomes]
        else:
            listed = [write.format_action(state, action) for action in game.legal_actions(state)]
            lines.append(f"seen {_seen(game, trajectory.states[ply : ply + 1])}")
        chosen = write.format_action(state, trajectory.actions[ply])
        lines.append(f"{'chance' if seat == CHANCE else f'seat {seat}'}: {', '.join(listed)}")
        lines.append(f"> {chosen}")
    last = trajectory.states[-1:]
    lines.append(f"returns {np.round(game.returns(last)[0], 4).tolist()}")
    lines.append(f"hash {state_hash(last[0])}")
    return "\n".join(lines) + "\n"


def _seen(game, states):
    seen = game.observer()(states)[0]
    rounded = np.floor(seen.astype(np.float64) * 997.0 + 0.137).astype(np.int64)
    digest = hashlib.blake2b(rounded.tobytes(), digest_size=4).hexdigest()
    return f"{np.count_nonzero(seen)} of {len(seen)} numbers, {digest}"


if __name__ == "__main__":
    sys.stdout.write(playthrough(load_game(sys.argv[1]), int(sys.argv[2])))
