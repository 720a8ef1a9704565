"""Players that play a few moves out to see where they lead: `rollout:PATH?bot=NAME`.

The network's most likely moves (and the bot's choice) are each played on by the bot for all seats,
with the same dice for every move. The network's first choice is played unless another move's lead
in points exceeds it by more than `doubt` standard errors; moves that fall equally far behind are
dropped early. `rollout:none?bot=NAME` compares the bot's own choice with random others. After
Tesauro and Galperin (1996).

Options: `bot` (default: the game's `scripted`), `moves` to compare (1: play the first choice
directly), `playouts` of each, `length` in decisions and dice (0: to the end of the game) and
`doubt`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stratagem.agents.kinds.scripted import ScriptedAgent, find_bot
from stratagem.agents.spec import check_options
from stratagem.core.errors import BadSetting
from stratagem.core.game import Actions, Game, States
from stratagem.core.seeding import Seeds
from stratagem.core.state_arrays import take
from stratagem.search import Evaluator, expand_seeds, play_out

_ROUND = 8  # playouts between checks of which moves are still in the race
_AT_ONCE = 8192  # positions that are played on together

Numbers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class RolloutSettings:
    """How many moves are played on, how often and how far."""

    moves: int = 4
    playouts: int = 32
    length: int = 240
    doubt: float = 1.5


class RolloutAgent:
    """Plays the network's choice unless playouts clearly favour another."""

    def __init__(
        self,
        game: Game,
        evaluator: Evaluator | None,
        bot: str,
        settings: RolloutSettings,
        spec: str,
    ) -> None:
        self.spec = spec
        self._game = game
        self._evaluator = evaluator
        self._bot = ScriptedAgent(game, bot, bot)
        self._settings = settings

    def act(self, states: States, seeds: Seeds) -> Actions:
        moves = self._moves(states, seeds)  # [B, M], -1: none; the first is the one to beat
        best = np.zeros(len(states), np.int64)
        thinking = np.flatnonzero(moves[:, 1] >= 0) if moves.shape[1] > 1 else best[:0]
        share = max(1, _AT_ONCE // (moves.shape[1] * _ROUND))
        for first in range(0, len(thinking), share):
            rows = thinking[first : first + share]
            best[rows] = self._race(take(states, rows), moves[rows], seeds[rows])
        picked: Actions = moves[np.arange(len(states)), best]
        return picked

    # -- candidate moves -----------------------------------------------------------------------

    def _moves(self, states: States, seeds: Seeds) -> Actions:
        """[B, M] different legal actions, the first choice first; -1 if there are fewer."""
        ids, counts = self._game.legal(states)
        order = np.where(np.arange(ids.shape[1])[None, :] < counts[:, None], 0.0, -np.inf)
        rows = np.arange(len(states))
        suggested = self._bot.act(states, seeds)
        if self._evaluator is None:
            noise = np.array([np.random.default_rng(int(s)).random(ids.shape[1]) for s in seeds])
            order += noise + 2.0 * (ids == suggested[:, None])  # the bot's choice first
        else:
            logits = self._evaluator.evaluate(states, rows).logits
            order += logits[rows[:, None], np.where(order == 0.0, ids, 0)]
        wanted = min(self._settings.moves, ids.shape[1])
        ranked = np.argsort(-order, axis=1, kind="stable")[:, :wanted]
        moves = np.take_along_axis(ids, ranked, 1)
        moves[np.take_along_axis(order, ranked, 1) == -np.inf] = -1
        missing = (moves != suggested[:, None]).all(axis=1)
        last = np.minimum(counts, wanted) - 1  # the bot's choice is always included
        change = missing & (last > 0)
        moves[rows[change], last[change]] = suggested[change]
        return moves

    # -- the best of them ----------------------------------------------------------------------

    def _race(self, states: States, moves: Actions, seeds: Seeds) -> Numbers:
        """[B] the winning move: the first, unless another is clearly better."""
        settings = self._settings
        sums = np.zeros(moves.shape)  # of the lead over the first move, by playout
        squares = np.zeros(moves.shape)
        done = 0
        racing = moves >= 0
        while done < settings.playouts and racing[:, 1:].any():
            going = np.flatnonzero(racing[:, 1:].any(axis=1))
            count = min(_ROUND, settings.playouts - done)
            racing[going, 0] = True
            leads = self._leads(
                states, moves, racing, going, expand_seeds(seeds, done + count), count
            )
            differences = leads - leads[:, :1]
            sums[going] += np.where(racing[going, :, None], differences, 0.0).sum(2)
            squares[going] += np.where(racing[going, :, None], differences**2, 0.0).sum(2)
            done += count
            means, errors = _means(sums, squares, done)
            racing &= means + settings.doubt * errors > 0
        # Moves that left the race were behind, and their means stay below zero.
        means, errors = _means(sums, squares, max(done, 1))
        surest = np.where(racing & (means > settings.doubt * errors), means, 0.0)
        surest[:, 0] = 0.0
        best: Numbers = surest.argmax(axis=1)
        return best

    def _leads(
        self, states: States, moves: Actions, racing: npt.NDArray[np.bool_], going: Numbers,
        dice_seeds: Seeds, count: int,
    ) -> Floats:  # fmt: skip
        """[G, M, count] points ahead of the others' mean after playouts of the racing moves."""
        game, length = self._game, self._settings.length or None
        state, move = np.nonzero(racing[going])
        dice_seeds = dice_seeds.reshape(len(states), -1)[:, -count:]  # the same dice for every move
        dice = dice_seeds[going][state].reshape(-1)
        begun = take(states, np.repeat(going[state], count))
        seats = begun["seat"].astype(np.int64)
        begun = game.hidden_from(begun, begun["seat"], dice)
        game.kernels.step(begun, np.repeat(moves[going][state, move], count))
        scores = game.scores(play_out(game, self._bot.bot, begun, dice, length)).astype(np.float64)
        own = scores[np.arange(len(scores)), seats]
        others = (scores.sum(axis=1) - own) / (game.num_seats - 1)
        leads = np.zeros((*moves[going].shape, count))
        leads[state, move] = (own - others).reshape(-1, count)
        return leads


def _means(sums: Floats, squares: Floats, count: int) -> tuple[Floats, Floats]:
    """Return means and their standard errors."""
    means = sums / count
    spread = np.maximum(squares / count - means**2, 0.0)
    return means, np.sqrt(spread / max(count - 1, 1))


def build(target: str, options: Mapping[str, str], game: Game, spec: str) -> RolloutAgent:
    """Build `rollout:PATH?bot=NAME` or `rollout:none?bot=NAME`."""
    check_options(spec, options, ("bot", "moves", "playouts", "length", "doubt", "engine"))
    if not target:
        raise BadSetting(
            f"agent spec {spec!r}: write rollout:PATH, or rollout:none to play without a network"
        )
    bot = find_bot(game, options.get("bot", ""))
    settings = _settings(options, spec)
    if target == "none":
        return RolloutAgent(game, None, bot, settings, spec)
    # torch loads only when needed
    from stratagem.agents.model import load_evaluator, parse_network_options

    evaluator = load_evaluator(target, game, parse_network_options(spec, options))
    return RolloutAgent(game, evaluator, bot, settings, spec)


def _settings(options: Mapping[str, str], spec: str) -> RolloutSettings:
    given = RolloutSettings()
    try:
        settings = RolloutSettings(
            int(options.get("moves", given.moves)),
            int(options.get("playouts", given.playouts)),
            int(options.get("length", given.length)),
            float(options.get("doubt", given.doubt)),
        )
    except ValueError as error:
        raise BadSetting(f"agent spec {spec!r}: {error}") from None
    if (
        settings.moves < 1
        or settings.playouts < 2
        or settings.length < 0
        or not settings.doubt >= 0
    ):
        raise BadSetting(
            f"agent spec {spec!r}: write moves=1 or more, playouts=2 or more, length=0 or more "
            "and doubt=0 or more"
        )
    return settings
