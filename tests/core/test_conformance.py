"""The conformance kit passes good games and catches built-in defects."""

import shutil
import sys
from dataclasses import replace

import numpy as np
import pytest

from interpreted import assert_interpreted_equals_compiled
from stratagem.core.compile import kernel
from stratagem.core.conformance import NonConformance, check_game, trace_game
from stratagem.core.conformance.__main__ import main
from stratagem.core.conformance.shape import check_shape
from stratagem.core.errors import BadRecord
from stratagem.core.game import Encoding, Game, Notation
from stratagem.core.registry import load_game
from stratagem.core.scene import Scene, Shape
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.specs import ActionSpec, ObservationSlice, ObservationSpec

CONNECT_FOUR = load_game("connect_four/default?rows=4&columns=4&connect=3")
DICE = load_game("dice")
CARDS = load_game("cards/default?ranks=5")


def broken(game: Game, **changes) -> Game:
    return Game(replace(game.rules, **changes), game.scenario, game.spec)


@pytest.mark.parametrize("spec", ["dice", "dice/three", "cards", "cards/default?ranks=5"])
def test_good_games_pass(spec):
    check_game(load_game(spec), games=10)


def test_trace_is_the_same_interpreted_and_compiled():
    assert_interpreted_equals_compiled(["dice/three", "cards"])


def test_traces_of_different_games_differ():
    assert len({trace_game(DICE, seed) for seed in range(8)}) > 4


def test_command_says_what_it_found(capsys):
    assert main(["dice", "--games", "2"]) == 0
    assert "dice/default conforms" in capsys.readouterr().out
    assert main(["dyce"]) == 2
    assert "did you mean 'dice'" in capsys.readouterr().err


def test_a_game_that_does_not_conform_has_no_trace(dice_folder, capsys):
    state = dice_folder / "state.py"
    state.write_text(state.read_text().replace('("seat", "i1")', '("seat", "u1")'))
    assert main(["shaped", "--games", "2"]) == 1
    said = capsys.readouterr().out
    assert said.startswith("shaped does not conform: field `seat`") and said.count("\n") == 1


def test_what_fails_in_a_trace_is_named(monkeypatch):
    monkeypatch.setattr(Game, "returns", lambda game, states: 1 / 0)
    with pytest.raises(NonConformance, match=r"returns failed: .*ZeroDivisionError"):
        trace_game(DICE, 1)


# Planted defects. Each is a small change to a good game.


@kernel
def no_legal(s, out):
    return 0


@kernel
def repeated_legal(s, out):
    out[0] = 0
    out[1] = 0
    return 2


@kernel
def far_legal(s, out):
    out[0] = 2
    return 1


@kernel
def unequal_chance(s, ids, probs):
    for face in range(s["faces"]):
        ids[face] = face
        probs[face] = 0.9 / s["faces"]
    return s["faces"]


@kernel
def repeated_chance(s, ids, probs):
    ids[0] = 1
    ids[1] = 1
    probs[0] = 0.5
    probs[1] = 0.5
    return 2


@kernel
def endless_step(s, action):
    s["seat"] = s["mover"] if s["seat"] == CHANCE else CHANCE
    s["roll"] = action


@kernel
def unwritten_returns(s, out):
    out[0] = 1.0


@kernel
def large_returns(s, out):
    out[0] = 2.0
    out[1] = -2.0


@kernel
def generous_returns(s, out):
    out[0] = 1.0
    out[1] = 1.0


@kernel
def unseated_step(s, action):
    s["seat"] = 5


@kernel
def touching_observe(s, seat, options, out):
    s["used"] += 1


@kernel
def infinite_observe(s, seat, options, out):
    out[0] = np.inf


@kernel
def long_observe(s, seat, options, out):
    # Row 0 of a batch is a view into the whole batch: NumPy-style bounds are not checked there.
    for k in range(s["seats"] + 3):
        out[k] = 1.0


@kernel
def peeking_observe(s, seat, options, out):
    out[0] = s["card"][1 - seat]


@kernel
def leaking_hide(s, seat, seed):
    """Does nothing: the other card stays where it was."""
    s["ranks"] = s["ranks"]


