"""The results pages, `docs/results`: generated only from the result files in `results/`.

There is one page per paper, with an exhibit for every experiment that declares one, and an index.
Figures are in docs/results/plots/<experiment>; each contains the digest of the result that it was
drawn from. The text is written by people, in the experiments' files; numbers come from results.
"""

from __future__ import annotations

import json
import re
import shutil
import textwrap
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from stratagem.core.errors import BadSetting, StratagemError
from stratagem.core.files import write_atomically
from stratagem.core.registry import list_games
from stratagem.evaluate.drawing.light import lighten, note_in
from stratagem.evaluate.reports import Pictures, Report, markdown_table
from stratagem.experiments.exhibit import NOT_RUN, ExperimentFile, fill_in
from stratagem.experiments.files import experiment_files, experiment_values
from stratagem.experiments.kept import read_kept, read_result
from stratagem.experiments.publish import refuse_changed
from stratagem.experiments.results import (
    Published,
    checkout_root,
    published_file,
    read_published,
)
from stratagem.experiments.run import RESULT, load_experiment, load_kind, page_of

PAGES = "docs/results"  # from the top of a checkout
PLOTS = "plots"
_MADE = (
    "This page is generated from the files in [results](../../results) by "
    "`python scripts/results.py`: do not edit it."
)
_WIDTH = 100


@dataclass(frozen=True)
class Shown:
    """An experiment with an exhibit, and its published result if there is one."""

    definition: ExperimentFile
    published: Published | None

    @property
    def stem(self) -> str:
        return self.definition.name.replace("/", "-")

    @cached_property
    def verdict(self) -> str:
        if self.published is None:
            return NOT_RUN
        return self.definition.exhibit.verdict or "not judged yet"

    def fill(self, text: str) -> str:
        return " ".join(fill_in(text, self.published.result).split()) if self.published else ""

    def measured(self) -> ExperimentFile:
        """Return the experiment's definition at the time it was measured."""
        assert self.published is not None
        values = self.published.result.get("definition")
        if values is None:
            return self.definition
        found: ExperimentFile = load_kind(values, self.definition.name).read(
            self.definition.name, values
        )
        return found


def exhibits(root: Path) -> dict[str, list[Shown]]:
    """Return every exhibit by game, in the order of the games and of the pages."""
    found: dict[str, list[Shown]] = {}
    for name in experiment_files():
        if "exhibit" in experiment_values(name):
            shown = Shown(load_experiment(name), read_published(root, name))
            page = shown.definition.exhibit.page or name.partition("/")[0]
            found.setdefault(page, []).append(shown)
    for each in found.values():
        each.sort(key=lambda one: (one.definition.exhibit.order, one.definition.name))
    return dict(sorted(found.items()))


def render(root: Path, draw: Collection[str] = ()) -> dict[Path, str]:
    """Render every page, by file; draw the figures of the experiments in `draw`."""
    titles = {about.name: about.title for about, _ in list_games()}
    pages = {}
    by_game = exhibits(root)
    for game, shown in by_game.items():
        page = Report(f"Results: {titles[game]}")
        page.paragraph(_MADE)
        page.paragraph(f"Paper: {_document(shown)}.")
        page.paragraph(_contents(shown))
        parts = [_section(one, root, one.definition.name in draw) for one in shown]
        pages[root / PAGES / f"{_page(game)}.md"] = _wrapped("\n".join([page.text(), *parts]))
    pages[root / PAGES / "index.md"] = _wrapped(_index(by_game, titles))
    return pages


def write_pages(root: Path, draw: Collection[str] = ()) -> list[Path]:
    """Write the pages that changed, and return them."""
    for name in draw:
        shutil.rmtree(root / PAGES / PLOTS / name.replace("/", "-"), ignore_errors=True)
    changed = []
    for file, text in render(root, draw).items():
        if not file.is_file() or file.read_text() != text:
            write_atomically(file, text)
            changed.append(file)
    return changed


def publish(folder: Path, root: Path | None = None) -> Path:
    """Copy an experiment's result to results/, draw its figures and rewrite its page."""
    file = folder / RESULT
    if not file.is_file():
        raise BadSetting(f"{folder} contains no result: run the experiment first")
    result = read_result(file)
    if not isinstance(result.get("name"), str):
        raise BadSetting(f"{file} does not name its experiment: run the experiment again")
    refuse_changed(result, str(file))
    for arm in result.get("arms", ()):
        refuse_changed({"commit": arm.get("commit", result["commit"])}, str(file))
    root = root or checkout_root()
    target = published_file(root, result["name"])
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, target)
    write_pages(root, [result["name"]])
    return target


def _contents(shown: list[Shown]) -> str:
    rows = [
        [
            f"[{_heading(one)}](#{_anchor(_heading(one))})",
            one.definition.exhibit.paper,
            one.fill(one.definition.exhibit.ours),
            one.verdict,
        ]
        for one in shown
    ]
    return markdown_table(["exhibit", "paper", "ours", "verdict"], rows)


