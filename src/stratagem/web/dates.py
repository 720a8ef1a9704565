"""File dates as text."""

from __future__ import annotations

from datetime import UTC, datetime

_LATEST = 253_402_300_799.0  # the end of the year 9999; a file can claim to be newer


def as_date(changed: float) -> str:
    """Format seconds since the epoch as `2026-05-04T12:30:00+00:00`."""
    return datetime.fromtimestamp(min(changed, _LATEST), UTC).isoformat(timespec="seconds")