@kernel
def half_leaking_hide(s, seat, seed):
    """Draws a card that depends on the hidden one."""
    other = 1 - seat
    card = s["card"][other] % s["ranks"] + 1
    if card != s["card"][seat]:
        s["card"][other] = card


@kernel
def sparing_observe(s, seat, options, out):
    for k in range(1, len(out)):
        out[k] = 0.0


@kernel
def infinite_potential(s, seat):
    return np.inf


@kernel
def forgetful_mirror(s, index, out):
    """Mirrors the heights but not the discs: legal actions fit, stepping does not."""
    if index == 1:
        for column in range(s["columns"]):
            out["height"][column] = s["height"][s["columns"] - 1 - column]


@kernel
def unmirrored_action(s, index, action):
    return action


@kernel
def shifting_identity(s, index, out):
    out["ply"] = s["ply"] + 1


@kernel
def cheating_bot(s, legal_actions, count, word):
    return 7


@kernel
def immediately_over(s, scenario, seed):
    s["seat"] = OVER


def _table(size):
    return lambda scenario, options: ObservationSpec((ObservationSlice("x", (size,), "vector"),))


def _seeing(observe, size=8, clears=False):
    return (Encoding("broken", observe, _table(size), clears=clears),)


def _misread(s, text):
    if text not in ("keep", "again"):
        raise BadRecord("write keep or again")
    return 0


def _readable(s, action):
    return "keep"


def _parse_anything(s, text):
    return ("keep", "again").index(text) if text in ("keep", "again") else 0


def _failing_view(s):
    raise KeyError("no such hex")


@kernel
def uncompiled_legal(s, out):
    return s["no_such_field"]


def _scene(role="cell", key="cell:0,0", layer="board"):
    shape = Shape("disc", ((0.5, 0.5),), role, radius=0.4, key=key, layer=layer)
    return lambda s: Scene(1, 1, (shape,))


def _shaped(*slices):
    spec = ObservationSpec(tuple(ObservationSlice(*one) for one in slices))
    return (Encoding("broken", touching_observe, lambda scenario, options: spec),)


_WORDS = DICE.rules.notation
_SEATLESS = np.dtype([("turn", "i1")])

DEFECTS = {
    "has no field `seat`": broken(DICE, dtype=_SEATLESS),
    "after reset, seat is": broken(DICE, reset=immediately_over),
    "no legal action": broken(DICE, legal=no_legal),
    "duplicate legal actions": broken(DICE, legal=repeated_legal),
    "outside the range": broken(DICE, legal=far_legal),
    "max_legal is 1": broken(DICE, max_legal=lambda scenario: 1),
    "sum to": broken(DICE, chance=unequal_chance),
    "duplicate chance outcomes": broken(DICE, chance=repeated_chance),
    "max_chance is 3": broken(DICE, max_chance=lambda scenario: 3),
    "no `chance` is declared": broken(DICE, chance=None),
    "did not end": broken(DICE, step=endless_step),
    "seat is 5": broken(DICE, step=unseated_step),
    "write a finite value for each": broken(DICE, returns=unwritten_returns),
    "leaves [-1, 1]": broken(DICE, returns=large_returns),
    "not 0": broken(DICE, returns=generous_returns),
    "changed the state": broken(DICE, encodings=_seeing(touching_observe)),
    "not finite": broken(DICE, encodings=_seeing(infinite_observe)),
    "leaves numbers unwritten": broken(DICE, encodings=_seeing(sparing_observe, clears=True)),
    "something that hide removes": broken(CARDS, encodings=_seeing(peeking_observe)),
    "depends on what that seat cannot see": broken(CARDS, hide=half_leaking_hide),
    "hide never changed anything": broken(CARDS, hide=leaking_hide),
    "potential returned a value": broken(DICE, potential=infinite_potential),
    "do not commute": broken(CONNECT_FOUR, symmetry=forgetful_mirror),
    "do not map onto": broken(CONNECT_FOUR, symmetry_action=unmirrored_action),
    "symmetry 0 must leave": broken(CONNECT_FOUR, symmetry=shifting_identity),
    "declare `symmetry` and": broken(CONNECT_FOUR, symmetry_action=None),
    "chose illegal action 7": broken(DICE, bots={"cheat": cheating_bot}),
    "which parses to 0": broken(
        DICE, notation=Notation(_WORDS.format_action, _misread, _WORDS.format_state)
    ),
    "both read 'keep'": broken(
        DICE, notation=Notation(_readable, _WORDS.parse_action, _WORDS.format_state)
    ),
    "read nonsense": broken(
        DICE, notation=Notation(_WORDS.format_action, _parse_anything, _WORDS.format_state)
    ),
    "view failed: KeyError": broken(DICE, view=_failing_view),
    "the role 'cel': did you mean 'cell'?": broken(DICE, view=_scene(role="cel")),
    "the layer 'peices': did you mean 'pieces'?": broken(DICE, view=_scene(layer="peices")),
    "touches(0) names 'cell:0,1', but view draws no shape": broken(
        DICE, view=_scene(), touches=lambda s, action: ("cell:0,1",)
    ),
    "return a tuple of keys": broken(DICE, view=_scene(), touches=lambda s, action: "cell:0,0"),
    "declared without `view`": broken(DICE, touches=lambda s, action: ()),
    "seats is '2-3', and dice/default has 4": broken(DICE, seats=lambda scenario: 4),
    "has shape (3, 4), write (planes, rows, columns)": broken(
        DICE, encodings=_shaped(("board", (3, 4), "planes"))
    ),
    "two slices share a name": broken(
        DICE, encodings=_shaped(("x", (3,), "vector"), ("x", (4,), "vector"))
    ),
    "does not compile: Field 'no_such_field' was not found": broken(DICE, legal=uncompiled_legal),
    "does not fit 2 actions": broken(DICE, actions=lambda scenario: ActionSpec(2, (3, 3))),
}


