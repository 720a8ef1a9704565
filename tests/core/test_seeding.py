"""Seeds grow from a root and a path, reproducibly and without collisions."""

import subprocess
import sys

import numpy as np
import pytest

from stratagem.core.random_kernels import advance, below, gamma, start, unit
from stratagem.core.seeding import derive_generator, derive_seed, derive_seeds


def first_word(seed):
    # Compiled code hands a plain integer back to Python, and would take it for a signed one.
    return np.uint64(start(seed))


def test_a_path_always_gives_the_same_seed_in_any_process():
    code = "from stratagem.core.seeding import derive_seed; print(derive_seed(3, 'a', 4))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(shown.stdout) == derive_seed(3, "a", 4)


def test_roots_and_paths_give_different_seeds():
    seeds = {derive_seed(root, "game", k) for root in range(20) for k in range(200)}
    assert len(seeds) == 4000
    assert derive_seed(1, "ab", "c") != derive_seed(1, "a", "bc")
    assert derive_seed(1) != derive_seed(1, "")


def test_many_seeds_are_words_of_their_own():
    seeds = derive_seeds(5, "x", count=10_000)
    assert seeds.dtype == np.uint64
    assert len(np.unique(seeds)) == 10_000
    assert np.array_equal(seeds[:10], derive_seeds(5, "x", count=10))


def test_a_generator_repeats():
    first = derive_generator(1, "noise").random(5)
    assert np.array_equal(first, derive_generator(1, "noise").random(5))
    assert not np.array_equal(first, derive_generator(2, "noise").random(5))


@pytest.mark.parametrize("bound", [1, 2, 7, 81])
def test_below_is_even(bound):
    seeds = derive_seeds(0, "below", count=20_000)
    counts = np.bincount([below(first_word(seed), bound) for seed in seeds], minlength=bound)
    assert len(counts) == bound
    expected = len(seeds) / bound
    assert float(((counts - expected) ** 2 / expected).sum()) < bound + 5 * np.sqrt(2 * bound)


def test_streams_do_not_stall():
    word = first_word(np.uint64(0))
    words = set()
    for _ in range(1000):
        word = np.uint64(advance(word))
        words.add(int(word))
    assert len(words) == 1000


def test_unit_and_gamma_have_their_means():
    seeds = derive_seeds(0, "mean", count=20_000)
    assert abs(np.mean([unit(first_word(seed)) for seed in seeds]) - 0.5) < 0.01
    for shape in (0.3, 2.5):
        samples = [gamma(first_word(seed), shape)[1] for seed in seeds]
        assert min(samples) >= 0
        assert abs(np.mean(samples) - shape) < 0.05 * shape + 0.02
