"""Networks by name."""

import pytest
import torch

from nets.specs import ACTIONS, BOARD, hex_specs
from stratagem.core.errors import BadSetting, UnknownName
from stratagem.nets.build import build_network, is_size_free, network_kinds, network_settings


def test_kinds_are_files():
    assert {"cnn", "transformer"} <= set(network_kinds())
    assert not {"build", "inference", "layers", "losses"} & set(network_kinds())


@pytest.mark.parametrize("kind", network_kinds())
def test_every_kind_builds_with_its_defaults(kind):
    """Or says that it reads something else than planes."""
    observation, actions = hex_specs(4, 3)
    try:
        network = build_network(kind, {}, observation, actions, 1)
    except BadSetting as error:
        assert f"network {kind} reads " in str(error)
        return
    output = network(torch.rand(2, observation.size))
    assert output.logits.shape == (2, 24)
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
        ("cnn", {"filters": 10**9}, "network cnn: too large for this machine"),
        ("cnn", {"filters": 30_000}, "network cnn: too large for this machine"),
        ("cnn", {"filters": 4, "blocks": 10**9}, "network cnn: too large for this machine"),
        ("feedforward", {"hidden": [8] * 30_000}, "network feedforward: too large"),
        ("feedforward", {"hidden": [0]}, "network feedforward: key 'hidden"),
        ("feedforward", {"hidden": [-1]}, "network feedforward: key 'hidden"),
        ("transformer", {"width": 30}, "width 30 must be a multiple of heads 4"),
    ],
)
def test_bad_settings_name_the_key(kind, settings, message):
    with pytest.raises(BadSetting, match=message):
        build_network(kind, settings, BOARD, ACTIONS, 1)


def test_which_kinds_fit_every_size():
    assert is_size_free("recall") and is_size_free("residual")
    assert not is_size_free("cnn") and not is_size_free("transformer")
    with pytest.raises(UnknownName, match="known: "):
        is_size_free("perceptron")
