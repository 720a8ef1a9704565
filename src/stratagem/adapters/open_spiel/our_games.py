"""Any game as an OpenSpiel game.

    from stratagem.adapters.open_spiel import to_open_spiel
    game = to_open_spiel("catan/colonist1v1")

Importing this module registers the name `stratagem`, so that a game can also be loaded from a
string: `pyspiel.load_game("stratagem(spec=catan/colonist1v1,seed=3)")`. Parameters:

    spec     a game spec: name, name/scenario or name/scenario?key=value; in OpenSpiel's
             strings write %3D for = and %2C for a comma
    seed     of the set-up, if it is random (a map, an island)
    setups   number of set-ups: if there are several, the first node is a chance node that
             draws one of them with equal probabilities

Chance nodes are explicit. Their outcomes are numbered in the game's order, from 0, because
OpenSpiel needs numbers below `max_chance_outcomes`.

A player has seen every position as `hide` shows it to that seat, and its own decisions.
`information_state_string` is made of these; there is no information state tensor, since no game
here encodes its whole past. The observation tensor is the game's first encoding.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cached_property
from typing import Any
from urllib.parse import quote, unquote

import numpy as np
import numpy.typing as npt
import pyspiel

from stratagem.core.errors import BadSetting
from stratagem.core.game import Game, Observer, States
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import derive_seeds

NAME = "stratagem"
# No game here guarantees a maximum length, but OpenSpiel wants one. Games end long before this.
LONGEST = 1_000_000
_MOST_SEATS = 16
_MOST_SETUPS = 10_000
_DEFAULTS: dict[str, Any] = {"spec": "connect_four", "seed": 0, "setups": 1}
_HIDE_SEED = np.ones(1, np.uint64)  # one seed, so that positions that look alike become identical

Pasts = tuple[bytes, ...]  # by seat

_PLAYERS = {CHANCE: pyspiel.PlayerId.CHANCE, OVER: pyspiel.PlayerId.TERMINAL}


def to_open_spiel(spec: str, seed: int = 0, setups: int = 1) -> SpielGame:
    """Return a game as an OpenSpiel game; see the module for `seed` and `setups`."""
    return SpielGame({"spec": _quoted(spec), "seed": seed, "setups": setups})


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel ships no types
    """One of our games for OpenSpiel's algorithms; `game` is the original."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**_DEFAULTS, **(params or {})}
        setups, seed = int(given["setups"]), int(given["seed"])
        if not 1 <= setups <= _MOST_SETUPS:
            raise BadSetting(f"setups {setups}: write a number from 1 to {_MOST_SETUPS}")
        if seed < 0:
            raise BadSetting(f"seed {seed}: write 0 or more")
        self.game: Game = load_game(unquote(str(given["spec"])))
        given["spec"] = _quoted(self.game.spec)
        self.setups: States = self.game.new_states(derive_seeds(seed, "setup", count=setups))
        super().__init__(_type_of(self.game, setups), _info_of(self.game, setups), given)

    def new_initial_state(self, text: str | None = None) -> SpielState:
        """Return a new game. OpenSpiel may ask for one from text, which is not supported here."""
        if text is not None:
            raise BadSetting("positions cannot be made from text: use deserialize_state")
        return SpielState(self)

    def state_of(self, record: Any) -> SpielState:
        """Return a position as a state without a past: enough for bots that only look ahead."""
        state = SpielState(self)
        state.put(np.asarray(record).tobytes())
        return state

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> _Observer:
        """Return what OpenSpiel observes states with."""
        wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if params:
            raise BadSetting(f"observers of Stratagem's games take no parameters, got {params}")
        own = pyspiel.PrivateInfoType.SINGLE_PLAYER
        if not wanted.public_info or wanted.private_info != own:
            raise BadSetting(
                "Stratagem's games show what one seat sees, public and private together: "
                "use public_info=True and private_info=SINGLE_PLAYER"
            )
        return _Observer(self, perfect_recall=wanted.perfect_recall)

    def max_chance_nodes_in_history(self) -> int:
        """As loose a bound as the length of a game."""
        return LONGEST if self.max_chance_outcomes() else 0

    # -- used by states ------------------------------------------------------------------------

    @cached_property
    def first(self) -> bytes:
        """Return the bytes of a new state; empty if the set-up is yet to be drawn."""
        return b"" if len(self.setups) > 1 else self.setups.tobytes()

    def read(self, record: bytes) -> States:
        """Return the bytes as an array of one state."""
        return np.frombuffer(bytearray(record), self.game.rules.dtype)

    def after(self, record: bytes, action: int) -> bytes:
        """Return the bytes after a decision, or after a chance outcome by its number."""
        if not record:
            return self.setups[action : action + 1].tobytes()
        position = self.read(record)[0]
        if int(position["seat"]) == CHANCE:
            action = self.game.chance_outcomes(position)[action][0]
        return bytes(self.game.after(position, action).tobytes())

    def seen(self, record: bytes, seat: int) -> States:
        """Return the position as a seat sees it: the same for all that look alike to it."""
        return self.game.hidden_from(self.read(record), np.array([seat], np.int8), _HIDE_SEED)

    def remember(self, pasts: Pasts, record: bytes, player: int, action: int) -> Pasts:
        """Return what each seat has seen and done, including this new position."""
        return tuple(
            _digest(past, action.to_bytes(4, "little") if seat == player else b"",
                    self.seen(record, seat).tobytes())
            for seat, past in enumerate(pasts)
        )  # fmt: skip


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A position of a SpielGame.

    OpenSpiel copies and pickles all attributes of a state, so there are few and small ones: the
    bytes of our state, the player whose turn it is, and a hash of each seat's past, if seats know
    different things.
    """

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.put(game.first)
        self.pasts: Pasts = (b"",) * game.game.num_seats if game.game.has_hidden else ()

    def put(self, record: bytes) -> None:
        """Change to this position."""
        self.record = record
        seat = int(self._game.read(record)["seat"][0]) if record else CHANCE
        self._player = _PLAYERS.get(seat, seat)

    @property
    def _game(self) -> SpielGame:
        game: SpielGame = self.get_game()
        return game

    @property
    def position(self) -> Any:
        """Our state for this position."""
        return self._game.read(self.record)[0]

    def current_player(self) -> int:
        return int(self._player)

    def is_terminal(self) -> bool:
        return bool(self._player == pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self._game.game.legal_actions(self.position))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        if not self.record:
            count = len(self._game.setups)
            return [(number, 1.0 / count) for number in range(count)]
        probs = [prob for _, prob in self._game.game.chance_outcomes(self.position)]
        total = sum(probs)  # in float32 it is not quite 1
        return [(number, prob / total) for number, prob in enumerate(probs)]

    def _apply_action(self, action: int) -> None:
        game, player = self._game, self._player
        self.put(game.after(self.record, action))
        self.pasts = game.remember(self.pasts, self.record, player, action)

    def _action_to_string(self, player: int, action: int) -> str:
        if not self.record:
            return f"set-up {action}"
        game, position = self._game.game, self.position
        if player == pyspiel.PlayerId.CHANCE:
            action = game.chance_outcomes(position)[action][0]
        return game.rules.notation.format_action(position, action)

    def returns(self) -> list[float]:
        game = self._game.game
        if not self.is_terminal():
            return [0.0] * game.num_seats
        found = [float(value) for value in game.returns(self._game.read(self.record))[0]]
        if len(found) == 2:  # exactly zero-sum, which OpenSpiel insists on
            lead = (found[0] - found[1]) / 2
            return [lead, -lead]
        return found

    def __str__(self) -> str:
        if not self.record:
            return "before the set-up"
        text = self._game.game.rules.notation.format_state(self.position)
        return f"{text}\n{_short(self.record)}"  # solvers treat states with equal text as one state


class _Observer:
    """What one seat sees, in the form of OpenSpiel's observers: `tensor`, `dict` and a string."""

    def __init__(self, game: SpielGame, perfect_recall: bool) -> None:
        self._game, self._recalls = game, perfect_recall
        self._observer: Observer = game.game.observer()
        self.tensor: npt.NDArray[np.float32] | None = None
        self.dict: dict[str, npt.NDArray[np.float32]] = {}
        if perfect_recall:
            return
        spec = self._observer.spec
        self.tensor = np.zeros(spec.size, np.float32)
        for part in spec.slices:
            first, end = spec.bounds(part)
            self.dict[part.name] = self.tensor[first:end].reshape(part.shape)

    def set_from(self, state: SpielState, player: int) -> None:
        """Write a player's observation to `tensor`; zeros before the set-up."""
        if self.tensor is None:
            raise BadSetting("there is no information state tensor: use the observation tensor")
        self.tensor.fill(0.0)
        # OpenSpiel measures shapes with player -1.
        if state.record and player >= 0:
            seen = self._game.seen(state.record, player)
            out = self.tensor.reshape(1, -1)
            self._observer.observe_into(
                seen, np.zeros(1, np.int64), np.array([player], np.int8), out
            )

    def string_from(self, state: SpielState, player: int) -> str:
        """Return a string equal for positions that look alike; with recall, for equal pasts."""
        game = self._game
        if self._recalls:
            if not game.game.has_hidden:
                return str(state.history_str())
            return f"seat {player}, past {state.pasts[player].hex()}"
        if not state.record or not game.game.has_hidden:
            return f"seat {player}\n{state}"
        return f"seat {player}, sees {_short(game.seen(state.record, player).tobytes())}"


