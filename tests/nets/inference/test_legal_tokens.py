"""Positions are packed by how many actions are legal, in few shapes."""

import numpy as np
import pytest

from stratagem.core.specs import ObservationSlice, ObservationSpec
from stratagem.nets.inference.legal_tokens import pack
from stratagem.nets.layers.slices import SliceReader


@pytest.mark.parametrize("actions", [9, 81, 1000])
def test_few_shapes_and_every_legal_action_once(actions):
    moves = ObservationSlice("moves", (actions, 2), "actions")
    spec = ObservationSpec((moves,))
    generator = np.random.default_rng(0)
    seen = np.zeros((200, actions, 2), np.float32)
    seen[:, :, 0] = np.arange(actions)
    seen[:, :, 1] = generator.random((200, actions)) < generator.random((200, 1))
    seen[0, :, 1] = 0.0
    legal = seen[:, :, 1] > 0
    parts = list(pack(seen.reshape(200, -1), SliceReader(spec, moves), 64))
    assert [len(part.rows) for part in parts] == [64, 64, 64, 8]
    assert sorted(np.concatenate([part.rows for part in parts])) == list(range(200))
    for part in parts:
        packed = np.zeros_like(legal[part.rows])
        packed[np.arange(len(part.rows))[:, None], part.actions] = True
        assert packed[legal[part.rows]].all()
        assert (part.features[:, :, 0] == part.actions).all()
    every = [seen[one : one + 1].reshape(1, -1) for one in range(200)]
    shapes = {next(pack(one, SliceReader(spec, moves), 64)).features.shape[1] for one in every}
    assert 1 <= len(shapes) <= 8
