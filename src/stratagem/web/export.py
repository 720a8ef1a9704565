"""Writes a recorded game as one self-contained page with the page's own script and style.

It loads nothing when opened, so it can be mailed or put on a memory stick.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

from stratagem.core.errors import BadSetting
from stratagem.core.files import write_atomically
from stratagem.core.game import Game, States
from stratagem.core.record import GameRecord
from stratagem.core.scene import Scene, Shape
from stratagem.core.session import GameSession, SessionSetup
from stratagem.web.drawing import SessionDrawing, event_info, open_position
from stratagem.web.graph import value_graph
from stratagem.web.notes import Notes
from stratagem.web.pages import PAGE, STATIC
from stratagem.web.schema import Replay, ReplayPosition, ReplayScene

ELEMENT = "stratagem-replay"

_SCRIPT = re.compile(r'<script\b[^>]*\bsrc="([^"]+)"[^>]*></script>')
_STYLE = re.compile(r'<link\b[^>]*\brel="stylesheet"[^>]*\bhref="([^"]+)"[^>]*/?>')


def write_replay_page(record: GameRecord, game: Game, states: States, file: Path) -> None:
    """Write the page; the file appears completely or not at all."""
    write_atomically(file, replay_page(build_replay(record, game, states)))


def build_replay(record: GameRecord, game: Game, states: States) -> Replay:
    """Return every position of a recorded game, each shape once."""
    session = GameSession(game, SessionSetup.of_record(record), changes=record.events)
    notes = Notes(session)
    notes.take_from_record()
    analyses = notes.all()
    drawing = SessionDrawing(session)
    shapes = _Shapes()
    positions = []
    for ply, state in enumerate(states):
        drawn = open_position(game, state, ply)
        event = event_info(session, ply - 1) if ply else None
        positions.append(
            ReplayPosition(
                ply=ply,
                seat=drawn.seat,
                scene=shapes.numbered(drawn.scene),
                scores=drawn.scores,
                returns=drawn.returns,
                event=event,
            )
        )
    return Replay(
        game=record.game,
        title=game.title,
        version=record.version,
        agents=list(record.agents),
        setup_seed=str(record.setup_seed),
        shapes=shapes.list,
        positions=positions,
        returns=list(record.returns) or None,
        graph=value_graph(drawing, notes, None, False, 0, None) if analyses else None,
        analyses=analyses,
    )


def replay_page(replay: Replay) -> str:
    """Return the page as text."""
    if not (STATIC / PAGE).is_file():
        raise BadSetting("the page is not built: run `npm --prefix web run build` first")
    text = (STATIC / PAGE).read_text()
    scripts: list[str] = []

    def keep_script(found: re.Match[str]) -> str:
        # At the end of the body: an inline script does not wait until the page is parsed.
        scripts.append(_file(found[1]).replace("</script", "<\\/script"))
        return ""

    text = _SCRIPT.sub(keep_script, text)
    text = _STYLE.sub(lambda found: f"<style>{_file(found[1])}</style>", text)
    packed = base64.b64encode(gzip.compress(replay.model_dump_json().encode(), 9, mtime=0))
    data = f'<script id="{ELEMENT}" type="text/plain">{packed.decode()}</script>'
    program = "".join(f'<script type="module">{script}</script>' for script in scripts)
    head, _, tail = text.replace("<head>", f"<head>{_policy(scripts)}", 1).rpartition("</body>")
    return f"{head}{data}{program}</body>{tail}"


def _policy(scripts: Sequence[str]) -> str:
    """Allow only these scripts and no loading, whatever a name in the record may contain."""
    hashes = [base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in scripts]
    listed = " ".join(f"'sha256-{one}'" for one in hashes)
    policy = (
        f"default-src 'none'; script-src {listed}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    return f'<meta http-equiv="Content-Security-Policy" content="{policy}">'


def _file(address: str) -> str:
    return (STATIC / address.removeprefix("/").removeprefix("static/")).read_text()


class _Shapes:
    """Numbers shapes, each once."""

    def __init__(self) -> None:
        self.list: list[Shape] = []
        self._numbers: dict[Shape, int] = {}

    def numbered(self, scene: Scene) -> ReplayScene:
        return ReplayScene(
            width=scene.width,
            height=scene.height,
            shapes=[self._number(shape) for shape in scene.shapes],
            facts=list(scene.facts),
            title=scene.title,
            panels=[self.numbered(panel) for panel in scene.panels],
        )

    def _number(self, shape: Shape) -> int:
        number = self._numbers.get(shape)
        if number is None:
            number = self._numbers[shape] = len(self.list)
            self.list.append(shape)
        return number
