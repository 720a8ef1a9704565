"""Check the licences of all installed packages and, with `--online`, known vulnerabilities.

    python scripts/audit.py [--online]

Every package must have a licence from the list below; copyleft licences are not compatible with
this project's. The gate runs this offline. With `--online`, PyPI is asked about each version.
Exit code 1: something was found; 2: PyPI cannot be reached.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import distributions
from typing import Any

ALLOWED = re.compile(
    r"\b(MIT|0?BSD|Apache|ISC|ISCL|PSF|Python Software Foundation|MPL|Mozilla Public|Zlib|CC0|HPND|"
    r"BSL-1\.0|Unlicense|LLVM-exception)\b"
)
_PYPI = "https://pypi.org/pypi/{name}/{version}/json"
_SECONDS = 10

Ask = Callable[[str], Mapping[str, Any]]


@dataclass(frozen=True)
class Package:
    """One installed package."""

    name: str
    version: str
    licence: str


def installed() -> list[Package]:
    """Everything in this environment, by name."""
    found = {}
    for one in distributions():
        meta = one.metadata
        classified = [
            text.rpartition("::")[2].strip()
            for text in meta.get_all("Classifier") or ()
            if text.startswith("License ::") and "::" in text
        ]
        # The newest form first; the old free text may hold a whole licence.
        licence = meta.get("License-Expression") or " AND ".join(classified) or meta.get("License")
        text = (licence or "").strip().partition("\n")[0]
        found[meta["Name"].lower()] = Package(meta["Name"], one.version, text)
    return [found[name] for name in sorted(found)]


def not_allowed(licence: str) -> list[str]:
    """The parts of a licence that are not on the list; of alternatives one is enough."""
    parts = [part.strip(" ()") for part in re.split(r"\bAND\b", licence)]
    return [part for part in parts if not ALLOWED.search(part)]


def wrong_licences(packages: Iterable[Package]) -> list[str]:
    """A line for each package whose licence is unknown or not allowed."""
    return [
        f"{one.name} {one.version}: licence {', '.join(wrong) or 'unknown'}"
        for one in packages
        if (wrong := not_allowed(one.licence))
    ]


def ask_pypi(address: str) -> Mapping[str, Any]:
    with urllib.request.urlopen(address, timeout=_SECONDS) as answer:
        found: dict[str, Any] = json.loads(answer.read())
        return found


def vulnerable(packages: Iterable[Package], ask: Ask = ask_pypi) -> list[str]:
    """A line for each known vulnerability; a version that PyPI lacks has none."""
    lines, known_ones = [], 0
    for one in packages:
        version = one.version.partition("+")[0]  # without what a builder added
        try:
            known = ask(_PYPI.format(name=one.name, version=version))
        except urllib.error.HTTPError as error:
            if error.code == 404:
                continue
            raise
        known_ones += 1
        for found in known.get("vulnerabilities", ()):
            if not found.get("withdrawn"):
                fixed = ", ".join(found.get("fixed_in", ())) or "no version yet"
                lines.append(f"{one.name} {one.version}: {found['id']}, fixed in {fixed}")
    if not known_ones:  # a mirror without this part of PyPI must not look like good news
        raise OSError("it knows none of these packages")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--online", action="store_true", help="also ask PyPI for vulnerabilities")
    online = parser.parse_args().online
    packages = installed()
    faults = wrong_licences(packages)
    if online:
        try:
            faults += vulnerable(packages)
        except OSError as error:
            sys.stderr.write(f"error: PyPI cannot be asked ({error}): try without --online\n")
            return 2
    sys.stdout.writelines(f"{line}\n" for line in faults)
    asked = "vulnerabilities asked for" if online else "vulnerabilities only with --online"
    sys.stdout.write(f"{len(packages)} packages, {len(faults)} faults ({asked})\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
