"""The audit of licences and vulnerabilities."""

import importlib.util
import sys
import tomllib
import urllib.error
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

_FILE = Path(__file__).resolve().parents[2] / "scripts" / "audit.py"


@pytest.fixture(scope="module")
def audit():
    spec = importlib.util.spec_from_file_location("audit", _FILE)
    module = importlib.util.module_from_spec(spec)
    sys.modules["audit"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["audit"]


@pytest.mark.parametrize(
    ("licence", "wrong"),
    [
        ("MIT", []),
        ("Apache-2.0 OR BSD-2-Clause", []),
        ("BSD-3-Clause AND 0BSD AND MIT AND Zlib AND CC0-1.0", []),
        ("BSD-2-Clause AND Apache-2.0 WITH LLVM-exception", []),
        ("Mozilla Public License 2.0 (MPL 2.0)", []),
        ("GPL-3.0-or-later", ["GPL-3.0-or-later"]),
        ("MIT AND AGPL-3.0", ["AGPL-3.0"]),
        ("UNKNOWN", ["UNKNOWN"]),
        ("", [""]),
    ],
)
def test_licences(audit, licence, wrong):
    assert audit.not_allowed(licence) == wrong


def test_what_is_installed_here_is_allowed(audit):
    packages = audit.installed()
    assert any(one.name == "numpy" for one in packages)
    assert audit.wrong_licences(packages) == []


def test_known_vulnerabilities_are_told_with_the_version_that_has_none(audit):
    asked = []

    def ask(address):
        asked.append(address)
        if "gone" in address:
            raise urllib.error.HTTPError(address, 404, "not found", None, None)
        told = {"id": "PYSEC-1", "fixed_in": ["2.0"]}
        return {"vulnerabilities": [told, {"id": "PYSEC-2", "withdrawn": "2026-01-01"}]}

    packages = [audit.Package("one", "1.0+cpu", "MIT"), audit.Package("gone", "1", "MIT")]
    assert audit.vulnerable(packages, ask) == ["one 1.0+cpu: PYSEC-1, fixed in 2.0"]
    assert asked[0].endswith("/one/1.0/json")
    with pytest.raises(OSError, match="none of these packages"):
        audit.vulnerable(packages[1:], ask)


def test_what_make_setup_installs_is_named_and_allowed_by_the_package():
    names = {}
    for line in (_FILE.parents[1] / "constraints.txt").read_text().splitlines():
        if "==" in line:
            name, _, version = line.partition("==")
            names[canonicalize_name(name)] = version
    assert "-c constraints.txt" in (_FILE.parents[1] / "Makefile").read_text()
    project = tomllib.loads((_FILE.parents[1] / "pyproject.toml").read_text())["project"]
    for text in project["dependencies"]:
        wanted = Requirement(text)
        version = names[canonicalize_name(wanted.name)]
        assert wanted.specifier.contains(version.partition("+")[0]), f"{text}: {version}"
