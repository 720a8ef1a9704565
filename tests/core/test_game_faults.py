"""A game's mistakes in one line: file, line and cause."""

import numpy as np
import pytest

from stratagem.core.compile import kernel
from stratagem.core.game_faults import explain, is_compile_error

STATE = np.zeros(1, np.dtype([("seat", "i1"), ("left", "i1")]))[0]


@kernel
def misspelt(s):
    return s["lefd"]


@kernel
def calling(s):
    return misspelt(s)


@kernel
def undefined(s):
    return s["left"] + NO_SUCH_NUMBER  # noqa: F821


@kernel
def assigning_text(s):
    s["left"] = "three"


@kernel
def two_types(s):
    if s["left"] > 0:  # noqa: SIM108
        found = "word"
    else:
        found = 3
    return found


@pytest.mark.parametrize(
    ("broken", "line", "cause"),
    [
        (calling, 14, "Field 'lefd' was not found in record with fields ('seat', 'left')"),
        (undefined, 24, "name 'NO_SUCH_NUMBER' is not defined"),
        (assigning_text, 29, "setitem(state, Literal[str](left), Literal[str](three))"),
        (two_types, 38, "Cannot unify Literal[int](3) and Literal[str](word), in `return found`"),
    ],
)
def test_numba_is_cut_down_to_file_line_and_cause(broken, line, cause):
    with pytest.raises(Exception, match="nopython") as caught:
        broken(STATE)
    assert is_compile_error(caught.value)
    text = explain(caught.value)
    assert text.startswith(f"core/test_game_faults.py:{line}: does not compile: ")
    assert cause in text and "\n" not in text and len(text) < 300


def test_other_errors_name_their_place_only_inside_a_game():
    assert explain(KeyError("no such hex")) == "KeyError: 'no such hex'"
    assert not is_compile_error(KeyError("x"))
