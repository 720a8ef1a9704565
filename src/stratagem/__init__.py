"""Stratagem: train, measure, watch and play learned agents for strategy board games."""

__version__ = "0.1.0"
