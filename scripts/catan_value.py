"""Train the learned value of Catan (`games/catan/bots/learned.py`) and write its weights.

    python scripts/catan_value.py [--rounds 6] [--start value.csv] [--seed 1] [--out value.csv]

This is policy iteration in the style of TD-Gammon. Each round plays games with the current value
(some rounds against `scripted`), a little noise and a few random moves. It keeps positions from
both seats' views and fits the network to a mix of the result and its own later estimates
(lambda-returns). `scripted` plays the first round, the value alone the next six; after that it
plays with a share of the hand-made value, as the player `learned` does. `--start` skips the first
two stages. Every second round prints a match against `scripted`, and every round writes the
weights. It takes four minutes on one core.
"""

from __future__ import annotations

import argparse
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
from stratagem.games.catan.bots import learned
from stratagem.games.catan.rules import legal

SHARE = 0.12  # of positions that are kept
GAMES = 1200  # of a round
FIRST_GAMES, FIRST_EXPLORE, FIRST_EPOCHS = 2000, 0.02, 8  # of the round that `scripted` plays
BATCH = 512
RATE = 1e-3

_legal, _choose, _describe = legal.legal, learned.choose, learned.describe
Network = tuple[npt.NDArray[np.float32], ...]


@dataclass(frozen=True)
class Stage:
    """How rounds are played and learned from."""

    share: float  # of the hand-made value, when moves are compared
    heat: float  # log-odds of noise on every move
    explore: float  # share of random moves
    scripted_every: int  # rounds, of which the last is played against `scripted`
    trace: float  # lambda: how much of the result reaches a position, per kept position
    window: int  # rounds that are learned from
    epochs: int


ALONE = Stage(0.0, 0.06, 0.004, 3, 0.75, 6, 3)
TOGETHER = Stage(learned.HAND_MADE_SHARE, 0.02, 0.01, 4, 0.8, 7, 3)
ALONE_ROUNDS = 6


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

    def __init__(self, game: Game, network: Network, share: float, heat: float) -> None:
        self._game, self._network, self._settings = game, network, (share, heat)

    def act(self, states: States, seeds: Seeds) -> Actions:
        out = np.empty(len(states), np.int32)
        _act(states, seeds, self._game.width, out, self._network, *self._settings)
        return out


def play_round(
    game: Game, players: tuple[Agent, Agent], games: int, explore: float, seed: int
) -> Positions:
    """Games to their end; the players change seats from game to game."""
    generator = derive_generator(seed, "round")
    states = game.new_states(derive_seeds(seed, "boards", count=games))
    swapped = np.arange(games) % 2
    kept: list[tuple[Any, ...]] = []
    ply = 0
    while (states["seat"] != OVER).any():
        ply += 1
        _one_event(game, players, states, swapped, explore, generator, seed, ply)
        live = (states["seat"] != OVER) & (generator.random(games) < SHARE)
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
    explore: float,
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
            moves[mine] = np.where(generator.random(len(mine)) < explore, anything, moves[mine])
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


def targets(kept: Positions, network: Network, trace: float) -> npt.NDArray[np.float32]:
    """Lambda-returns: from the end of each game backwards."""
    sign = np.where(kept.seats == 0, 1.0, -1.0)
    expected, results = opinions(network, kept.seen) * sign, kept.results * sign
    found = np.empty(len(results), np.float32)
    game, later = -1, 0.0
    for row in np.lexsort((kept.plies, kept.games))[::-1]:
        if kept.games[row] != game:
            game, later = kept.games[row], results[row]
        found[row] = later * sign[row]
        later = (1 - trace) * expected[row] + trace * later
    return found


def fit(
    rounds: list[Positions],
    wanted: list[npt.NDArray[np.float32]],
    network: Network | None,
    epochs: int,
    seed: int,
) -> Network:
    """The weights after so many passes over the rounds; without a network, from new ones."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
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


class Course:
    """The value on its way, and where its seeds come from."""

    def __init__(self, game: Game, seed: int, out: Path) -> None:
        self._game, self._seed, self._out = game, seed, out
        self._scripted = make_agent("scripted", game)
        self._number = 0

    def first(self) -> Network:
        """Weights fitted to the results of `scripted` against itself."""
        seed = self._next_seed()
        players = (self._scripted, self._scripted)
        kept = play_round(self._game, players, FIRST_GAMES, FIRST_EXPLORE, seed)
        return fit([kept], [kept.results], None, FIRST_EPOCHS, seed)

    def go_on(self, network: Network, stage: Stage, rounds: int) -> Network:
        """The weights after so many rounds of a stage."""
        window: list[Positions] = []
        for number in range(1, rounds + 1):
            seed = self._next_seed()
            player = Player(self._game, network, stage.share, stage.heat)
            other = player if number % stage.scripted_every else self._scripted
            kept = play_round(self._game, (player, other), GAMES, stage.explore, seed)
            window = [*window, kept][-stage.window :]
            wanted = [targets(kept, network, stage.trace) for kept in window]
            network = fit(window, wanted, network, stage.epochs, seed)
            learned.write_weights(self._out, network)
            if number % 2 == 0:
                self._meet(network, stage.share, number)
        return network

    def _meet(self, network: Network, share: float, number: int) -> None:
        player = Player(self._game, network, share, 1e-9)
        match = play_match(self._game, [player, self._scripted], games=200, seed=3)
        print(  # noqa: T201
            f"share {share}, round {number}: {match.agents[0].tally.score:.3f} against scripted",
            flush=True,
        )

    def _next_seed(self) -> int:
        self._number += 1
        return int(derive_seeds(self._seed, "value", self._number, count=1)[0] >> np.uint64(1))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=6, help="with a share of the hand-made value")
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("value.csv"))
    given = parser.parse_args()
    course = Course(load_game("catan"), given.seed, given.out)
    if given.start:
        network = learned.read_weights(given.start)
    else:
        network = course.go_on(course.first(), ALONE, ALONE_ROUNDS)
    course.go_on(network, TOGETHER, given.rounds)


if __name__ == "__main__":
    main()
