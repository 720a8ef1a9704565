"""Actions of Connect Four: an action is the column that a disc is dropped into."""

from stratagem.core.compile import kernel
from stratagem.core.specs import ActionSpec


def spec(scenario):
    return ActionSpec(scenario.columns)


@kernel
def legal(s, out):
    count = 0
    for column in range(s["columns"]):
        if s["height"][column] < s["rows"]:
            out[count] = column
            count += 1
    return count
