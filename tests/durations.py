"""How long every test takes, measured: `make check` runs those that are quick.

    pytest --record-durations     # write tests/durations.json; run it twice, the second is warm
    pytest --quick                # leave out tests that took long, and those marked slow
    pytest -n 2                   # begin with the files that have the longest tests

Marks would be a guess that nobody corrects. A test that was never measured counts as quick.
"""

import json
from pathlib import Path

import pytest

FILE = Path(__file__).parent / "durations.json"
LONGEST_QUICK = 0.2  # seconds
_LISTED = 0.05  # shorter ones are not worth a line


class Recorder:
    """Adds up what every test takes, fixtures included, and writes it down at the end."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration

    def pytest_sessionfinish(self) -> None:
        listed = {
            name: round(seconds, 2) for name, seconds in self.seconds.items() if seconds >= _LISTED
        }
        FILE.write_text(json.dumps(listed, indent=0, sort_keys=True) + "\n")


def leave_out_long(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect what is marked slow or was measured to take long."""
    measured = _measured()

    def is_quick(item: pytest.Item) -> bool:
        marked = item.get_closest_marker("slow") is not None
        return not marked and measured.get(item.nodeid, 0.0) <= LONGEST_QUICK

    left_out = [item for item in items if not is_quick(item)]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if is_quick(item)]


def put_longest_first(items: list[pytest.Item]) -> None:
    """Sort by each file's longest test: no process begins a long one when the others are done.

    Tests of a file stay together, since they share fixtures.
    """
    measured, longest = _measured(), dict[Path, float]()
    for item in items:
        seconds = measured.get(item.nodeid, 0.0)
        longest[item.path] = max(longest.get(item.path, 0.0), seconds)
    items.sort(key=lambda item: -longest[item.path])


def _measured() -> dict[str, float]:
    found: dict[str, float] = json.loads(FILE.read_text()) if FILE.is_file() else {}
    return found
