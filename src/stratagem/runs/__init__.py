"""Run folders: the settings, checkpoints, replay, metrics and sample games of one training run.

Only this package knows the names of the files in a run folder.
"""
