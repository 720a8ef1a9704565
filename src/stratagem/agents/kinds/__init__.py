"""The kinds of agent that a spec can name: a module each, with a function `build`."""
