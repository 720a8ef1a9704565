"""Single steps of a game for replays: a decision, or one event between two decisions."""

from stratagem.core.compile import kernel
from stratagem.games.terra_mystica.rules.legal import legal
from stratagem.games.terra_mystica.rules.resources import gain_power
from stratagem.games.terra_mystica.rules.scoring import network_size
from stratagem.games.terra_mystica.rules.step import apply
from stratagem.games.terra_mystica.rules.turns import power_gain, proceed


@kernel
def apply_first(states, action):
    """Apply a decision in states[0] and return its event."""
    return apply(states[0], action)


@kernel
def proceed_first(states):
    """Advance states[0], in which nobody decides, by one event."""
    return proceed(states[0])


@kernel
def legal_first(states, out):
    return legal(states[0], out)


@kernel
def network_first(states, seat):
    return network_size(states[0], seat)


@kernel
def take_power_late(states, seat, offer):
    """Accept an offer that was left open while its seat continued playing."""
    s = states[0]
    gain = power_gain(s, seat, offer)
    if gain > 0:
        gain_power(s, seat, gain)
        s["vp"][seat] -= gain - 1
