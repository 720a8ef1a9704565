"""The ground that everything stands on: the Game contract, finding games, compiling, seeding,
records of games, and the conformance kit. Imports nothing else of this package.

Import from the modules: listing games must not load Numba, so nothing is gathered here.
"""
