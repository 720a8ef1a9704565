"""The kinds of networks that `network.kind` can name: one module each.

A kind's module has `Settings`, a frozen pydantic model whose field descriptions are its
documentation, and `build(settings, observation, actions, num_values)`, which returns a module that
maps flat observations [B, D] to a NetworkOutput.
"""
