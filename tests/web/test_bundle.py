"""The built page: made from the sources that are here, complete, small, and it asks nobody else."""

import gzip
import hashlib
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
STATIC = ROOT / "src" / "stratagem" / "web" / "static"
REBUILD = "the page was not built anew: run `npm --prefix web ci && npm --prefix web run build`"

# The same list as in web/scripts/stamp.mjs, which writes the hash.
SINGLE = (
    "index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.ts",
    "../src/stratagem/evaluate/palette.json",
)  # fmt: skip


def hash_of_sources():
    names = [file.relative_to(WEB).as_posix() for file in (WEB / "src").rglob("*")]
    names = [name for name in names if (WEB / name).is_file()] + list(SINGLE)
    total = hashlib.sha256()
    for name in sorted(names):
        total.update(name.encode() + b"\0" + (WEB / name).read_bytes() + b"\0")
    return total.hexdigest()


def test_bundle_is_built_from_these_sources():
    stamp = (STATIC / "sources.sha256").read_text().strip()
    assert stamp == hash_of_sources(), REBUILD


def test_types_are_generated_from_this_schema():
    """Every message of the schema is a type of the page, with the same fields."""
    types = (WEB / "src" / "wire.ts").read_text()
    for name, model in json.loads((WEB / "schema.json").read_text())["$defs"].items():
        found = re.search(rf"export (?:interface|type) {name}\b.*?\n(?=\n|$)", types, re.DOTALL)
        assert found, f"{name} is missing: run `npm --prefix web run types`"
        for key in model.get("properties", {}):
            assert re.search(rf"^  {key}\??:", found[0], re.MULTILINE), f"{name}.{key}: {REBUILD}"


def test_bundle_is_small_and_has_no_hashed_names():
    names = sorted(file.name for file in STATIC.iterdir())
    assert names == ["index.html", "page.css", "page.js", "sources.sha256"]
    assert sum(len(gzip.compress(file.read_bytes())) for file in STATIC.iterdir()) < 250_000


def test_bundle_loads_nothing_from_elsewhere():
    page = (STATIC / "index.html").read_text()
    assert 'src="/page.js"' in page
    assert 'href="/page.css"' in page
    for file in ("index.html", "page.css", "page.js"):
        text = (STATIC / file).read_text()
        # The name of a language of XML is not fetched.
        hosts = set(re.findall(r"https?://([\w.-]+)", text)) - {"www.w3.org"}
        assert not hosts, hosts
        assert not re.search(r"@import|url\(\s*['\"]?//", text)


def test_lock_file_names_no_registry():
    text = (WEB / "package-lock.json").read_text()
    assert "resolved" not in text
    assert "registry" not in text
    assert ".tgz" not in text


@pytest.mark.slow
def test_wheel_holds_the_page_and_the_palette(tmp_path):
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())
    wanted = {f"stratagem/web/static/{file.name}" for file in STATIC.iterdir()}
    assert wanted | {"stratagem/evaluate/palette.json"} <= held
    assert not [name for name in held if "node_modules" in name or name.startswith("web/")]
