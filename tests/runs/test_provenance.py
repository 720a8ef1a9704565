"""Where a run was started, and whether it goes on elsewhere."""

import json

import pytest

from stratagem.runs.provenance import Provenance, collect_provenance, what_changed
from train.alphazero.tiny import start_run, take_up


def test_what_changes_the_last_digits_is_named():
    here = Provenance(instructions="avx avx2", torch="2.13.0", numpy="2.4.6", python="3.11.7")
    assert what_changed(here, here) == ""
    assert what_changed(Provenance(), here) == "", "nothing is known of where it was started"
    newer = here.model_copy(update={"instructions": "avx512f", "python": "3.12.1"})
    text = what_changed(here, newer)
    assert "a processor with avx avx2 and continues with a processor with avx512f" in text
    assert "torch 2.13.0" in what_changed(here, here.model_copy(update={"torch": "3.0"}))


def test_this_machine_says_what_it_is():
    found = collect_provenance()
    assert found.instructions and found.torch and found.numpy and found.cores > 0


@pytest.mark.slow
def test_a_run_that_goes_on_elsewhere_says_so(tmp_path):
    start_run(tmp_path / "run", iterations=1).run()
    assert take_up(tmp_path / "run").notes == []
    file = tmp_path / "run" / "meta.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "instructions": "sse4_2"}))
    (note,) = take_up(tmp_path / "run").notes
    assert "started on a processor with sse4_2" in note
    assert note in (tmp_path / "run" / "log.txt").read_text()
