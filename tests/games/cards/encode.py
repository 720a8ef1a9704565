"""The own card and what was done so far."""

from stratagem.core.compile import kernel
from stratagem.core.specs import ObservationSlice, ObservationSpec


@kernel
def observe(s, seat, options, out):
    if s["card"][seat] > 0:
        out[s["card"][seat] - 1] = 1.0
    for k in range(s["count"]):
        out[s["ranks"] + 2 * k + s["moves"][k] - 1] = 1.0


def spec(scenario, options):
    return ObservationSpec(
        (
            ObservationSlice("card", (scenario.ranks,), "vector"),
            ObservationSlice("moves", (6,), "vector"),
        )
    )
