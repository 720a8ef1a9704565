"""Hierarchical deep Q-learning: see docs/algorithms/hdqn.md.

Which groups of actions there are and what sub-goals they have is declared by the game
(`Rules.groups`, `Rules.subgoals`); nothing here knows one.
"""
