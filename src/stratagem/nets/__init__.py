"""PyTorch networks built from observation and action specs; knows no game by name."""
