from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from twinset.encoder import attention
from twinset.encoder.attention import attend

SHAPE = (2, 3, 5, 4)  # texts, heads, places, numbers


def inputs() -> tuple[Tensor, Tensor, Tensor]:
    draw = torch.Generator().manual_seed(0)
    query, key, value = (torch.randn(SHAPE, generator=draw, dtype=torch.float64) for _ in range(3))
    return query, key, value


def allowed() -> Tensor:
    return torch.tensor([[True] * 5, [True, True, True, False, False]])[:, None, None, :]


@pytest.mark.parametrize("mask", [None, allowed(), allowed().double().log()], ids=["none", "bool", "added"])
@pytest.mark.parametrize("scaling", [None, 0.3])
def test_is_torchs_own_but_for_dropout(mask: Tensor | None, scaling: float | None) -> None:
    given = inputs()
    wanted = scaled_dot_product_attention(*given, attn_mask=mask, scale=scaling).transpose(1, 2)
    for rate in (0.0, 1e-12):  # the second goes the other way, and drops nothing
        found, _ = attend(nn.Module(), *given, mask, dropout=rate, scaling=scaling)
        torch.testing.assert_close(found, wanted)
        assert found.is_contiguous()


@pytest.mark.parametrize("mask", [None, allowed(), allowed()[:1]], ids=["none", "bool", "one for all"])
def test_in_bf16_it_is_worked_out_in_slices_where_no_gradient_is_wanted(
    mask: Tensor | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    low = tuple(each.bfloat16() for each in inputs())
    wanted = scaled_dot_product_attention(*(each.float() for each in low), attn_mask=mask).transpose(1, 2)
    asked: list[int] = []
    plain = attention._attended

    def noted(query: Tensor, *others: Tensor, **_: object) -> Tensor:
        asked.append(len(query))
        return plain(query, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(attention, "_attended", noted)
    monkeypatch.setattr(attention, "_AT_ONCE", 3 * 5 * 5)  # the scores of one text
    with torch.inference_mode():
        sliced, _ = attend(nn.Module(), *low, mask)
    whole, _ = attend(nn.Module(), *low, mask)
    assert asked == [1, 1, 2]
    torch.testing.assert_close(sliced, whole)
    torch.testing.assert_close(sliced.float(), wanted, atol=0.02, rtol=0.02)


def test_its_mean_over_masks_is_the_undropped() -> None:
    given = inputs()
    torch.manual_seed(0)
    many = torch.stack([attend(nn.Module(), *given, None, dropout=0.3)[0] for _ in range(3000)])
    wanted, _ = attend(nn.Module(), *given, None)
    error = many.std(dim=0) / len(many) ** 0.5
    assert float(error.min()) > 0
    assert float(((many.mean(dim=0) - wanted).abs() / error).max()) < 5


def test_gradient() -> None:
    given = [each.requires_grad_() for each in inputs()]

    def seeded(*three: Tensor) -> Tensor:
        torch.manual_seed(0)
        return attend(nn.Module(), *three, allowed(), dropout=0.3)[0]

    assert torch.autograd.gradcheck(seeded, given)
