"""The commands: every module here has a function `command`, and its name is the command's name.

Modules import what is heavy (Numba, PyTorch, matplotlib) inside that function, so that `--help`
loads none of it.
"""
