"""Whatever is wrong with the input: one line naming the fix, code 2, the disk unchanged."""

import json
import shutil

import pytest

from stratagem.core.manifest import Checksum, Manifest, read_manifest, seal, write_manifest


@pytest.fixture
def refused(cli, snapshot):
    """refused(*words) -> the error line, after checking everything that must hold."""

    def check(*words: str) -> str:
        before = snapshot()
        answer = cli(*words)
        assert answer.code == 2, answer
        assert answer.out == ""
        assert answer.err.startswith("error: ") and answer.err.count("\n") == 1, answer.err
        assert snapshot() == before
        return answer.err

    return check


def edit(file, line, **changes):
    lines = file.read_text().splitlines()
    lines[line] = json.dumps({**json.loads(lines[line]), **changes})
    file.write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize(
    "words, fix",
    [
        (("match", "conect_four", "random", "random"), "did you mean 'connect_four'"),
        (("match", "connect_four/huge", "random", "random"), "known: default"),
        (("match", "connect_four?colour=3", "random", "random"), "scenario field"),
        (("match", "battlefield?team_size=9", "random", "random"), "team_size"),
        (("match", "connect_four", "randm", "random"), "did you mean 'random'"),
        (("match", "connect_four", "mcts:none?simz=3", "random"), "did you mean 'sims'"),
        (("match", "connect_four", "mcts:none?sims=0", "random"), "sims"),
        (("match", "connect_four", "mcts:nowhere", "random"), "check the path"),
        (("match", "connect_four", "random"), "takes 2 agents"),
        (("match", "connect_four", "random", "random", "--seats", "odd"), "rotate"),
        (("match", "connect_four", "random", "random", "--games", "0"), "--games"),
        (("tournament", "connect_four", "random", "random", "--out", "t"), "each named once"),
        (("play", "nonsense"), "known:"),
        (("bench", "nonsense"), "known:"),
        (("analyse", "nonsense"), "known:"),
        (("analyse", "nowhere.jsonl"), "no such record"),
        (("analyse", "connect_four", "--ply", "-5"), "0 or more"),
        (("train", "connect_four", "--set", "game=catan"), "leave one of them out"),
        (("train", "connect_four", "--seed", "1", "--set", "seed=2"), "leave one of them out"),
        (("train", "connect_four", "--workers", "1", "--set", "selfplay.workers=2"), "leave one"),
        (("replay", "nowhere.jsonl"), "no such record"),
        (("report", "nowhere"), "stratagem train"),
        (("demo", "--budget", "long"), "10m"),
        (("train", "connect_four", "--seed", "-1"), "--seed"),
        (("train", "connect_four", "--seed", "9" * 31), "--seed"),
        (("match", "connect_four", "random", "random", "--seed", "-1"), "--seed"),
        (("train", "connect_four", "--set", "seed=-1"), "seed"),
        (("train", "connect_four", "--budget", "1m", "--iterations", "3"), "not both"),
        (("train", "connect_four", "--set", "learning.learning_rate=inf"), "learning_rate"),
        (("train", "connect_four", "--set", "search.c_init=nan"), "c_init"),
    ],
)
def test_names_and_values(refused, words, fix):
    assert fix in refused(*words)


def test_checkpoint_of_another_game(refused, trained):
    error = refused("match", "battlefield", f"mcts:{trained}", "random")
    assert "connect_four" in error


@pytest.mark.parametrize("share", ["nan%", "inf", "-3%", "101%", "1e2%", "5_0%", ""])
def test_a_share_that_is_none(refused, trained, share):
    assert "from 0 to 100" in refused("match", "connect_four", f"mcts:{trained}@{share}", "random")


def test_checkpoint_of_another_version(refused, trained):
    for card in (trained / "ckpt").glob("step_*/model.json"):
        card.write_text(json.dumps({**json.loads(card.read_text()), "game_version": 99}))
        seal(card.parent)
    assert "version" in refused("match", "connect_four", f"policy:{trained}", "random")


def test_truncated_checkpoint(refused, trained):
    for weights in (trained / "ckpt").glob("step_*/model.safetensors"):
        weights.write_bytes(weights.read_bytes()[:-100])
    assert "model.safetensors" in refused("match", "connect_four", f"mcts:{trained}", "random")


def halve(file):
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


@pytest.mark.parametrize(
    "name",
    ["train_state.safetensors", "train_state.json", "slots.safetensors", "model.safetensors"],
)
def test_truncated_training_state_is_not_resumed(refused, trained, name):
    for number in (1, 2):
        halve(trained / "ckpt" / f"step_{number:06d}" / name)
    error = refused("train", "--resume", "--run", str(trained), "--iterations", "3")
    assert name in error and "step_000002" in error


def test_a_damaged_checkpoint_is_named_and_the_one_before_it_taken_up(cli, trained):
    halve(trained / "ckpt" / "step_000002" / "train_state.safetensors")
    answer = cli("train", "--resume", "--run", str(trained), "--iterations", "3", "--json")
    assert answer.code == 0
    assert "train_state.safetensors is truncated or damaged" in answer.err
    assert "continuing from step_000001" in answer.err
    assert json.loads(answer.out)["iterations"] == 3