@pytest.mark.parametrize("message", DEFECTS)
def test_planted_defect_is_caught(message):
    with pytest.raises(NonConformance) as caught:
        check_game(DEFECTS[message], games=6, max_events=500)
    assert message in str(caught.value)


def test_writing_beyond_the_observation_is_caught():
    game = broken(DICE, encodings=_seeing(long_observe, size=4))
    with pytest.raises(NonConformance, match=r"beyond its declared size 4 \(x \(4,\)\): enlarge"):
        check_game(game, games=3)


def test_view_that_is_fine_passes():
    check_game(broken(DICE, view=lambda s: Scene(1, 1, ())), games=3)


# The shape of a game's folder.


@pytest.fixture
def dice_folder(tmp_path, monkeypatch):
    """A copy of the dice game under another name, whose files a test may move."""
    folder = tmp_path / "shaped"
    shutil.copytree(DICE.rules.folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in folder.glob("*.py"):
        file.write_text(file.read_text().replace("from dice", "from shaped"))
    monkeypatch.setenv("STRATAGEM_GAMES", str(tmp_path))
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == "shaped"]:
        del sys.modules[name]


def test_a_part_may_be_a_package(dice_folder):
    (dice_folder / "rules").mkdir()
    (dice_folder / "rules.py").rename(dice_folder / "rules" / "__init__.py")
    (dice_folder / "rules" / "anything.py").touch()
    check_shape(load_game("shaped"))


@pytest.mark.parametrize("name", ["helpers.py", "view_map.py", "luck/dice.py"])
def test_a_file_that_is_no_part_is_named(dice_folder, name):
    (dice_folder / name).parent.mkdir(exist_ok=True)
    (dice_folder / name).touch()
    with pytest.raises(
        NonConformance, match=rf"shaped/{name} is not part of a game: name it after"
    ):
        check_shape(load_game("shaped"))


def test_a_function_in_the_wrong_part_is_named(dice_folder):
    (dice_folder / "bots.py").rename(dice_folder / "shaping.py")
    declaration = dice_folder / "__init__.py"
    declaration.write_text(declaration.read_text().replace("bots,", "shaping as bots,"))
    with pytest.raises(NonConformance, match="`bot keeper` is declared in shaped/shaping: move it"):
        check_shape(load_game("shaped"))


def test_a_game_may_be_a_single_file():
    check_shape(load_game("spy"))
