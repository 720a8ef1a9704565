"""Training: a trainer shared by all algorithms, and AlphaZero, PPO and hierarchical DQN."""
