"""A player that keeps every roll."""

from dice.actions import KEEP
from stratagem.core.compile import kernel


@kernel
def keeper(s, legal_actions, count, word):
    return KEEP
