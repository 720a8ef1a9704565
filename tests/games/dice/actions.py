"""Keep the die, or roll again."""

from stratagem.core.compile import kernel
from stratagem.core.specs import ActionSpec

KEEP = 0
AGAIN = 1


def spec(scenario):
    return ActionSpec(2)


@kernel
def legal(s, out):
    out[0] = KEEP
    out[1] = AGAIN
    return 2
