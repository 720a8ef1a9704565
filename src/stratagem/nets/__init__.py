"""PyTorch networks built from observation and action specs; knows no game by name."""

import os

# OpenMP's threads spin while they wait, by default. On a machine that does anything else at the
# same time a training step then took 700 to 2,800 ms instead of 200 (experiments/LOG.md); sleeping
# costs nothing on a quiet one. The library reads this once, when torch loads.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
