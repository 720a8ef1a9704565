"""AlphaZero: self-play with a search, a network taught by it, the better network plays on."""
