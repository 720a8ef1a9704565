"""Where work runs: functions of data, and workers that own their state and are called by name."""

from stratagem.backend.protocol import Backend, Crew
from stratagem.backend.threads import ThreadBackend

__all__ = ["Backend", "Crew", "ThreadBackend"]
