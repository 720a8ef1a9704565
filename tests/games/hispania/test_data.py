"""The data files: what they promise, and what a mistake in them says."""

import csv
import io
import shutil

import numpy as np
import pytest

from stratagem.core.errors import BadScenario
from stratagem.core.registry import load_game
from stratagem.games.hispania.board.arrays import DATA_FOLDER, DISTANCE, GAME_DATA, QUANTITY
from stratagem.games.hispania.board.checks import check_data
from stratagem.games.hispania.board.set_files import read_data


def test_sizes_of_the_data_set():
    assert (len(GAME_DATA.regions), len(GAME_DATA.nations)) == (55, 20)
    kinds = [edge.kind for edge in GAME_DATA.edges]
    assert [kinds.count(kind) for kind in range(4)] == [93, 33, 3, 119]
    assert (
        int(QUANTITY[:, :3].sum()) + sum(u.quantity for u in GAME_DATA.units if u.slot < 0) == 374
    )
    for player in range(4):
        assert sum(nation.player == player for nation in GAME_DATA.nations) == 5


def test_distances_are_those_of_the_file():
    assert np.array_equal(
        DISTANCE, np.loadtxt(DATA_FOLDER / "distance.csv", delimiter=",", dtype=int)
    )
    assert DISTANCE.max() == 11


def test_sea_pairs_follow_from_shared_seas():
    pairs = {tuple(sorted((e.first, e.second))) for e in GAME_DATA.edges if e.kind == 3}
    derived = {
        (a, b)
        for a in range(55)
        for b in range(a + 1, 55)
        if set(GAME_DATA.regions[a].seas) & set(GAME_DATA.regions[b].seas)
    }
    assert pairs == derived


@pytest.fixture
def folder(tmp_path):
    return shutil.copytree(DATA_FOLDER, tmp_path / "data")


def spoil(folder, file, before, after):
    path = folder / file
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after, 1))
    check_data(read_data(folder))


