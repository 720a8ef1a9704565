"""Settings of a search that no machine could keep, refused before anything is computed from them.

What trees take is estimated where they are made (search/memory.py). These limits are for what is
not part of that estimate, or so large that it cannot be computed. They are not fields' limits of
SearchSettings because the key of the compiled search covers its file.
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
    """The settings; a ValueError names the one that is too large."""
    for name, value in settings:
        most = _MOST.get(name, _MOST_OF_ALL)
        if isinstance(value, int | float) and abs(value) > most:
            raise ValueError(f"{name}: at most {most:,}")
    return settings
