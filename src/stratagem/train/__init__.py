"""Learning: self-play, replay, AlphaZero, acceptance, run folders."""
