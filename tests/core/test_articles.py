"""Articles before names."""

import pytest

from stratagem.core.sentences import with_article


@pytest.mark.parametrize(("thing", "text"), [("ore", "an ore"), ("wood", "a wood")])
def test_the_article_fits(thing, text):
    assert with_article(thing) == text
