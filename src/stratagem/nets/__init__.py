"""PyTorch networks built from observation and action specs.

- kinds/: what `network.kind` can name; one module per kind
- layers/: the parts they are made of
- inference/: running them fast while playing
- build.py, output.py, losses.py, model_file.py, growing.py, hierarchical.py: for other subpackages
"""

import os

# By default OpenMP's threads spin while they wait. If the machine does anything else at the same
# time, a training step then takes 700 to 2,800 ms instead of 200 (experiments/LOG.md); sleeping
# costs nothing on a quiet machine. The library reads this once, when torch is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