def _quoted(spec: str) -> str:
    """Escape the characters that have a meaning in OpenSpiel's strings."""
    return quote(spec, safe="/?&")


def _digest(*parts: bytes) -> bytes:
    return hashlib.blake2b(b"".join(parts), digest_size=16).digest()


def _short(record: bytes) -> str:
    return _digest(record).hex()[:16]


def _type_of(game: Game, setups: int) -> Any:
    kinds = pyspiel.GameType
    chance = game.rules.chance is not None or setups > 1
    return kinds(
        short_name=NAME,
        long_name=f"Stratagem: {game.title}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=(
            kinds.ChanceMode.EXPLICIT_STOCHASTIC if chance else kinds.ChanceMode.DETERMINISTIC
        ),
        information=(
            kinds.Information.IMPERFECT_INFORMATION
            if game.has_hidden
            else kinds.Information.PERFECT_INFORMATION
        ),
        # The conformance kit checks that two seats are zero-sum; nothing is known for more seats.
        utility=kinds.Utility.ZERO_SUM if game.num_seats == 2 else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=_MOST_SEATS,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_DEFAULTS,
    )


def _info_of(game: Game, setups: int) -> Any:
    dice = game.rules.max_chance(game.scenario) if game.rules.chance is not None else 0
    return pyspiel.GameInfo(
        num_distinct_actions=game.actions.size,
        max_chance_outcomes=max(dice, setups if setups > 1 else 0),
        num_players=game.num_seats,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0 if game.num_seats == 2 else None,
        max_game_length=LONGEST,
    )


pyspiel.register_game(_type_of(load_game(_DEFAULTS["spec"]), _DEFAULTS["setups"]), SpielGame)
