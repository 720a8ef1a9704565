"""Measures of one finished game: points by faction, and what they were made with."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from stratagem.games.terra_mystica.board.factions import FACTIONS

_PARTS = ("dwellings", "trading posts", "temples", "strongholds", "sanctuaries")


def measures(states: npt.NDArray[np.void], actions: Sequence[int]) -> Mapping[str, float]:
    """Each seat's points under the name of its faction, and its structures and tiles."""
    last = states[-1]
    found: dict[str, float] = {}
    for seat in range(int(last["players"])):
        found[f"seat{seat}/{FACTIONS[int(last['faction'][seat])]}"] = float(last["vp"][seat])
    for seat in range(int(last["players"])):
        for number, part in enumerate(_PARTS, start=1):
            found[f"seat{seat}/{part}"] = float(last["count"][seat, number])
        found[f"seat{seat}/towns"] = float(last["towns"][seat].sum())
        found[f"seat{seat}/favours"] = float(int(last["favours"][seat]).bit_count())
        found[f"seat{seat}/cult steps"] = float(last["cult"][seat].sum())
    return found