def test_truncated_replay_segment_is_not_resumed(refused, trained):
    for segment in (trained / "buffer").glob("*.safetensors"):
        segment.write_bytes(segment.read_bytes()[:-10])
    assert "buffer" in refused("train", "--resume", "--run", str(trained), "--iterations", "3")


def test_damaged_config_is_not_resumed(refused, trained):
    config = trained / "config.toml"
    config.write_text(config.read_text().replace("[search]", "[search]\nnonsense = 1"))
    assert "nonsense" in refused("train", "--resume", "--run", str(trained))


def test_truncated_record(refused, record):
    text = record.read_text()
    record.write_text(text[: len(text) // 2])
    refused("replay", str(record))
    refused("analyse", str(record))


def test_illegal_action_in_a_record(refused, record):
    edit(record, 1, action=77)
    assert "illegal" in refused("replay", str(record))


def test_edited_record(refused, record):
    edit(record, -1, hash="0" * 16)
    assert "edited or damaged" in refused("replay", str(record))


def test_record_of_another_version_or_unknown_game(refused, record):
    edit(record, 0, version=99)
    assert "version" in refused("replay", str(record))
    edit(record, 0, game="chess/default")
    assert "chess" in refused("replay", str(record))


def test_a_file_where_a_folder_must_be(refused, record):
    words = ("match", "connect_four", "random", "random", "--games", "1", "--out", str(record))
    assert "check the path" in refused(*words)


def test_a_server_that_cannot_keep_games_does_not_start(refused, record):
    assert "check the path" in refused("serve", "--port", "0", "--data", str(record / "below"))
    assert "not a folder" in refused("serve", "--port", "0", "--runs", str(record))


def test_positions_are_not_solved_when_they_cannot_be_kept(refused, tmp_path):
    words = ("optimality", "connect_four", "random", "--positions", "1", "--solved")
    assert "not a file" in refused(*words, str(tmp_path))


@pytest.mark.parametrize("width", ["nan", "inf", "-inf", "0", "1e300"])
def test_a_width_that_is_none(refused, width):
    assert "--width" in refused("ladder", "connect_four", "random", "--width", width)


@pytest.mark.parametrize(
    "changes",
    [
        ("search=1", "search.sims=2"),
        ("network.settings=5", "network.settings.filters=3"),
        ("network='cnn'", "network.settings.filters=3"),
    ],
)
def test_a_section_that_was_set_to_a_plain_value(refused, changes):
    words = [word for change in changes for word in ("--set", change)]
    assert "--set" in refused("train", "connect_four", "--iterations", "1", *words)


def test_weights_that_cannot_be_added(refused):
    words = ("--set", "opponents.self_play=1e308", "--set", "opponents.past=1e308")
    assert "too large" in refused("train", "connect_four", "--iterations", "1", *words)


def test_the_home_of_nobody(refused):
    spec = "policy:~nobody-of-this-name/run"
    assert "check the path" in refused("match", "connect_four", spec, "random", "--games", "1")


def test_a_name_that_is_too_long(refused):
    error = refused("match", "connect_four", "policy:" + "a" * 5000, "random", "--games", "1")
    assert "check the path" in error


def test_nothing_is_played_for_a_place_that_cannot_be_written(refused, record, monkeypatch):
    def played(*args, **kwargs):
        raise AssertionError("games were played for nothing")

    monkeypatch.setattr("stratagem.evaluate.play_match", played)
    monkeypatch.setattr("stratagem.evaluate.play_tournament", played)
    game = ("connect_four", "random", "mcts:none?sims=2")
    assert "check the path" in refused("match", *game, "--out", f"{record}/below")
    assert "check the path" in refused("tournament", *game, "--out", str(record))
    assert "check the path" in refused("ladder", *game, "--out", f"{record}/x.json")


def crafted(run, **changes):
    """Other values in the newest training state, with checksums that fit."""
    step = run / "ckpt" / "step_000002"
    state = json.loads((step / "train_state.json").read_text())
    state["progress"] |= changes
    (step / "train_state.json").write_text(json.dumps(state))
    seal(step, read_manifest(step).needs)


@pytest.mark.parametrize(
    "changes",
    [{"seconds": float("nan")}, {"iteration": 1}, {"games": "many"}, {"pool": [7]},
     {"decisions": -5}, {"standings": {"random": [1]}}, {"surprise": 1}],
    ids=str,
)  # fmt: skip
def test_a_progress_that_no_run_has_reached(refused, trained, changes):
    """With the right checksums: NaN seconds ended a run at once, as if it were done."""
    crafted(trained, **changes)
    error = refused("train", "--resume", "--run", str(trained), "--iterations", "3")
    assert "step_000002" in error


@pytest.mark.parametrize("name", ["\u0000", "\ud800", "a" * 5000])
def test_a_manifest_with_a_name_that_no_file_can_have(refused, trained, name):
    step = trained / "ckpt" / "step_000002"
    seal(step, {name: Checksum.of(b"x")})
    shutil.rmtree(trained / "ckpt" / "step_000001")
    refused("train", "--resume", "--run", str(trained), "--iterations", "3")


def test_a_manifest_with_a_size_that_no_memory_has(refused, trained):
    step = trained / "ckpt" / "step_000002"
    files = {**read_manifest(step).files, "model.json": Checksum(size=10**18, hash="0" * 32)}
    write_manifest(step, Manifest(files=files))
    assert "model.json" in refused("match", "connect_four", f"policy:{trained}", "random")
