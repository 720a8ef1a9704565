"""Rules at the table: every shipped game has some, and they come without the engineering."""

import pytest

from stratagem.web.problems import NotFound
from stratagem.web.rulebook import read_rulebook, rules_of

GAMES = ["battlefield", "catan", "connect_four", "hexwar", "hispania", "terra_mystica"]


@pytest.mark.parametrize("game", GAMES)
def test_every_shipped_game_has_rules(game):
    text = read_rulebook(game).text
    assert "## Rules" in text and len(text) > 300
    assert "How it is tested" not in text and "## Training" not in text


def test_only_sections_for_players_are_kept():
    page = "# G\n\nintro\n\n## Rules\n\n1. a\n\n## Training\n\nb\n\n## Dice\n\nc\n"
    assert rules_of(page) == "## Rules\n\n1. a\n\n## Dice\n\nc\n"


def test_an_unknown_game_names_the_known_ones():
    with pytest.raises(NotFound, match="connect_four"):
        read_rulebook("../../etc/passwd")


def test_the_page_asks_for_them(server):
    answer = server.get("rules", game="catan")
    assert answer.status_code == 200 and "Production" in answer.json()["text"]
    assert server.get("rules", game="nothing").status_code == 404
