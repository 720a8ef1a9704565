"""Metrics of iterations that never happened."""

from stratagem.runs.metrics import IterationMetrics


def some_metrics(iteration: int, **changes) -> IterationMetrics:
    """Plausible numbers, with changes."""
    numbers = {
        "iteration": iteration, "seconds": 2.0 * iteration, "progress": iteration / 10,
        "games": 10 * iteration, "decisions": 100 * iteration, "games_per_s": 5.0,
        "decisions_per_s": 50.0, "play_seconds": 1.5, "train_seconds": 0.5, "steps": 4,
        "learning_rate": 1e-3, "losses": {"total": 0.5},
    }  # fmt: skip
    return IterationMetrics.model_validate({**numbers, **changes})
