"""What the views do inside real encoders: seen at the input of what follows the embedding layer."""

from __future__ import annotations

from typing import Any, cast

import pytest
import torch
from torch import Tensor, nn

from tests.encoder.tiny import ARCHITECTURES, tiny_model
from tests.views.looks import generator, look
from twinset.encoder.backbone import Backbone
from twinset.encoder.look import stack, take_rows
from twinset.encoder.pooling import Pooling
from twinset.types import Look, View
from twinset.views import Compose, EmbeddingDropout, FeatureCutoff, TokenCutoff, TokenShuffle, Unchanged

LENGTHS = [2, 9, 30, 17]

everywhere = pytest.mark.parametrize("architecture", ARCHITECTURES)


def encoder(architecture: str) -> Backbone:
    """Padded, so that what a layer is given lies as the look does; test_packed.py compares the two."""
    backbone = Backbone(tiny_model(architecture).eval())
    backbone.packs = False
    return backbone


def follower(model: Any) -> nn.Module:  # noqa: ANN401 - as the library builds it
    """The module that takes the embedding layer's output."""
    if hasattr(model, "embeddings_project"):  # ELECTRA's embeddings are narrower than its layers
        return model.embeddings_project
    if hasattr(model, "transformer"):
        return model.transformer.layer[0]
    return model.layers[0] if hasattr(model, "layers") else model.encoder.layer[0]


def first_input(backbone: Backbone, given: Look) -> Tensor:
    """What the first layer is really given, in the look's own order of tokens."""
    caught: list[Tensor] = []

    def catch(_module: nn.Module, inputs: tuple[Any, ...], named: dict[str, Any]) -> None:
        caught.append(cast("Tensor", inputs[0] if inputs else named["hidden_states"]))

    handle = follower(backbone.model).register_forward_pre_hook(catch, with_kwargs=True)
    with torch.no_grad():
        backbone(given)
    handle.remove()
    (states,) = caught
    return states


def made(backbone: Backbone, view: View) -> tuple[Look, Look]:
    plain = look(LENGTHS)
    return plain, view(plain, width=backbone.width, generator=generator())


@everywhere
def test_token_cutoff_makes_whole_rows_zero(architecture: str) -> None:
    backbone = encoder(architecture)
    plain, cut = made(backbone, TokenCutoff(rate=0.3))
    before, after = first_input(backbone, plain), first_input(backbone, cut)
    assert cut.keep_tokens is not None
    assert after.shape[2] == backbone.width
    assert torch.equal((after == 0).all(dim=2) & plain.tokens.mask, ~cut.keep_tokens)
    assert torch.equal(after[cut.keep_tokens], before[cut.keep_tokens])


@everywhere
def test_feature_cutoff_makes_whole_columns_zero(architecture: str) -> None:
    backbone = encoder(architecture)
    plain, cut = made(backbone, FeatureCutoff(rate=0.3))
    before, after = first_input(backbone, plain), first_input(backbone, cut)
    assert cut.keep_features is not None
    for row, length in enumerate(LENGTHS):
        keep = cut.keep_features[row]
        assert int((~keep).sum()) == int(0.3 * backbone.width)
        assert torch.equal((after[row, :length] == 0).all(dim=0), ~keep)
        assert torch.equal(after[row, :length, keep], before[row, :length, keep])


@everywhere
@pytest.mark.parametrize("count", ["each", "exact"])
def test_embedding_dropout_makes_single_elements_zero_without_rescaling(
    architecture: str, count: str
) -> None:
    backbone = encoder(architecture)
    view = EmbeddingDropout(rate=0.3, count=count)
    plain, cut = made(backbone, view)
    before, after = first_input(backbone, plain), first_input(backbone, cut)
    assert cut.keep_elements is not None
    real = plain.tokens.mask
    expected = torch.where(cut.keep_elements, before, 0.0)
    assert torch.equal(after[real], expected[real])
    assert 0.2 < float((after[real] == 0).double().mean()) < 0.4


