"""The bridge's own half, which needs no Catanatron: positions as tables and back, exemptions."""

import sys
from pathlib import Path

import numpy as np
import pytest

from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import derive_generator, derive_seeds

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks" / "catanatron"


@pytest.fixture(scope="module")
def bridge():
    """The modules as the scripts import each other: by their plain names."""
    sys.path.insert(0, str(FOLDER))
    try:
        import exemptions
        import translate

        yield translate, exemptions
    finally:
        sys.path.remove(str(FOLDER))
        for name in ("translate", "exemptions"):
            sys.modules.pop(name, None)


def random_positions(game, games, plies):
    states = game.new_states(derive_seeds(8, "bridge", count=games))
    starts, choice = states.copy(), derive_generator(8, "bridge")
    for ply in range(plies):
        drawn = game.draw(states, derive_seeds(ply, "bridge", count=games))
        ids, counts = game.legal(states)
        moves = ids[np.arange(games), (choice.random(games) * np.maximum(counts, 1)).astype(int)]
        going = states["seat"] != OVER
        after = states[going]
        game.kernels.step(after, np.where(after["seat"] == CHANCE, drawn[going], moves[going]))
        states[going] = after
        yield starts, states


def test_a_position_survives_the_table(bridge):
    translate, _ = bridge
    game = load_game(translate.SCENARIO)
    observer, compared = game.observer("exact"), 0
    for ply, (starts, states) in enumerate(random_positions(game, 12, 300)):
        for start, state in zip(starts, states, strict=True):
            table = translate.describe(state)
            if ply % 7 or state["seat"] < 0 or not table["phase"]:
                continue
            back = translate.rebuild(game, start, table)
            again = translate.describe(back)
            assert {k: v for k, v in again.items() if k != "winner"} == {
                k: v for k, v in table.items() if k != "winner"
            }
            assert game.legal_actions(back) == game.legal_actions(state)
            for name in ("open", "closed", "pieces", "rate", "placed"):
                assert np.array_equal(back[name], state[name]), name
            pair = np.array([back, state], state.dtype)
            pair["last_roll"] = pair["fresh"] = 0  # the table tells ready cards, not fresh ones
            assert np.array_equal(*observer(pair))
            compared += 1
    assert compared > 200


def test_the_frame_names_every_corner_once(bridge):
    translate, _ = bridge
    frame = translate.frame()
    assert len({tuple(cube) for cube in frame["tiles"]}) == 19
    assert {place for row in frame["corners"] for place in row} == set(range(54))
    assert len({tuple(cube) for cube in frame["harbours"]}) == 9
    assert all(max(map(abs, cube)) == 3 and sum(cube) == 0 for cube in frame["harbours"])


def table(**changes):
    plain = {
        "phase": "build", "seat": 0, "turn_seat": 0, "points": [2, 2], "winner": -1,
        "cards": [[0] * 5, [0] * 5], "hands": [[0] * 5, [0] * 5], "bank": [19] * 5,
        "buildings": [[12, 0, 1], [30, 1, 1]], "roads": [[12, 17, 0], [30, 35, 1]],
        "lengths": [1, 1], "road_holder": -1, "army_holder": -1,
    }  # fmt: skip
    return {**plain, **changes}


def test_exemptions_are_narrow(bridge):
    _, exemptions = bridge
    short = table(hands=[[2, 0, 0, 0, 0], [0] * 5], bank=[0, 19, 19, 19, 19])
    unpaid = table(bank=[2, 19, 19, 19, 19])
    assert exemptions.explain_tables(short, unpaid, "roll") == "sole claimant gets nothing"
    assert exemptions.explain_tables(short, unpaid, "trade") is None
    both = table(hands=[[1, 0, 0, 0, 0], [1, 0, 0, 0, 0]], bank=[0, 19, 19, 19, 19])
    assert exemptions.explain_tables(both, unpaid, "roll") is None
    longer = table(lengths=[2, 1])
    assert exemptions.explain_tables(longer, table(), "road") is None
    meeting = [[17, 1, 1], [12, 0, 1]]
    reason = exemptions.explain_tables(
        table(lengths=[2, 1], buildings=meeting), table(buildings=meeting), "road"
    )
    assert reason == "road up to an opponent's building not counted"
    assert exemptions.explain_tables(table(bank=[18] * 5), table(), "buy") is None


def test_a_wrong_award_after_a_cut_is_explained_even_if_it_wins(bridge):
    _, exemptions = bridge
    cut, name = {"lengths": [4, 3], "winner": -1}, "longest road after a cut"
    ours = table(**cut, road_holder=-1, points=[14, 3])
    kept = table(**cut | {"winner": 0}, road_holder=0, points=[16, 3])
    assert exemptions.explain_tables(ours, kept, "settle") == name
    assert exemptions.explain_tables(ours, kept, "road") is None
    assert exemptions.explain_tables(kept, ours, "settle") is None  # ours would be the wrong one
    other = table(**cut | {"winner": 1}, road_holder=0, points=[16, 3])
    assert exemptions.explain_tables(ours, other, "settle") is None
    agreed = {"lengths": [5, 3], "road_holder": 0, "points": [14, 3]}
    won = exemptions.explain_tables(table(**agreed, winner=-1), table(**agreed, winner=0), "settle")
    assert won is None  # they agree on the award, so it explains nothing
    tied = {"lengths": [6, 6]}
    ours = table(**tied, road_holder=1, points=[3, 4])
    broken = table(**tied, road_holder=0, points=[5, 2])
    assert exemptions.explain_tables(ours, broken, "settle") == name


def test_offers_are_explained_one_by_one(bridge):
    _, exemptions = bridge
    ours, position = {("end",)}, table(buildings=[[12, 0, 1], [17, 1, 1]])
    through = {("end",), ("road", 17, 22)}
    assert exemptions.explain_offers(ours, through, position, 3) == [
        "road continued through an opponent's building"
    ]
    assert exemptions.explain_offers(ours, {("end",), ("road", 40, 44)}, position, 3) is None
    assert exemptions.explain_offers(ours | {("city", 12)}, ours, position, 3) is None
