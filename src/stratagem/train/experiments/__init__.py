"""Experiments: the tables and figures of a paper made again, at any budget.

An experiment is a TOML file in its game's folder, `experiments/<name>.toml`; nothing here knows
which ones there are, or any game by name.
"""

from stratagem.train.experiments.definition import (
    Experiment,
    ExperimentInfo,
    experiment_name,
    list_experiments,
    load_experiment,
)
from stratagem.train.experiments.run import run_experiment

__all__ = [
    "Experiment",
    "ExperimentInfo",
    "experiment_name",
    "list_experiments",
    "load_experiment",
    "run_experiment",
]