def _section(one: Shown, root: Path, draws: bool) -> str:
    """Write one exhibit: its text, how it was made, and everything that was measured."""
    verdict = one.verdict[:1].upper() + one.verdict[1:]
    lines = [f"## {_heading(one)}", f"**{verdict}.** {one.fill(one.definition.exhibit.text)}"]
    lines.append(_how(one))
    if one.published is not None:
        folder = root / PAGES / PLOTS / one.stem
        pictures = Pictures(folder, f"{PLOTS}/{one.stem}/", draws)
        lines.append(page_of(one.measured(), one.published.result, pictures, part=True).text())
        if draws:
            for file in sorted(folder.glob("*.png")):
                lighten(file, {"result": one.published.digest})
    return "\n\n".join(line.strip() for line in lines) + "\n"


def _heading(one: Shown) -> str:
    number = one.definition.exhibit.number
    return (
        f"{number[:1].upper()}{number[1:]}: {one.definition.title}"
        if number
        else one.definition.title
    )


def _how(one: Shown) -> str:
    """Describe settings, budget, commit and the command that reproduces the result."""
    name = one.definition.name
    game, _, file = name.partition("/")
    source = f"../../src/stratagem/games/{game}/experiments/{file}.toml"
    does = "Run it" if one.published is None else "Reproduce it"
    text = f"Settings: [{file}.toml]({source}), budget {one.definition.budget}. {does} "
    text += f"with `stratagem experiment {game.replace('_', '-')}/{file} --publish`."
    if one.published is None:
        return text
    commit = one.published.result.get("commit")
    text += f" Measured at commit {commit}." if commit else " The commit was not recorded."
    before = one.published.result.get("definition")
    if before is not None and _measures(before) != _measures(experiment_values(name)):
        text += " The settings have changed since then; these results are for the old ones."
    return text


def _measures(values: dict[str, Any]) -> str:
    about = ("title", "source", "exhibit", "budget")  # they do not affect measurements
    kept = {key: value for key, value in values.items() if key not in about}
    return json.dumps(kept, sort_keys=True)


def _index(by_game: dict[str, list[Shown]], titles: dict[str, str]) -> str:
    page = Report("Results")
    page.paragraph(
        "We repeat the experiments of five papers with Stratagem. For each table and figure, these "
        f"pages say what the paper found, what we found and where the two differ. {_MADE}"
    )
    for game, shown in by_game.items():
        page.heading(f"[{titles[game]}]({_page(game)}.md)")
        page.table(
            ["exhibit", "paper", "ours", "verdict"],
            [
                [
                    f"[{_heading(one)}]({_page(game)}.md#{_anchor(_heading(one))})",
                    one.definition.exhibit.paper,
                    one.fill(one.definition.exhibit.ours),
                    one.verdict,
                ]
                for one in shown
            ],
        )
    return page.text()


def _document(shown: list[Shown]) -> str:
    """Return the paper that the game's exhibits reproduce, without section or chapter."""
    return re.split(r", (?:section|chapter|append)", shown[0].definition.source)[0]


def _wrapped(text: str) -> str:
    """Wrap paragraphs into readable, comparable lines; tables and links stay whole."""
    lines = []
    for line in text.splitlines():
        if len(line) <= _WIDTH or line.startswith(("|", "#", "![")):
            lines.append(line)
        else:
            indent = "  " if line.startswith("- ") else ""
            lines += textwrap.wrap(
                line, _WIDTH, subsequent_indent=indent, break_long_words=False,
                break_on_hyphens=False,
            )  # fmt: skip
    return "\n".join(lines) + "\n"


def _page(game: str) -> str:
    return game.replace("_", "-")


def _anchor(heading: str) -> str:
    """Return the anchor that Markdown viewers give a heading."""
    kept = (c for c in heading.lower() if c.isalnum() or c in " -_")
    return "".join(kept).replace(" ", "-")


def problems(root: Path) -> Iterator[str]:
    """Yield mismatches between pages, plots and results, one line each."""
    linked: dict[Path, str] = {}
    known = {one.stem: one for each in exhibits(root).values() for one in each}
    try:
        pages = render(root)
    except StratagemError as error:
        yield str(error)
        return
    for file, text in pages.items():
        if not file.is_file() or file.read_text() != text:
            yield f"{file.relative_to(root)} does not match the results: run scripts/results.py"
        for stem, one in known.items():
            linked |= {
                root / PAGES / part.partition(")")[0]: one.published.digest
                for part in text.split("](")[1:]
                if part.startswith(f"{PLOTS}/{stem}/") and one.published is not None
            }
    for file, digest in linked.items():
        if not file.is_file():
            yield f"{file.relative_to(root)} is missing: run scripts/results.py --draw"
        elif note_in(file, "result") != digest:
            yield f"{file.relative_to(root)} is from another result: run scripts/results.py --draw"
    for file in (root / PAGES / PLOTS).glob("*/*"):
        if file not in linked:
            yield f"{file.relative_to(root)} is on no page: delete it"
    for file in (root / "results").glob("*.json"):
        of_experiment = "source" in read_kept(file)
        if of_experiment and file.stem not in known:
            yield f"{file.relative_to(root)} belongs to no experiment with an exhibit"
