"""What an experiment says in words: only differences outside their intervals over runs."""

import pytest

from stratagem.core.errors import BadSetting
from stratagem.experiments.exhibit import Exhibit, fill_in
from stratagem.experiments.findings import Compared, differences, findings, over_seeds


def test_a_clear_difference_is_told_and_an_unclear_one_is_counted():
    clear = Compared("wins", {"a": [0.9, 0.91, 0.92], "b": [0.1, 0.12, 0.11]}, 100.0, "points")
    unclear = Compared("luck", {"a": [0.1, 0.9, 0.4], "b": [0.2, 0.8, 0.6]})
    said = findings([clear, unclear])
    assert said[0] == (
        "Differences between arms that are significant at the 95 % level "
        "(Welch's test, 3 runs per arm):"
    )
    assert said[1].startswith("wins: a is 80 points above b (")
    assert said[-1] == "The other difference is not significant."
    (one,) = differences([Compared("wins", {"b": [0.1, 0.2], "a": [0.5, 0.7]})])
    assert (one.above, one.below) == ("a", "b") and one.mean == pytest.approx(0.45)


def test_many_comparisons_say_how_many_chance_alone_would_give():
    runs = {"a": [0.9, 0.91, 0.92], "b": [0.1, 0.12, 0.11]}
    said = findings([Compared(f"measure {number}", runs) for number in range(40)])
    assert said[-1] == (
        "40 differences were tested, so about 2 would look significant by chance alone."
    )


def test_one_run_claims_nothing():
    said = findings([Compared("wins", {"a": [1.0], "b": [0.0]})])
    assert said == ["One run per arm cannot show whether the arms differ."]
    assert findings([Compared("wins", {"a": [1.0, 0.0]})])[0].startswith("There is only one arm")
    assert "No difference" in findings([Compared("x", {"a": [1.0, 0.0], "b": [0.0, 1.0]})])[0]


def test_one_run_keeps_the_interval_of_its_games():
    assert over_seeds([0.5], (0.4, 0.6)) == {
        "mean": 0.5, "low": 0.4, "high": 0.6, "by_seed": [0.5],
    }  # fmt: skip
    wide = over_seeds([0.5, 1.0], (0.7, 0.8), share=True)
    assert (wide["mean"], wide["low"], wide["high"]) == (0.75, 0.0, 1.0)


def test_sentences_take_their_numbers_from_the_result():
    result = {"arms": [{"arm": "ff", "points": 10.27}], "share": 0.638}
    assert fill_in("FF {arms.ff.points:.1f}, {share:percent}", result) == "FF 10.3, 63.8 %"
    with pytest.raises(BadSetting, match="no 'gcn' there"):
        fill_in("{arms.gcn.points}", result)


@pytest.mark.parametrize("text", ["about 9.5 points", "80 % of games", "won 3 of them"])
def test_typed_numbers_are_refused(text):
    with pytest.raises(ValueError, match="typed number"):
        Exhibit(text=text)


@pytest.mark.parametrize(
    "text", ["as in table 3 and section 4.2", "on 12x12, figures 18, 19", "`sims=300`, 95 %"]
)
def test_names_may_have_digits(text):
    assert Exhibit(text=text).text == text
