"""The commands: each is a module with a function `command`, and the module's name is its name.

Slow imports (Numba, PyTorch, matplotlib) are inside that function, so that `--help` loads none of
them.
"""
