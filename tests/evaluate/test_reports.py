"""Reports are Markdown that shows every number and every picture that it names."""

import json
import re
from pathlib import Path

from stratagem.agents import make_agent
from stratagem.core.registry import load_game
from stratagem.evaluate.game_pictures import add_course
from stratagem.evaluate.matches import play_match
from stratagem.evaluate.reports import (
    Report,
    markdown_table,
    match_table,
)
from stratagem.evaluate.tournament_report import write_tournament
from stratagem.evaluate.tournaments import play_tournament

DICE = load_game("dice")


def test_tables_align_and_escape() -> None:
    text = markdown_table(["name", "x"], [["a|b", 1], ["long name", 0.25], ["none", None]])
    assert text.splitlines() == [
        "| name      | x     |",
        "|-----------|-------|",
        "| a\\|b      | 1     |",
        "| long name | 0.250 |",
        "| none      |       |",
    ]


def test_match_table() -> None:
    agents = [make_agent("keeper", DICE), make_agent("random", DICE)]
    result = play_match(DICE, agents, 20, seed=1)
    lines = match_table(result).splitlines()
    assert len(lines) == 4
    assert f"{result.agents[0].tally.score:.3f}" in lines[2]
    assert "`keeper`" in lines[2]


def test_tournament_report(tmp_path: Path) -> None:
    tournament = play_tournament(DICE, ["random", "keeper"], 10, seed=3)
    report = write_tournament(tournament, tmp_path / "out")
    text = report.read_text()
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text)
    assert pictures == ["ratings.png", "pairs.png"]
    for picture in pictures:
        assert (report.parent / picture).stat().st_size > 2_000
    assert "`random` at 0" in text
    stored = json.loads((report.parent / "tournament.json").read_text())
    assert stored == json.loads(json.dumps(tournament.as_json()))


def test_strip_in_a_report(tmp_path: Path) -> None:
    game = load_game("connect_four")
    agents = [make_agent("random", game)] * 2
    (record,) = play_match(game, agents, 1, seed=1, keep=True).records
    report = Report("A game")
    report.heading("Part")
    report.paragraph("Words.")
    add_course(report, game, record, tmp_path / "strip.png")
    written = report.write(tmp_path / "report.md").read_text()
    assert written.startswith("# A game\n\n## Part\n\nWords.\n\n![A game from set-up seed")
    assert (tmp_path / "strip.png").is_file()
