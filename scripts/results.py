"""Write the pages of docs/results from the files in results/: `python scripts/results.py [--draw]`.

With --draw, the figures of all results are drawn again (publishing a result draws its own). With
--check nothing is written, and the exit code says whether pages, figures and results match.
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
