"""Durations in human-readable form."""

from __future__ import annotations


def format_seconds(seconds: float) -> str:
    """Format as `45s`, `12m 05s` or `2h 03m`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole}s"
    if whole < 3600:
        return f"{whole // 60}m {whole % 60:02d}s"
    return f"{whole // 3600}h {whole % 3600 // 60:02d}m"
