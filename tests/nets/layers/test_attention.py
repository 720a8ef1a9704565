"""Attention: what is learned from is computed in float32, and a last layer only as far as read."""

import pytest
import torch

from stratagem.nets.layers.attention import EncoderLayer, attend


def _mask(kind, batch, tokens):
    torch.manual_seed(2)
    attended = torch.rand(batch, 1, 1, tokens) > 0.3
    attended[..., 0] = True
    added = torch.where(attended, 0.0, -1e9)
    return {"none": None, "boolean": attended, "added": added, "narrow": added.bfloat16()}[kind]


@pytest.mark.parametrize("kind", ["none", "boolean", "added", "narrow"])
def test_gradients_in_bfloat16_are_close_to_those_in_float32(kind):
    torch.manual_seed(1)
    mask = _mask(kind, 3, 7)
    exact = [torch.randn(3, 2, 7, 16).bfloat16().float().requires_grad_() for _ in range(3)]
    narrow = [one.detach().bfloat16().requires_grad_() for one in exact]
    given = mask.float() if mask is not None and mask.is_floating_point() else mask
    wanted = attend(*exact, given)
    wanted.sum().backward()
    with torch.autocast("cpu", torch.bfloat16):
        found = attend(*narrow, mask)
    assert found.dtype == torch.bfloat16
    found.sum().backward()
    torch.testing.assert_close(found.float(), wanted, atol=0.02, rtol=0.02)
    for one, other in zip(narrow, exact, strict=True):
        torch.testing.assert_close(one.grad.float(), other.grad, atol=0.03, rtol=0.02)


def test_a_learned_mask_learns():
    query, key, value = (torch.randn(2, 2, 5, 8).bfloat16().requires_grad_() for _ in range(3))
    bias = torch.zeros(1, 2, 5, 5, requires_grad=True)
    with torch.autocast("cpu", torch.bfloat16):
        attend(query, key, value, bias).float().square().sum().backward()
    assert bias.grad is not None and bias.grad.abs().max() > 0


@pytest.mark.parametrize("kind", ["none", "added"])
def test_tokens_that_nobody_reads_are_still_attended_to(kind):
    torch.manual_seed(0)
    layer = EncoderLayer(16, 2, 2).eval()
    x, mask = torch.randn(3, 7, 16), _mask(kind, 3, 7)
    whole = layer(x, mask)
    torch.testing.assert_close(layer(x, mask, 3), whole[:, :4])
