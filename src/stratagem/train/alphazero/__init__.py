"""AlphaZero: self-play with search, a network that learns from it, and the better one plays on."""
