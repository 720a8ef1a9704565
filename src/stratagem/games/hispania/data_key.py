"""The fingerprint of the files in `data/`.

Compiled kernels hold the numbers of those files, and their cache is keyed by Python sources only.
So this source must change whenever a data file does: loading the game says which key to write.
"""

DATA_KEY = "d9bd444b196c4841"
