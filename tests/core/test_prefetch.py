"""A hint becomes one instruction, changes nothing, and is nothing where nothing is compiled."""

import os
import subprocess
import sys

import numba
import numpy as np
import pytest

from stratagem.core.prefetch import prefetch


def read_after_hint(table, row):
    prefetch(table, row, 1)
    return table[row, 1]


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_a_hint_is_one_instruction():
    compiled = numba.njit(read_after_hint)
    table = np.arange(12, dtype=np.int64).reshape(4, 3)
    assert compiled(table, 2) == 7
    assert (table == np.arange(12).reshape(4, 3)).all()
    (signature,) = compiled.signatures
    assert compiled.inspect_llvm(signature).count("call void @llvm.prefetch") == 1


def test_a_hint_is_nothing_without_the_compiler():
    code = "from stratagem.core.prefetch import prefetch; print(prefetch([[1]], 0, 0))"
    plain = dict(os.environ, NUMBA_DISABLE_JIT="1")
    done = subprocess.run(
        [sys.executable, "-c", code], env=plain, capture_output=True, text=True, check=True
    )
    assert done.stdout == "None\n"
