"""Where work runs: functions of data, and workers with their own state that are called by name."""

from stratagem.backend.protocol import Backend, Crew
from stratagem.backend.threads import ThreadBackend

__all__ = ["Backend", "Crew", "ThreadBackend"]
