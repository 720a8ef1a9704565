"""Pass or bet."""

from stratagem.core.compile import kernel
from stratagem.core.specs import ActionSpec

PASS = 0
BET = 1


def spec(scenario):
    return ActionSpec(2)


@kernel
def legal(s, out):
    out[0] = PASS
    out[1] = BET
    return 2
