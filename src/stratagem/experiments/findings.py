"""The findings of an experiment in words: which differences between arms are significant.

Arms are compared by runs, not games: the games of one run share its weights and luck.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from stratagem.evaluate.intervals import difference_interval, mean_interval

_SHOWN = 12  # differences that are listed; the rest is only counted
_BY_CHANCE = 0.05  # the share of true zeros that a 95 % interval misses


@dataclass(frozen=True)
class Compared:
    """A number measured for several arms, with a value for each run."""

    what: str  # "wins against goal-rush as player 1"
    values: Mapping[str, Sequence[float]]  # by arm
    scale: float = 1.0  # 100: shares are shown in percentage points
    unit: str = ""


@dataclass(frozen=True)
class Difference:
    """How far one arm is above another, with the interval over runs if there is one."""

    what: str
    above: str
    below: str
    mean: float
    low: float | None
    high: float | None
    unit: str

    @property
    def clear(self) -> bool:
        return self.low is not None and self.low > 0.0

    def sentence(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        return (
            f"{self.what}: {self.above} is {self.mean:.3g}{unit} above {self.below} "
            f"({self.low:.3g} to {self.high:.3g})."
        )


def differences(compared: Iterable[Compared]) -> list[Difference]:
    """Compare every pair of arms, the larger mean first."""
    found = []
    for one in compared:
        scaled = {arm: [x * one.scale for x in values] for arm, values in one.values.items()}
        for first, second in combinations(scaled, 2):
            if not scaled[first] or not scaled[second]:
                continue
            gap = difference_interval(scaled[first], scaled[second])
            if gap.mean < 0:
                first, second = second, first
                gap = difference_interval(scaled[first], scaled[second])
            found.append(Difference(one.what, first, second, gap.mean, gap.low, gap.high, one.unit))
    return found


def findings(compared: Sequence[Compared]) -> list[str]:
    """Return the sentences that summarise an experiment."""
    runs = min((len(v) for one in compared for v in one.values.values()), default=0)
    pairs = differences(compared)
    if not pairs:
        return ["There is only one arm, so there is nothing to compare."] if compared else []
    if runs < 2:
        return ["One run per arm cannot show whether the arms differ."]
    clear = sorted((one for one in pairs if one.clear), key=lambda one: -(one.low or 0) / one.mean)
    sentences = [one.sentence() for one in clear[:_SHOWN]]
    if len(clear) > _SHOWN:
        sentences.append(f"{len(clear) - _SHOWN} others are also significant.")
    inside = len(pairs) - len(clear)
    if not clear:
        return [f"No difference between arms is significant at the 95 % level ({inside} compared, "
                f"{runs} runs per arm)."]  # fmt: skip
    sentences.insert(
        0, f"Differences between arms that are significant at the 95 % level "
        f"(Welch's test, {runs} runs per arm):"
    )  # fmt: skip
    if inside:
        rest = "The other difference is" if inside == 1 else f"The other {inside} differences are"
        sentences.append(f"{rest} not significant.")
    if (chance := round(_BY_CHANCE * len(pairs))) > 0:
        sentences.append(
            f"{len(pairs)} differences were tested, so about {chance} would look significant "
            "by chance alone."
        )
    return sentences


def over_seeds(
    values: Sequence[float], alone: tuple[float, float] | None = None, share: bool = False
) -> dict[str, Any]:
    """Return the mean over runs with its 95 % interval; one run uses `alone`, that of its games."""
    found = mean_interval(values)
    low, high = found.low, found.high
    if (low is None or high is None) and alone is not None:
        low, high = alone
    if share and low is not None and high is not None:
        low, high = max(0.0, low), min(1.0, high)
    return {
        "mean": round(found.mean, 4),
        "low": None if low is None else round(low, 4),
        "high": None if high is None else round(high, 4),
        "by_seed": [round(float(value), 4) for value in values],
    }
