"""What every other subpackage builds on: the game contract, finding games, compiling, seeding,
records of games, game sessions, and the conformance kit.

Import from the modules: listing games must not load Numba, so nothing is gathered here.
"""

from stratagem.core.cache_place import provide_cache

provide_cache()
