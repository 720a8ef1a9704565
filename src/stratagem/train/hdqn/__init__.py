"""Hierarchical deep Q-learning: see docs/algorithms/hdqn.md.

Groups of actions and their sub-goals are declared by the game (`Rules.groups`, `Rules.subgoals`);
this package does not know any of them.
"""
