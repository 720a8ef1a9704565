"""Networks by name."""

import pytest
import torch

from nets.specs import ACTIONS, BOARD
from stratagem.core.errors import BadSetting, UnknownName
from stratagem.nets.build import build_network, network_kinds, network_settings


def test_kinds_are_files():
    assert {"cnn", "transformer"} <= set(network_kinds())
    assert not {"build", "inference", "layers", "losses"} & set(network_kinds())


@pytest.mark.parametrize("kind", network_kinds())
def test_every_kind_builds_with_its_defaults(kind):
    output = build_network(kind, {}, BOARD, ACTIONS, 1)(torch.rand(2, BOARD.size))
    assert output.logits.shape == (2, 9)
    assert output.values.shape == (2, 1)


@pytest.mark.parametrize("kind", network_kinds())
def test_every_setting_is_documented(kind):
    fields = type(network_settings(kind, {})).model_fields
    assert all(field.description for field in fields.values())


@pytest.mark.parametrize("kind", ["cnnn", "losses", "os.path", ""])
def test_unknown_kind_lists_the_known(kind):
    with pytest.raises(UnknownName, match=r"known: .*cnn.*transformer"):
        build_network(kind, {}, BOARD, ACTIONS, 1)


@pytest.mark.parametrize(
    ("kind", "settings", "message"),
    [
        ("cnn", {"filter": 3}, "network cnn: unknown key 'filter'"),
        ("cnn", {"filters": 0}, "network cnn: key 'filters'"),
        ("transformer", {"width": 30}, "width 30 must be a multiple of heads 4"),
    ],
)
def test_bad_settings_name_the_key(kind, settings, message):
    with pytest.raises(BadSetting, match=message):
        build_network(kind, settings, BOARD, ACTIONS, 1)
