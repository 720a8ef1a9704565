"""Refusals: what the server answers when it cannot do as asked."""

from __future__ import annotations

import errno

_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EFBIG, errno.EMFILE,
         errno.EACCES, errno.EPERM}  # fmt: skip


class Refusal(Exception):
    """A request that is refused; `status` is the HTTP code, the text says what to change."""

    status = 400


class NotFound(Refusal):
    """No such session, run or record."""

    status = 404


class Conflict(Refusal):
    """Valid, but not now: another position, another player's turn, a finished game."""

    status = 409


class TooLarge(Refusal):
    """More bytes or events than the server takes."""

    status = 413


class TooMany(Refusal):
    """A limit of the server is reached."""

    status = 429


class Broken(Refusal):
    """An agent or a worker failed; the game itself is unharmed."""

    status = 503


def disk_problem(error: Exception) -> str:
    """What to do where the disk refuses; empty for any other error."""
    if not isinstance(error, OSError) or error.errno not in _DISK:
        return ""
    reason = (error.strerror or str(error)).lower()
    return f"the server's disk refuses this ({reason}): nothing was done; make room and try again"
