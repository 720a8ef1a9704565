"""Dice kept, the die on the table and whose turn it is, seen by one seat."""

from stratagem.core.compile import kernel
from stratagem.core.specs import ObservationSlice, ObservationSpec


@kernel
def observe(s, seat, options, out):
    for k in range(s["seats"]):
        out[k] = s["kept"][(seat + k) % s["seats"]] / s["faces"]
    out[s["seats"]] = s["roll"] / s["faces"]
    out[s["seats"] + 1] = (s["rerolls"] - s["used"]) / s["rerolls"]
    out[s["seats"] + 2] = (s["mover"] - seat) / s["seats"]


def spec(scenario, options):
    return ObservationSpec((ObservationSlice("table", (scenario.seats + 3,), "vector"),))
