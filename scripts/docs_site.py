"""Build the documentation: `python scripts/docs_site.py [FOLDER]`, by default into site/.

The build fails on a warning of MkDocs, on a broken link, and if a page would load anything from
another host. The functions `on_...` are hooks named in mkdocs.yml.

On a forge, a page can link to any file of the repository; the site has only pages. A link to one of
`OUTSIDE` leads to its copy on the site, and a link to any other file becomes its path as text.
"""

from __future__ import annotations

import os
import posixpath
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))  # MkDocs loads this file by its path
import notebooks
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
# Where a page of the repository stands on the site.
OUTSIDE = {
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "SECURITY.md": "project/security.md",
    "VISION.md": "project/vision.md",
    "benchmarks/README.md": "project/benchmarks.md",
    "experiments/LEADERBOARD.md": "project/leaderboard.md",
    "experiments/LOG.md": "project/log.md",
}
# What a browser would fetch by itself: not <a href>, which a reader follows.
_FETCHED = re.compile(
    r"""<(?:script|link|img|iframe)\b[^>]*(?:src|href)=["']?(?:https?:)?//[^>]*>"""
)
_SOURCE_OF = {page: source for source, page in OUTSIDE.items()}
_FENCE = re.compile(r"(^```.*?^```[^\n]*$)", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s#]+)(#[^()\s]*)?\)")


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that lie outside of docs/, and a page for each notebook."""
    for source, page in OUTSIDE.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / source)))
    for file in sorted(notebooks.FOLDER.glob("*.ipynb")):
        text = notebooks.as_markdown(notebooks.read(file), file.stem)
        files.append(File.generated(config, f"notebooks/{file.stem}.md", content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: Any, files: Files) -> str:
    """Links as the site needs them."""
    return site_links(markdown, page.file.src_uri)


def site_links(markdown: str, page: str) -> str:
    """The text of a page with links that work on the site; code is left as it is."""
    parts = _FENCE.split(markdown)
    return "".join(
        part if part.startswith("```") else _LINK.sub(lambda found: _link(found, page), part)
        for part in parts
    )


def _link(found: re.Match[str], page: str) -> str:
    picture, text, target, anchor = found.group(1, 2, 3, 4)
    if re.match(r"[a-z]+:", target):
        return found.group(0)
    folder = posixpath.dirname(_SOURCE_OF.get(page, f"docs/{page}"))
    source = posixpath.normpath(posixpath.join(folder, target))
    if source in OUTSIDE:
        aim = OUTSIDE[source]
    elif source.startswith("docs/"):
        aim = re.sub(r"\.ipynb$", ".md", source.removeprefix("docs/"))
    elif (ROOT / source).exists():
        return f"{text} (`{source}`)" if source not in text else f"`{text.strip('`')}`"
    else:
        return found.group(0)  # MkDocs says that it leads nowhere
    relative = posixpath.relpath(aim, posixpath.dirname(page))
    return f"{picture}[{text}]({relative}{anchor or ''})"


def fetched_from_elsewhere(folder: Path) -> list[str]:
    """Every tag of the built pages that loads something from another host."""
    return [
        f"{page.relative_to(folder)}: {tag}"
        for page in sorted(folder.rglob("*.html"))
        for tag in _FETCHED.findall(page.read_text())
    ]


def main() -> int:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "site").resolve()
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(folder)]
    # The theme advertises its successor on every build.
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    if done.returncode != 0:
        return done.returncode
    foreign = fetched_from_elsewhere(folder)
    for line in foreign:
        sys.stdout.write(f"loads from another host: {line}\n")
    return 1 if foreign else 0


if __name__ == "__main__":
    sys.exit(main())