@everywhere
def test_add_is_added_after_the_masks(architecture: str) -> None:
    backbone = encoder(architecture)
    plain, cut = made(backbone, TokenCutoff(rate=0.3))
    noise = torch.randn(4, 30, backbone.width, generator=generator())
    noisy = Look(tokens=plain.tokens, keep_tokens=cut.keep_tokens, add=noise)
    torch.testing.assert_close(first_input(backbone, noisy), first_input(backbone, cut) + noise)


@everywhere
def test_shuffling_changes_every_text_of_some_length(architecture: str) -> None:
    """Absolute, relative and rotary positions alike; the order that changes nothing changes nothing."""
    backbone = encoder(architecture)
    plain, shuffled = made(backbone, TokenShuffle())
    assert shuffled.order is not None
    still = Look(tokens=plain.tokens, order=torch.arange(30).expand(4, 30))
    with torch.no_grad():
        vectors, moved, same = backbone(plain), backbone(shuffled), backbone(still)
    torch.testing.assert_close(same, vectors)
    distances = (moved - vectors).norm(dim=1) / vectors.norm(dim=1)
    assert bool((distances[1:] > 1e-3).all())


@pytest.mark.parametrize("architecture", ["bert", "roberta", "xlm-roberta", "electra"])
@pytest.mark.parametrize("pooling", ["mean", "cls", "last", "max", "first_last", "static_last"])
def test_shuffling_is_permuted_position_ids(architecture: str, pooling: Pooling) -> None:
    """The authors' way, where positions are absolute: token t sits at position p where order[p] = t."""
    backbone = encoder(architecture)
    backbone.pooling = pooling
    plain, shuffled = made(backbone, TokenShuffle())
    assert shuffled.order is not None
    offset = 2 if "roberta" in architecture else 0
    positions = shuffled.order.argsort(dim=1) + offset
    inner = backbone.model

    class Placed(nn.Module):
        """The model with positions by hand."""

        embeddings = inner.embeddings

        def forward(self, **named: object) -> object:
            return inner(position_ids=positions, **named)

    with torch.no_grad():
        expected = Backbone(Placed(), pooling=pooling)(plain)
        torch.testing.assert_close(backbone(shuffled), expected, rtol=1e-4, atol=1e-5)


@everywhere
@pytest.mark.parametrize(
    "view",
    [
        Unchanged(),
        TokenShuffle(),
        TokenCutoff(),
        FeatureCutoff(),
        EmbeddingDropout(),
        EmbeddingDropout(count="exact"),
    ],
    ids=repr,
)
def test_padding_does_not_matter(architecture: str, view: View) -> None:
    """A text's vector under a look is the same alone, without the padding of its longer neighbours."""
    backbone = encoder(architecture)
    _, given = made(backbone, view)
    with torch.no_grad():
        together = backbone(given)
        for row in range(4):
            alone = take_rows(given, torch.tensor([row]))
            assert alone.tokens.input_ids.shape == (1, LENGTHS[row])
            torch.testing.assert_close(backbone(alone)[0], together[row], rtol=1e-4, atol=1e-5)


@everywhere
def test_stacked_looks_are_the_looks(architecture: str) -> None:
    """Looks with masks beside looks without, short ones beside long ones."""
    backbone = encoder(architecture)
    short, long = look([3, 2, 5], seed=1), look([12, 4, 40], seed=2)
    every = (TokenShuffle(), TokenCutoff(rate=0.4), FeatureCutoff(), EmbeddingDropout(count="exact"))
    views = [*every, Compose(views=every), Unchanged()]
    draw = generator()
    looks = [view(given, width=backbone.width, generator=draw) for view in views for given in (short, long)]
    noise = torch.randn(3, 5, backbone.width, generator=draw)
    looks.append(Look(tokens=short.tokens, add=noise))
    with torch.no_grad():
        expected = torch.cat([backbone(each) for each in looks])
        found = backbone(stack(looks))
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)
