"""Search settings that are too large for any machine, refused before they are used.

The memory of trees is estimated where they are allocated (search/memory.py). These limits cover
what that estimate leaves out, and numbers too large to compute it. They are not field limits of
SearchSettings, because the cache key of the compiled search includes its file.
"""

from __future__ import annotations

from stratagem.search.settings import SearchSettings

_MOST_OF_ALL = 1_000_000  # constants of formulas in single precision
_MOST = {
    "sims": 1_000_000_000,
    "leaves_per_tree": 4096,
    "determinizations": 10_000,
    "gumbel_considered": 1_000_000,
}


def check_search(settings: SearchSettings) -> SearchSettings:
    """Return the settings; a ValueError names the one that is too large."""
    for name, value in settings:
        most = _MOST.get(name, _MOST_OF_ALL)
        if isinstance(value, int | float) and abs(value) > most:
            raise ValueError(f"{name}: at most {most:,}")
    return settings
