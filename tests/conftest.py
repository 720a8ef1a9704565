"""Every test, and every process a test starts, can load the test games beside the real ones."""

import os
from pathlib import Path

os.environ["STRATAGEM_GAMES"] = str(Path(__file__).parent / "games")
