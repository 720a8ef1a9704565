"""The pages of docs/results from the files in results/: `python scripts/results.py [--draw]`.

--draw draws the figures of every result anew (publishing draws those of its own); --check writes
nothing, and its exit code says whether pages, figures and results belong together.
"""

from __future__ import annotations

import sys

from stratagem.experiments.pages import exhibits, problems, write_pages
from stratagem.experiments.results import checkout_root


def main() -> int:
    root = checkout_root()
    if "--check" in sys.argv[1:]:
        found = list(problems(root))
        sys.stdout.write("".join(f"{line}\n" for line in found))
        return 1 if found else 0
    shown = [one for each in exhibits(root).values() for one in each if one.published]
    draw = [one.definition.name for one in shown] if "--draw" in sys.argv[1:] else []
    for file in write_pages(root, draw):
        sys.stdout.write(f"written: {file.relative_to(root)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
