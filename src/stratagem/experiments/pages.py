"""The pages of results, `docs/results`: made from the result files in `results/` and nothing else.

One page for each document, with an exhibit for every experiment that has one, and an index. The
figures lie in docs/results/plots/<experiment>; each carries the digest of the result that it was
drawn from. A person writes sentences, in the experiments' files; numbers come from results.
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
from stratagem.core.registry import list_games
from stratagem.evaluate.drawing.light import lighten, note_in
from stratagem.evaluate.reports import Pictures, Report, markdown_table
from stratagem.experiments.exhibit import NOT_RUN, ExperimentFile, fill_in
from stratagem.experiments.files import experiment_files, experiment_values
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
    "Made by `python scripts/results.py` from the files in [results](../../results); do not edit "
    "it by hand."
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
        """The experiment as it was when it was measured."""
        assert self.published is not None
        values = self.published.result.get("definition")
        if values is None:
            return self.definition
        found: ExperimentFile = load_kind(values, self.definition.name).read(
            self.definition.name, values
        )
        return found


def exhibits(root: Path) -> dict[str, list[Shown]]:
    """Every exhibit by game, in the order of the games and of the pages."""
    found: dict[str, list[Shown]] = {}
    for name in experiment_files():
        if "exhibit" in experiment_values(name):
            shown = Shown(load_experiment(name), read_published(root, name))
            found.setdefault(name.partition("/")[0], []).append(shown)
    for each in found.values():
        each.sort(key=lambda one: (one.definition.exhibit.order, one.definition.name))
    return found


def render(root: Path, draw: Collection[str] = ()) -> dict[Path, str]:
    """Every page by its file; figures are drawn of the experiments that `draw` names."""
    titles = {about.name: about.title for about, _ in list_games()}
    pages = {}
    by_game = exhibits(root)
    for game, shown in by_game.items():
        page = Report(f"Results: {titles[game]}")
        page.paragraph(_MADE)
        page.paragraph(f"Document: {_document(shown)}.")
        page.paragraph(_contents(shown))
        parts = [_section(one, root, one.definition.name in draw) for one in shown]
        pages[root / PAGES / f"{_page(game)}.md"] = _wrapped("\n".join([page.text(), *parts]))
    pages[root / PAGES / "index.md"] = _wrapped(_index(by_game, titles))
    return pages


def write_pages(root: Path, draw: Collection[str] = ()) -> list[Path]:
    """Write what has changed; says which pages."""
    for name in draw:
        shutil.rmtree(root / PAGES / PLOTS / name.replace("/", "-"), ignore_errors=True)
    changed = []
    for file, text in render(root, draw).items():
        if not file.is_file() or file.read_text() != text:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            changed.append(file)
    return changed


def publish(folder: Path, root: Path | None = None) -> Path:
    """Copy an experiment's result to results/, draw its figures and write its page anew."""
    file = folder / RESULT
    if not file.is_file():
        raise BadSetting(f"{folder} holds no result: run the experiment first")
    result = json.loads(file.read_text())
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
            f"[{one.definition.exhibit.number or one.definition.title}](#{_anchor(_heading(one))})",
            one.definition.exhibit.paper,
            one.fill(one.definition.exhibit.ours),
            one.verdict,
        ]
        for one in shown
    ]
    return markdown_table(["exhibit", "paper", "ours", "verdict"], rows)


def _section(one: Shown, root: Path, draws: bool) -> str:
    """One exhibit: what it says, how it was made, and everything that was measured."""
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
    """Settings, budget, commit and the command that makes it again."""
    name = one.definition.name
    game, _, file = name.partition("/")
    source = f"../../src/stratagem/games/{game}/experiments/{file}.toml"
    said = f"Settings: [{file}.toml]({source}), budget {one.definition.budget}. Again: "
    said += f"`stratagem experiment {game.replace('_', '-')}/{file} --publish`."
    if one.published is None:
        return said
    commit = one.published.result.get("commit")
    said += f" Measured at commit {commit}." if commit else " The commit was not kept then."
    before = one.published.result.get("definition")
    if before is not None and _measures(before) != _measures(experiment_values(name)):
        said += " The file has changed since: what follows is what was measured."
    return said


def _measures(values: dict[str, Any]) -> str:
    kept = {key: value for key, value in values.items() if key not in ("exhibit", "budget")}
    return json.dumps(kept, sort_keys=True)


def _index(by_game: dict[str, list[Shown]], titles: dict[str, str]) -> str:
    page = Report("Results")
    page.paragraph(
        "Every table and figure of the five documents that Stratagem makes real, run here: what "
        f"they found, what we found, and where they differ. {_MADE}"
    )
    for game, shown in by_game.items():
        page.heading(f"[{titles[game]}]({_page(game)}.md)")
        page.table(
            ["exhibit", "paper", "ours", "verdict"],
            [
                [
                    f"[{_short(one)}]({_page(game)}.md#{_anchor(_heading(one))})",
                    one.definition.exhibit.paper,
                    one.fill(one.definition.exhibit.ours),
                    one.verdict,
                ]
                for one in shown
            ],
        )
    return page.text()


def _document(shown: list[Shown]) -> str:
    """What the game's exhibits reproduce, without chapter and verse."""
    return re.split(r", (?:section|chapter|append)", shown[0].definition.source)[0]


def _wrapped(text: str) -> str:
    """Paragraphs in lines that can be read and compared; tables and links stay whole."""
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


def _short(one: Shown) -> str:
    return one.definition.exhibit.number or one.definition.title


def _page(game: str) -> str:
    return game.replace("_", "-")


def _anchor(heading: str) -> str:
    """The anchor that Markdown viewers give a heading."""
    kept = (c for c in heading.lower() if c.isalnum() or c in " -_")
    return "".join(kept).replace(" ", "-")


def problems(root: Path) -> Iterator[str]:
    """What does not belong together: pages, plots and results, a line each."""
    linked: dict[Path, str] = {}
    known = {one.stem: one for each in exhibits(root).values() for one in each}
    try:
        pages = render(root)
    except StratagemError as error:
        yield str(error)
        return
    for file, text in pages.items():
        if not file.is_file() or file.read_text() != text:
            yield f"{file.relative_to(root)} is not what the results say: run scripts/results.py"
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
            yield f"{file.relative_to(root)} was drawn from another result"
    for file in (root / PAGES / PLOTS).glob("*/*"):
        if file not in linked:
            yield f"{file.relative_to(root)} belongs to no page"
    for file in (root / "results").glob("*.json"):
        of_experiment = "source" in json.loads(file.read_text())
        if of_experiment and file.stem not in known:
            yield f"{file.relative_to(root)} belongs to no experiment with an exhibit"
