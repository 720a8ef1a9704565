"""Every preset of hexwar trains: two iterations of the real thing, made small."""

import pytest

from stratagem.core.registry import game_folders
from stratagem.runs.folder import RunFolder
from stratagem.train.algorithms import make_trainer
from stratagem.train.settings import resolve_settings

FOLDER = game_folders()["hexwar"]
SCENARIOS = {
    "default": "hexwar/symmetric",
    "all": "hexwar/symmetric",
    "everybody": "hexwar/symmetric",
    "random": "hexwar/randomized",
    "maps": "hexwar/randomized",
    "solo": "hexwar/solo-5?turns=3",
    "taught": "hexwar/symmetric",
    "anywhere": "hexwar/randomized-6?turns=5",
    "paper": "hexwar/symmetric",
}
SMALL = [
    "network.settings.filters=8",
    "network.settings.iterations=2",
    "search.sims=4",
    "selfplay.slots=6",
    "selfplay.positions=200",
    "replay.minimum=64",
    "learning.batch_size=32",
    "learning.replay_ratio=1",
    "anchors.times=0",
]


def test_every_preset_is_here():
    assert set(SCENARIOS) == {file.stem for file in (FOLDER / "presets").glob("*.toml")}


@pytest.mark.slow
@pytest.mark.parametrize("preset", SCENARIOS)
def test_it_trains(preset, tmp_path):
    small = list(SMALL)
    if preset in ("default", "everybody", "solo", "taught", "maps"):
        small += ["imitation.positions=150", "imitation.iterations=1"]
    settings = resolve_settings(SCENARIOS[preset], FOLDER, preset, small, {"iterations": 3})
    folder = RunFolder.create(tmp_path / preset, settings)
    make_trainer(settings, folder).run()
    # Positions count when their game is over, which may take more than one iteration here.
    first, *later = folder.metrics()
    assert any(line.steps > 0 and line.losses["policy"] > 0 for line in later)
    assert later[-1].games > first.games
