"""The hex convolution against a slow reference and against HexagDLy."""

import pytest
import torch

from stratagem.nets.inference.fused import FusedHex
from stratagem.nets.layers import hex
from stratagem.nets.layers.hex import NEIGHBOURS, HexLayer, lower_odd_columns

SIZES = [(2, 3), (5, 5), (6, 6), (4, 7), (7, 4), (3, 1), (1, 4), (12, 11)]

# Where the weight of each direction lives: (kernel, row, column).
_TAPS = {
    (0, 0): ("column", 1, 0),
    0: ("column", 0, 0),
    1: ("sides", 0, 1),
    2: ("sides", 1, 1),
    3: ("column", 2, 0),
    4: ("sides", 1, 0),
    5: ("sides", 0, 0),
}


def _slow(x, layer):
    """Hex by hex, neighbour by neighbour, after the table of directions in the rules."""
    batch, _, height, width = x.shape
    y = torch.zeros(batch, layer.column.shape[0], height, width)
    for row in range(height):
        for column in range(width):
            places = {(0, 0): (row, column)}
            for direction, (down, right) in enumerate(NEIGHBOURS[column % 2]):
                places[direction] = (row + down, column + right)
            for name, (there, beside) in places.items():
                if 0 <= there < height and 0 <= beside < width:
                    kernel, i, j = _TAPS[name]
                    weight = getattr(layer, kernel)[:, :, i, j]
                    y[:, :, row, column] += x[:, :, there, beside] @ weight.T
    return y


@pytest.mark.parametrize(("height", "width"), SIZES)
def test_equals_the_slow_reference(height, width):
    torch.manual_seed(height * 20 + width)
    layer = HexLayer(3, 4, relu=False)
    x = torch.randn(2, 3, height, width)
    with torch.no_grad():
        torch.testing.assert_close(layer(x), _slow(x, layer), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize(("height", "width"), [size for size in SIZES if size[1] > 1])
def test_equals_hexagdly(height, width):
    """HexagDLy's second kernel has the same order: NW NE above SW SE."""
    hexagdly = pytest.importorskip("hexagdly", reason="pip install --no-deps hexagdly")
    torch.manual_seed(height * 20 + width)
    layer = HexLayer(5, 6, relu=False)
    theirs = hexagdly.Conv2d(5, 6, kernel_size=1, bias=False)
    with torch.no_grad():
        theirs.kernel0.copy_(layer.column)
        theirs.kernel1.copy_(layer.sides)
        x = torch.randn(3, 5, height, width)
        torch.testing.assert_close(layer(x), theirs(x), atol=1e-5, rtol=1e-5)


def test_neighbours_are_those_of_the_rules():
    """Every step has its way back: N and S, NE and SW, SE and NW."""
    for column in (0, 1):
        for direction in range(6):
            down, right = NEIGHBOURS[column][direction]
            back = NEIGHBOURS[(column + right) % 2][(direction + 3) % 6]
            assert (down + back[0], right + back[1]) == (0, 0)


def test_odd_columns_move_down():
    lowered = lower_odd_columns(torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])[None, None])
    assert lowered[0, 0].tolist() == [[1.0, 0.0, 3.0], [4.0, 2.0, 6.0], [0.0, 5.0, 0.0]]


@pytest.mark.parametrize("count", [2, 16])
@pytest.mark.parametrize("relu", [False, True])
@pytest.mark.parametrize("residual", ["none", "planes", "per filter"])
def test_fused_equals_unfused(count, relu, residual):
    torch.manual_seed(1)
    layer = HexLayer(6, 8, relu=relu, bias=True)
    torch.nn.init.normal_(layer.bias)
    x = torch.randn(count, 6, 5, 5).contiguous(memory_format=torch.channels_last)
    added = {
        "none": None,
        "planes": torch.randn(count, 8, 5, 5).contiguous(memory_format=torch.channels_last),
        "per filter": torch.randn(count, 8, 1, 1),
    }[residual]
    before = None if added is None else added.clone()
    with torch.inference_mode():
        expected = layer(x, added)
        fused = FusedHex(layer, torch.float32)(x, added)
        torch.testing.assert_close(fused, expected, atol=1e-5, rtol=1e-5)
        assert added is None or torch.equal(added, before)
    assert (expected.min() >= 0) == relu


def test_gradients_reach_every_tap():
    layer = HexLayer(2, 3, bias=True)
    layer(torch.rand(2, 2, 4, 5)).sum().backward()
    for parameter in layer.parameters():
        assert (parameter.grad != 0).any()


@pytest.mark.parametrize(("height", "width"), SIZES)
def test_gradients_are_those_of_the_plain_operations(height, width, monkeypatch):
    monkeypatch.setattr(hex, "_CHUNK_BYTES", 7 * 3 * 8 * height * width)  # one position at a time
    torch.manual_seed(height * 20 + width)
    layer = HexLayer(3, 4, bias=True).double()
    x = torch.randn(3, 3, height, width, dtype=torch.float64, requires_grad=True)
    leaves = [x, *layer.parameters()]
    weights = torch.randn(3, 4, height, width, dtype=torch.float64)
    found = torch.autograd.grad((layer(x) * weights).sum(), leaves)
    assert "HexConvolution" in str(hex._convolution_for(x))
    monkeypatch.setattr(hex, "_convolution_for", lambda x: hex.hex_convolution)
    wanted = torch.autograd.grad((layer(x) * weights).sum(), leaves)
    for mine, plain in zip(found, wanted, strict=True):
        torch.testing.assert_close(mine, plain, atol=1e-12, rtol=1e-12)


def test_mixed_precision_takes_torchs_own_gradients():
    layer, x = HexLayer(3, 4), torch.randn(2, 3, 5, 5)
    with torch.autocast("cpu", torch.bfloat16):
        layer(x).float().sum().backward()
    assert layer.column.grad.isfinite().all() and layer.column.grad.abs().sum() > 0
