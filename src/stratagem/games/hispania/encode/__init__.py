"""What a network sees of Hispania, and its actions as tokens."""
