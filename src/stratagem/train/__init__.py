"""Training: a trainer that all algorithms share, and AlphaZero, PPO and hierarchical DQN."""
