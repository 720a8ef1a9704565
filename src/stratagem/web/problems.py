"""Refusals: the server's answers when it cannot do what was requested."""

from __future__ import annotations

import errno

_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EFBIG, errno.EMFILE,
         errno.EACCES, errno.EPERM}  # fmt: skip


class Refusal(Exception):
    """A refused request; `status` is the HTTP code, the text says what to change."""

    status = 400


class NotFound(Refusal):
    """No such session, run or record."""

    status = 404


class Conflict(Refusal):
    """Valid, but not now: another position, another player's turn, or a finished game."""

    status = 409


class TooLarge(Refusal):
    """More bytes or events than the server accepts."""

    status = 413


class TooMany(Refusal):
    """A limit of the server has been reached."""

    status = 429


class Broken(Refusal):
    """An agent or a worker failed; the game itself is unharmed."""

    status = 503


def disk_problem(error: Exception) -> str:
    """Say what to do about a disk error; empty for any other error."""
    if not isinstance(error, OSError) or error.errno not in _DISK:
        return ""
    reason = (error.strerror or str(error)).lower()
    return (
        f"the server cannot write to its disk ({reason}): nothing was done; "
        "free some space and try again"
    )
