"""Recorded games for the tests: those kept in the repository, and a larger folder if there is one.

`STRATAGEM_TERRA_MYSTICA_RECORDS` names a folder with more recorded games (JSON, any depth).
"""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path
from typing import Any

KEPT = Path(__file__).parents[2] / "records" / "terra_mystica"
ELSEWHERE = os.environ.get("STRATAGEM_TERRA_MYSTICA_RECORDS", "")


def kept_games() -> dict[str, dict[str, Any]]:
    games = {}
    with zipfile.ZipFile(KEPT / "generated_base.zip") as archive:
        for name in archive.namelist():
            games[name] = json.loads(archive.read(name))
    for file in KEPT.glob("*.json"):
        games[file.name] = json.loads(file.read_text())
    return games


def more_games() -> dict[str, dict[str, Any]]:
    files = sorted(Path(ELSEWHERE).rglob("*.json")) if ELSEWHERE else []
    return {file.name: json.loads(file.read_text()) for file in files}
