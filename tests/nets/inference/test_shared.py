"""Several threads ask one network; their positions go through it together."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from stratagem.nets.inference.shared import SharedNetwork, share_network


class Doubling:
    """Twice each number as logits, the number itself as value; remembers how large batches were."""

    def __init__(self):
        self.sizes = []

    def __call__(self, observations):
        self.sizes.append(len(observations))
        return 2 * observations, observations[:, :1]


def ask(shared, place, questions, start):
    answers = []
    with shared.joined(place):
        start.wait()
        for count in questions:
            mine = np.full((count, 3), place, np.float32)
            answers.append(shared(mine))
    return answers


def test_everybody_gets_their_own_answers_from_one_batch():
    network = Doubling()
    shared, start = SharedNetwork(network), threading.Barrier(3)
    # The second asks less often: the others go on without it.
    questions = [[2, 2, 2, 2], [5, 5], [1, 1, 1, 1]]
    with ThreadPoolExecutor(3) as pool:
        found = [pool.submit(ask, shared, k, questions[k], start) for k in range(3)]
        answers = [one.result(timeout=30) for one in found]
    for place, parts in enumerate(answers):
        for count, (logits, values) in zip(questions[place], parts, strict=True):
            assert logits.tolist() == [[2.0 * place] * 3] * count
            assert values.tolist() == [[float(place)]] * count
    assert network.sizes == [8, 8, 3, 3]


def test_an_error_reaches_everybody_who_asked():
    def broken(observations):
        raise ValueError("no memory left")

    shared, start = SharedNetwork(broken), threading.Barrier(2)
    with ThreadPoolExecutor(2) as pool:
        found = [pool.submit(ask, shared, place, [1], start) for place in range(2)]
        for one in found:
            with pytest.raises(ValueError, match="no memory left"):
                one.result(timeout=30)


def test_only_who_has_joined_may_ask():
    with pytest.raises(RuntimeError, match="join"):
        SharedNetwork(Doubling())(np.zeros((1, 3), np.float32))


def test_one_network_for_each_key():
    first = share_network("a", Doubling)
    assert share_network("a", Doubling) is first
    assert share_network("b", Doubling) is not first
    del first
    assert isinstance(share_network("a", Doubling), SharedNetwork)
