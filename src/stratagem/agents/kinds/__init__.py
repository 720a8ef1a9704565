"""The kinds of agent that a spec can name: one module each, with a function `build`."""
