"""Adapters to other interfaces. Each module is one of them and needs its own extra."""
