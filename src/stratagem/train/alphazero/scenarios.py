"""The games of a run: scenarios of the same game, and the network that reads them."""

from __future__ import annotations

from collections.abc import Sequence

from torch import nn

from stratagem.core.errors import BadSetting
from stratagem.core.game import Game, Observer
from stratagem.core.registry import load_game
from stratagem.nets.build import build_network
from stratagem.nets.output import SizeFree, num_values_for
from stratagem.train.alphazero.settings import Settings
from stratagem.train.sections import Network


def load_scenarios(settings: Settings) -> list[Game]:
    """Load the run's game and its extra scenarios, which must be of the same kind."""
    games = [load_game(spec) for spec in (settings.game, *settings.extra_scenarios)]
    for other in games[1:]:
        if other.name != games[0].name or other.num_seats != games[0].num_seats:
            raise BadSetting(
                f"extra_scenarios: {other.spec}: a run learns one game with one number of seats: "
                f"choose scenarios of {games[0].name} with {games[0].num_seats} seats"
            )
    return games


class ScenarioNetworks:
    """Builds the run's network, and binds it to each of the run's scenarios."""

    def __init__(self, games: Sequence[Game], network: Network) -> None:
        self.games = games
        self._network = network
        self.num_values = num_values_for(games[0].num_seats)
        self.observers: list[Observer] = [
            game.observer(network.encoding or None, network.encoding_options) for game in games
        ]

    def build(self) -> nn.Module:
        """Build a network with fresh weights."""
        return build_network(
            self._network.kind, self._network.settings, self.observers[0].spec,
            self.games[0].actions, self.num_values,
        )  # fmt: skip

    def bound(self, module: nn.Module, scenario_index: int) -> nn.Module:
        """Return the same weights (not a copy) for observations of another of the run's games."""
        game, observer = self.games[scenario_index], self.observers[scenario_index]
        if observer.spec == self.observers[0].spec and game.actions == self.games[0].actions:
            return module
        if not isinstance(module, SizeFree):
            raise BadSetting(
                f"network {self._network.kind} works for one board size only: choose recall or "
                "residual, or scenarios of the same size"
            )
        other: nn.Module = module.on_board(observer.spec, game.actions)
        return other
