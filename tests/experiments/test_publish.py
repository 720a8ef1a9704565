"""Only results of a clean checkout are published; a changed one is refused in one line."""

import json

import pytest

from stratagem.core.errors import BadSetting
from stratagem.experiments import pages
from stratagem.experiments import publish as publishing
from stratagem.experiments.pages import publish
from stratagem.experiments.publish import clean_commit
from stratagem.runs.provenance import Checkout


def checkout(monkeypatch, commit, changed):
    monkeypatch.setattr(publishing, "find_checkout", lambda ignore: Checkout(commit, changed))


def test_a_changed_checkout_is_refused_with_the_fix(monkeypatch):
    checkout(monkeypatch, "abc1234", True)
    with pytest.raises(BadSetting, match="changes since abc1234: commit or stash them"):
        clean_commit()
    checkout(monkeypatch, "", False)
    with pytest.raises(BadSetting, match="from a clone"):
        clean_commit()
    checkout(monkeypatch, "abc1234", False)
    assert clean_commit() == "abc1234"


def test_a_result_of_a_changed_checkout_is_refused(tmp_path, monkeypatch):
    written = []
    monkeypatch.setattr(pages, "write_pages", lambda root, names: written.append(names))
    with pytest.raises(BadSetting, match="run the experiment first"):
        publish(tmp_path)
    for commit in ("abc1234+", ""):
        values = {"name": "catan/training", "commit": commit}
        (tmp_path / "result.json").write_text(json.dumps(values))
        with pytest.raises(BadSetting, match="changed checkout"):
            publish(tmp_path, tmp_path / "root")
    values = {"name": "catan/training", "commit": "abc1234", "arms": [{"commit": "abc1234+"}]}
    (tmp_path / "result.json").write_text(json.dumps(values))  # one of its runs was
    with pytest.raises(BadSetting, match="changed checkout"):
        publish(tmp_path, tmp_path / "root")
    assert not (tmp_path / "root").exists() and written == []
    (tmp_path / "result.json").write_text('{"name": "catan/training", "commit": "abc1234"}')
    copy = publish(tmp_path, tmp_path / "root")
    assert copy == tmp_path / "root" / "results" / "catan-training.json" and copy.is_file()
    assert written == [["catan/training"]]
