"""The configuration of a server: where it listens, where games are stored, and its limits."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from stratagem.core.errors import BadSetting

SESSIONS = "sessions"  # folder of the games in the data folder
LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True)
class ServerLimits:
    """Limits of one server. A refusal is a 4xx answer that names the limit."""

    sessions: int = 500  # games stored on disk
    loaded: int = 80  # games held in memory
    sims: int = 20_000  # simulations of one search
    queued: int = 64  # searches that may wait
    listeners: int = 200  # open WebSockets
    message_bytes: int = 64 * 1024
    upload_bytes: int = 4 * 1024 * 1024
    events: int = 20_000  # in an uploaded record


@dataclass(frozen=True)
class ServerSettings:
    """One server. Clients on other machines need the `token`."""

    data: Path
    runs: Path
    host: str = "127.0.0.1"
    port: int = 8000
    token: str = ""
    workers: int = 2
    leaderboard: Path | None = None  # folder of measured matches; default: found in the package
    allowed_hosts: tuple[str, ...] = ()  # further names under which browsers reach this server
    limits: ServerLimits = field(default_factory=ServerLimits)

    @property
    def is_loopback(self) -> bool:
        return self.host in LOOPBACK


def default_data_folder() -> Path:
    """Return the default folder for games: in the user's state folder."""
    state = os.environ.get("XDG_STATE_HOME")
    try:
        root = Path(state) if state else Path.home() / ".local" / "state"
    except RuntimeError:  # a user without a home folder, as in some containers
        raise BadSetting(
            "you have no home folder: choose a folder for the games with --data"
        ) from None
    return root / "stratagem"