@pytest.mark.parametrize(
    ("file", "before", "after", "says"),
    [
        ("scoring.csv", "Saguntum;Tarraco;Barcino", "Saguntum;Tarrako;Barcino",
         r"data/scoring\.csv, row 3: unknown region 'Tarrako': did you mean 'Tarraco'"),
        ("arrivals.csv", "2,ROM,entry", "1,ROM,entry",
         r"arrivals\.csv, row 5: ROM acts in round 1 but arrives in round 2"),
        ("scoring.csv", "46,ROM,hold,3,", "46,ROM,hold,1,",
         r"scoring\.csv, row 48: ROM acts in round 1 but arrives in round 2"),
        ("setup.csv", "LUS,23,Herminius,CAV,1", "LUS,23,Herminius,CAV,4",
         r"setup\.csv, row \d+: 5 units in Herminius, limit 2"),
        ("units.csv", "warbands,1,5,5,1,2,6,8", "warbands,1,5,5,1,2,6,6",
         r"setup\.csv, row 7: quantity exceeded: 7 INF of IBE, units\.csv has 6"),
        ("units.csv", "IBE,-1,LEA,Leader,1,5,5,4,3,0,1", "IBE,-1,LEA,Leader,1,5,5,4,3,0,0",
         r"arrivals\.csv, row 4: quantity exceeded: 1 leaders of IBE"),
        ("edges.csv", "0,1,land,", "0,77,land,", r"edges\.csv, row 2: b is 77: write 0 to 54"),
        ("edges.csv", "0,1,land,", "0,0,land,",
         r"edges\.csv, row 2: broken edge: 0 leads to"),
        ("edges.csv", "1,3,land,", "1,0,land,",
         r"edges\.csv, row 4: broken edge: 0-1 is also in row 2"),
        ("edges.csv", "39,49,strait", "39,38,strait", r"broken edge|no edge leads to Baleares"),
        ("regions.csv", "0,Brigantium,North,clear", "0,Brigantium,North,swampy",
         r"regions\.csv, row 2: unknown terrain 'swampy'"),
        ("events.csv", "5,CAR,leave", "5,CRA,leave", r"events\.csv, row 2: unknown nation 'CRA'"),
        ("arrivals.csv", "INF:3;CAV:1;ELE:1", "INF:x", r"arrivals\.csv, row 2: units 'INF:x'"),
        ("arrivals.csv", "1,CAR,entry,Africa", "1,CAR,entry,Italia",
         r"arrivals\.csv, row 2: Italia is not in the nation's offmap_access"),
        ("setup.csv", "IBE,42,Tarraco", "IBE,41,Tarraco", r"setup\.csv, row 3: region_id"),
        ("history.csv", "IBE,1,9,keep", "IBE,1,99,keep", r"history\.csv, row 2: round_to is 99"),
        ("scoring.csv", "3,IBE,kill,1-9,ROM;CAR", "3,IBE,kill,1-9,VAC",
         r"scoring\.csv, row 5: VAC is an ally of IBE"),
        ("nations.csv", "id,code,name,player", "id,code,name,gamer",
         r"nations\.csv, row 1: no column 'player'"),
        ("nations.csv", "attack_odds", "odds", r"nations\.csv, row 1: no column 'attack_odds'"),
        ("nations.csv", "9,transform:10:HIR,Barcino;", "9,transform:10:HIR,Barkino;",
         r"nations\.csv, row 2: unknown region 'Barkino'"),
        ("nations.csv", "0,IBE,", "7,IBE,", r"nations\.csv, row 2: id must be 0"),
        ("nations.csv", "defensive,1.6,1", "defensive,nan,1",
         r"nations\.csv, row 2: attack_odds is nan: write 0\.5 to 3"),
        ("nations.csv", "aggressive,1.0,", "aggressive,one,",
         r"nations\.csv, row \d+: attack_odds is 'one': write a number"),
        ("units.csv", "IBE,0,INF,", "IBE,0,CAV,",
         r"units\.csv, row 2: type is 'CAV': slot 0 is INF"),
        ("units.csv", "warbands,1,5,5", "warbands,1,five,5",
         r"units\.csv, row 2: offence is 'five': write a whole number"),
        ("seas.csv", "CAN,Mare", "KAN,Mare", r"seas\.csv, row 2: code is 'KAN': write CAN"),
        ("seas.csv", "BAL,Mare", "\nBAL,Mare,IBR\nBAL,Mare", r"seas\.csv, row \d: 6 seas"),
        ("regions.csv", "8.5,85.3", "8.5,853", r"regions\.csv, row 2: y is 853: write 0 to 100"),
        ("events.csv", "growth_half,,", "growth_half,HIR,",
         r"events\.csv, row \d+: value is 'HIR': growth_half takes none"),
        ("history.csv", "IBE,1,9,keep,Barcino;Tarraco;Ilerda;Dertosa;Saguntum;Saetabis,2",
         "IBE,1,9,keep,,2", r"history\.csv, row 2: no targets: write regions"),
        ("history.csv", "Saetabis,2", "Saetabis,-2", r"history\.csv, row 2: weight is -2"),
        ("scoring.csv", "0,IBE,hold,3;6;9,", "0,IBE,hold,,", r"scoring\.csv, row 2: no rounds"),
        ("scoring.csv", "0,IBE,hold,3;6;9,", "0,IBE,hold,3;9;6,",
         r"scoring\.csv, row 2: rounds is '3;9;6': write rounds once each and in order"),
        ("scoring.csv", "0,IBE,hold,3;6;9,Barcino;Tarraco;Ilerda;Dertosa;Saguntum;Saetabis",
         "0,IBE,hold,3;6;9,", r"scoring\.csv, row 2: hold needs targets"),
        ("scoring.csv", "0,IBE,hold,3;6;9,", "0,IBE,survive,3;6;9,",
         r"scoring\.csv, row 2: survive takes no targets"),
        ("scoring.csv", "Saetabis,2,,", "Saetabis,2,4,",
         r"scoring\.csv, row 2: param is '4': hold takes none"),
        ("scoring.csv", ",majority", ",minority",
         r"scoring\.csv, row \d+: param is 'minority': area takes majority"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_file_and_row(folder, file, before, after, says):
    with pytest.raises(BadScenario, match=says):
        spoil(folder, file, before, after)


FILES = sorted(
    str(file.relative_to(DATA_FOLDER))
    for file in DATA_FOLDER.rglob("*.csv")
    if file.name not in ("distance.csv", "par.csv", "reference_curve.csv", "rounds.csv",
                         "structures.csv")
)  # fmt: skip


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00 not text", b"nonsense\n1\n"])
def test_a_file_that_is_no_table_is_named(folder, file, content):
    (folder / file).write_bytes(content)
    with pytest.raises(BadScenario, match=rf"{file.split('/')[-1]}, row 1: (no column|not a)"):
        read_data(folder)


@pytest.mark.parametrize("file", ["regions.csv", "nations.csv", "units.csv", "setup.csv",
                                  "scoring.csv", "arrivals.csv", "duel8/setup.csv"])  # fmt: skip
def test_a_file_without_rows_is_named(folder, file):
    header = (folder / file).read_text().splitlines()[0]
    (folder / file).write_text(header + "\n")
    with pytest.raises(BadScenario, match=rf"{file.split('/')[-1]}, row 2: no row below"):
        read_data(folder)


@pytest.mark.parametrize("file", FILES)
def test_no_column_that_is_read_may_be_missing(folder, file):
    """Whatever column is gone: all is well because nobody reads it, or the error says which."""
    lines = (folder / file).read_text()
    rows = list(csv.reader(io.StringIO(lines)))
    for column, name in enumerate(rows[0]):
        with (folder / file).open("w", newline="") as stream:
            csv.writer(stream).writerows(row[:column] + row[column + 1 :] for row in rows)
        try:
            check_data(read_data(folder))
        except BadScenario as error:
            assert f"row 1: no column {name!r}; add it to the header" in str(error)
        else:
            assert name in UNREAD


UNREAD = ("note", "player_colour", "colour", "end_condition", "temperament", "modern_reference",
          "is_leader", "is_structure", "buildable", "id", "name")  # fmt: skip


def test_a_missing_file_is_named(folder):
    (folder / "history.csv").unlink()
    with pytest.raises(BadScenario, match=r"history\.csv: no such file"):
        read_data(folder)


@pytest.mark.parametrize(
    ("override", "says"),
    [
        ('nations=["CAR","TRU"]', "unknown nation 'TRU': did you mean 'TUR'"),
        ('regions=["Gadez"]', "unknown region 'Gadez'"),
        ('tables="duel9"', "unknown set of tables 'duel9'"),
        ("first_round=9", "last_round must be at least first_round"),
        ("handicap=[1]", "handicap"),
    ],
)
def test_scenario_mistakes(override, says):
    with pytest.raises(BadScenario, match=says):
        load_game(f"hispania/duel8?{override}")


def test_scenarios_of_the_curriculum():
    expected = {
        "duel8": (2, 8, 2, 6), "iberus20": (2, 20, 4, 8), "punic55": (4, 55, 10, 9),
        "reconquista55": (4, 55, 11, 21), "full55": (4, 55, 20, 21),
    }  # fmt: skip
    for name, (seats, regions, nations, last) in expected.items():
        game = load_game(f"hispania/{name}")
        packed = game.packed_scenario[0]
        assert game.num_seats == seats
        assert int(packed["active"]).bit_count() == regions
        assert (packed["player"] >= 0).sum() == nations
        assert packed["last_round"] == last
    assert load_game("hispania").spec == "hispania/full55"
