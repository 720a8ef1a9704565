"""Where work runs. A backend takes independent tasks and hands their results back in order."""

from stratagem.backend.local import LocalBackend
from stratagem.backend.protocol import Backend

__all__ = ["Backend", "LocalBackend"]
