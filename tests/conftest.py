"""Every test, and every process a test starts, can load the test games beside the real ones."""

import os
from pathlib import Path

import pytest

from durations import Recorder, leave_out_long, put_longest_first

os.environ["STRATAGEM_GAMES"] = str(Path(__file__).parent / "games")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="leave out what takes long")
    parser.addoption(
        "--record-durations", action="store_true", help="write down how long every test takes"
    )


def pytest_configure(config: pytest.Config) -> None:
    # Of a distributed run the controller alone hears of every test.
    if config.getoption("--record-durations") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder())


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--quick"):
        leave_out_long(config, items)
    if hasattr(config, "workerinput"):  # one of several processes
        put_longest_first(items)
