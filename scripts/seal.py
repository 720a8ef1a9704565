"""Add a manifest, with the checksums of the present files, to checkpoints that have none yet.

    python scripts/seal.py FOLDER...

A folder is a checkpoint (model.json and model.safetensors) or a run. The hash of the weights in the
old model card is checked, then removed. Runs also get checksums of their metrics and pointers, and
the settings that a resumed run is compared with.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

from stratagem.core.files import write_atomically
from stratagem.core.manifest import Checksum, Manifest, read_manifest, write_manifest
from stratagem.runs.folder import LIMITS, RunFolder
from stratagem.runs.metrics import IterationMetrics
from stratagem.runs.pointers import write_pointer

CARD, WEIGHTS, STATE = "model.json", "model.safetensors", "train_state.json"


def seal_checkpoint(folder: Path, needs: dict[str, Checksum] | None = None) -> None:
    """Rewrite the card of one checkpoint and write its manifest."""
    card = json.loads((folder / CARD).read_text())
    found = hashlib.blake2b((folder / WEIGHTS).read_bytes(), digest_size=16).hexdigest()
    if card.pop("weights_hash", "") not in ("", found):
        raise SystemExit(f"{folder / WEIGHTS} is damaged")
    write_atomically(folder / CARD, json.dumps({**card, "format": 2}, indent=2) + "\n")
    names = [CARD, WEIGHTS, STATE, "train_state.safetensors", "slots.safetensors"]
    present = [name for name in names if (folder / name).exists()]
    files = {name: Checksum.of((folder / name).read_bytes()) for name in present}
    write_manifest(folder, Manifest(files=files, needs=needs or {}))


def seal_run(folder: RunFolder) -> None:
    """Every checkpoint of a run, its pointers and its metrics."""
    segments = sorted((folder.path / "buffer").glob("*.safetensors"))
    sums = {str(f.relative_to(folder.path)): Checksum.of(f.read_bytes()) for f in segments}
    settings = {key: value for key, value in folder.settings().items() if key not in LIMITS}
    for step in sorted((folder.path / "ckpt").glob("step_*")):
        if (step / STATE).exists():
            values = json.loads((step / STATE).read_text())
            write_atomically(step / STATE, json.dumps({"settings": settings, **values}))
        seal_checkpoint(step)
    for step in sorted((folder.path / "ckpt").glob("step_*")):
        if not (step / STATE).exists():
            continue
        number = int(step.name.split("_")[1])
        oldest = json.loads((step / STATE).read_text()).get("oldest_segment", 0)
        needs = {n: s for n, s in sums.items() if oldest and oldest <= int(Path(n).stem) <= number}
        seal_checkpoint(step, needs | _earlier_networks(folder, step))
    for name in ("latest", "best"):
        pointer = folder.path / "ckpt" / name
        if pointer.exists():
            write_pointer(pointer, pointer.parent / pointer.read_text().split()[0])
    _seal_metrics(folder.path / "metrics.jsonl")


def _earlier_networks(folder: RunFolder, step: Path) -> dict[str, Checksum]:
    """Networks that the run may still meet: those that were accepted or are in the pool."""
    progress = json.loads((step / STATE).read_text())["progress"]
    needs: dict[str, Checksum] = {}
    for number in {*progress.get("accepted", []), *progress.get("pool", [])}:
        other = folder.step_folder(number)
        if other != step and (other / CARD).exists():
            files = read_manifest(other).files
            place = other.relative_to(folder.path)
            needs |= {str(place / name): files[name] for name in (CARD, WEIGHTS)}
    return needs


def _seal_metrics(file: Path) -> None:
    lines = file.read_text().splitlines() if file.exists() else []
    rows = [json.loads(line) for line in lines]
    for row in rows:
        row.pop("check", None)
    text = "".join(IterationMetrics.model_validate(row).as_line() + "\n" for row in rows)
    write_atomically(file, text)


def main() -> None:
    for text in sys.argv[1:]:
        folder = RunFolder(Path(text))
        if folder.exists():
            seal_run(folder)
        else:
            seal_checkpoint(Path(text))
        sys.stdout.write(f"{text}: sealed\n")


if __name__ == "__main__":
    main()
