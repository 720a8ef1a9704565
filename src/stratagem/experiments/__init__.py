"""Experiments: reproduce the tables and figures of a paper, at any budget.

An experiment is a TOML file in its game's folder, `experiments/<name>.toml`. Its kind is a module
of `kinds`; its tables are modules of `tables`. Both are found by name.
"""

from stratagem.experiments.files import ExperimentInfo, experiment_name, list_experiments
from stratagem.experiments.run import load_experiment, run_experiment

__all__ = [
    "ExperimentInfo",
    "experiment_name",
    "list_experiments",
    "load_experiment",
    "run_experiment",
]
