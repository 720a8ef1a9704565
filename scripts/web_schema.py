"""Write web/schema.json: JSON Schema of every message, from which the page's types are generated.

python scripts/web_schema.py            write the file
python scripts/web_schema.py --check    fail if the file is not what it would be
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import models_json_schema

from stratagem.web import schema
from stratagem.web.schema import Answer, Request

FILE = Path(__file__).resolve().parent.parent / "web" / "schema.json"


def build() -> dict[str, Any]:
    """One schema whose `$defs` hold every message and both unions of WebSocket messages."""
    found = [getattr(schema, name) for name in schema.__all__]
    models = [item for item in found if isinstance(item, type) and item not in (Answer, Request)]
    # As they travel: what a client writes is validated, what the server writes has every key.
    kinds = [
        (model, "validation" if issubclass(model, Request) else "serialization") for model in models
    ]
    _, document = models_json_schema(kinds, title="Stratagem", ref_template="#/$defs/{model}")  # type: ignore[arg-type]
    for name in ("SessionMessage", "RunMessage"):
        union = TypeAdapter(getattr(schema, name)).json_schema(
            mode="serialization", ref_template="#/$defs/{model}"
        )
        union.pop("$defs")
        document["$defs"][name] = union
    # Of shapes the defaults are left out, of scenes they are not.
    scene = document["$defs"]["Scene"]
    scene["required"] = list(scene["properties"])
    document["$defs"] = dict(sorted(document["$defs"].items()))
    return document


def main() -> int:
    """Write the file, or compare it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    text = json.dumps(build(), indent=2) + "\n"
    if parser.parse_args().check:
        if FILE.is_file() and FILE.read_text() == text:
            return 0
        sys.stderr.write(f"{FILE.name} is stale: run `python scripts/web_schema.py`\n")
        return 1
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
