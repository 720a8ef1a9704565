"""Doors to other people's interfaces. Each module is one of them and needs its own extra."""
