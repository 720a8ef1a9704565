"""Train the learned value of Catan (`games/catan/learned.py`) and write its weights.

    python scripts/catan_value.py --minutes 60 [--start value.csv] [--seed 1] [--out value.csv]

Policy iteration in the manner of TD-Gammon. Each round plays games with the present value (every
fourth round against `scripted`), a little noise and a few random moves, keeps positions from both
seats' view, and fits the network to a mix of the result and its own later opinion (lambda-returns).
Without `--start` the first round is played by `scripted`. Prints a match against `scripted` every
second round and writes the weights after every round.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from stratagem.agents import Agent, make_agent
from stratagem.core.game import Actions, Game, States
from stratagem.core.random_kernels import start
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import Seeds, derive_generator, derive_seeds
from stratagem.evaluate import play_match
from stratagem.games.catan import actions, learned

SHARE = 0.12  # of positions that are kept
EXPLORE = 0.01  # share of random moves
HEAT = 0.02  # log-odds of noise on every move
TRACE = 0.8  # lambda: how much of the result reaches a position, per kept position
WINDOW = 7  # rounds that are learned from
GAMES = 1200  # of a round
BATCH = 512
RATE = 1e-3

_legal, _choose, _describe = actions.legal, learned.choose, learned.describe
Network = tuple[npt.NDArray[np.float32], ...]


@dataclass(frozen=True)
class Positions:
    """What was kept of one round of games."""

    seen: npt.NDArray[np.float16]  # [K, FEATURES]
    results: npt.NDArray[np.float32]  # [K] of the viewing seat
    games: npt.NDArray[np.int64]  # [K]
    seats: npt.NDArray[np.int8]  # [K]
    plies: npt.NDArray[np.int64]  # [K]


@numba.njit(nogil=True)  # type: ignore[untyped-decorator]
def _act(states, seeds, width, out, network, share, heat):  # type: ignore[no-untyped-def]
    ids = np.empty(width, np.int32)
    for i in range(len(states)):
        count = _legal(states[i], ids)
        out[i] = _choose(states[i], ids, count, start(seeds[i]), network, share, heat)


@numba.njit(nogil=True)  # type: ignore[untyped-decorator]
def _see(states, rows, seats, out):  # type: ignore[no-untyped-def]
    for i in range(len(rows)):
        _describe(states[rows[i]], np.int64(seats[i]), out[i])


class Player:
    """The player `learned` with other weights and noise."""

    spec = "learned"

    def __init__(self, game: Game, network: Network, heat: float) -> None:
        self._game, self._network, self._heat = game, network, heat

    def act(self, states: States, seeds: Seeds) -> Actions:
        out = np.empty(len(states), np.int32)
        share = learned.HAND_MADE_SHARE
        _act(states, seeds, self._game.width, out, self._network, share, self._heat)
        return out


def play_round(game: Game, players: tuple[Agent, Agent], seed: int) -> Positions:
    """Games to their end; the players change seats from game to game."""
    generator = derive_generator(seed, "round")
    states = game.new_states(derive_seeds(seed, "boards", count=GAMES))
    swapped = np.arange(GAMES) % 2
    kept: list[tuple[Any, ...]] = []
    ply = 0
    while (states["seat"] != OVER).any():
        ply += 1
        _one_event(game, players, states, swapped, generator, seed, ply)
        live = (states["seat"] != OVER) & (generator.random(GAMES) < SHARE)
        rows = np.flatnonzero(live)
        seats = generator.integers(0, 2, len(rows)).astype(np.int8)
        seen = np.zeros((len(rows), learned.FEATURES), np.float32)
        _see(states, rows, seats, seen)
        kept.append((seen.astype(np.float16), rows, seats, np.full(len(rows), ply)))
    seen, games, seats, plies = (np.concatenate(part) for part in zip(*kept, strict=True))
    return Positions(seen, game.returns(states)[games, seats], games, seats, plies)


def _one_event(
    game: Game,
    players: tuple[Agent, Agent],
    states: States,
    swapped: npt.NDArray[np.int64],
    generator: np.random.Generator,
    seed: int,
    ply: int,
) -> None:
    """Every game goes on by one chance outcome or one decision."""
    seats = states["seat"].copy()
    moves = game.draw(states, derive_seeds(seed, "draw", ply, count=len(states)))
    for number, player in enumerate(players):
        mine = np.flatnonzero((seats >= 0) & ((seats ^ swapped) == number))
        if len(mine):
            asked = states[mine]
            words = derive_seeds(seed, "act", ply, number, count=len(mine))
            moves[mine] = player.act(asked, words)
            ids, counts = game.legal(asked)
            anything = ids[np.arange(len(mine)), (generator.random(len(mine)) * counts).astype(int)]
            moves[mine] = np.where(generator.random(len(mine)) < EXPLORE, anything, moves[mine])
    going = np.flatnonzero((seats >= 0) | (seats == CHANCE))
    after = states[going]
    game.kernels.step(after, moves[going])
    states[going] = after


def opinions(network: Network, seen: npt.NDArray[np.float16]) -> npt.NDArray[np.float32]:
    """What the network expects of these positions, in [-1, 1]."""
    w1, b1, w2, b2, w3, b3 = network
    first = np.maximum(seen.astype(np.float32) @ w1 + b1, 0)
    second = np.maximum(first @ w2 + b2, 0)
    expected: npt.NDArray[np.float32] = np.tanh(0.5 * (second @ w3 + b3[0]))
    return expected


def targets(kept: Positions, network: Network) -> npt.NDArray[np.float32]:
    """Lambda-returns: from the end of each game backwards."""
    sign = np.where(kept.seats == 0, 1.0, -1.0)
    expected, results = opinions(network, kept.seen) * sign, kept.results * sign
    found = np.empty(len(results), np.float32)
    game, later = -1, 0.0
    for row in np.lexsort((kept.plies, kept.games))[::-1]:
        if kept.games[row] != game:
            game, later = kept.games[row], results[row]
        found[row] = later * sign[row]
        later = (1 - TRACE) * expected[row] + TRACE * later
    return found


def fit(rounds: list[Positions], network: Network | None, epochs: int, seed: int) -> Network:
    """The weights after so many passes over the window; without a network, from the results."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    wanted = [kept.results if network is None else targets(kept, network) for kept in rounds]
    seen = torch.from_numpy(np.concatenate([kept.seen for kept in rounds]))
    odds = torch.from_numpy((np.concatenate(wanted) + 1) / 2).float()
    first, second = learned.HIDDEN
    module = nn.Sequential(
        nn.Linear(learned.FEATURES, first), nn.ReLU(), nn.Linear(first, second), nn.ReLU(),
        nn.Linear(second, 1),
    )  # fmt: skip
    if network is not None:
        for parameter, part in zip(module.parameters(), network, strict=True):
            parameter.data.copy_(torch.from_numpy(part.T).reshape(parameter.shape))
    steps = epochs * len(seen) // BATCH
    optimiser = torch.optim.AdamW(module.parameters(), lr=RATE, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, RATE, total_steps=steps + 1, pct_start=0.1
    )
    for _ in range(steps):
        rows = torch.randint(0, len(seen), (BATCH,))
        said = module(seen[rows].float())[:, 0]
        loss = nn.functional.binary_cross_entropy_with_logits(said, odds[rows])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    w1, b1, w2, b2, w3, b3 = (p.detach().numpy().copy() for p in module.parameters())
    return (np.ascontiguousarray(w1.T), b1, np.ascontiguousarray(w2.T), b2, w3[0].copy(), b3)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("value.csv"))
    given = parser.parse_args()
    game = load_game("catan")
    scripted = make_agent("scripted", game)
    network = learned.read_weights(given.start) if given.start else None
    rounds: list[Positions] = []
    until, number = time.monotonic() + 60 * given.minutes, 0
    while time.monotonic() < until:
        number += 1
        player = scripted if network is None else Player(game, network, HEAT)
        other = scripted if number % 4 == 0 else player
        seed = int(derive_seeds(given.seed, "value", number, count=1)[0] >> np.uint64(1))
        rounds = [*rounds, play_round(game, (player, other), seed)][-WINDOW:]
        network = fit(rounds, network, 8 if network is None else 3, seed)
        learned.write_weights(given.out, network)
        if number % 2 == 0:
            match = play_match(game, [Player(game, network, 1e-9), scripted], games=200, seed=3)
            print(  # noqa: T201
                f"round {number}: {match.agents[0].tally.score:.3f} against scripted", flush=True
            )


if __name__ == "__main__":
    main()
