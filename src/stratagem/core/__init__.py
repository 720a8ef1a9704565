"""The foundation of every other subpackage: the game contract, loading games, compiling, seeding,
game records, game sessions and the conformance kit.

Import from the modules. Nothing is re-exported here, because listing games must not load Numba.
"""

from stratagem.core.cache_place import provide_cache

provide_cache()
