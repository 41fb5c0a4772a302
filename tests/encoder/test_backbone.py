"""Against transformers itself, called one text at a time without padding."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import torch
from torch import Tensor, nn

from tests.encoder.tiny import ARCHITECTURES, SENTENCES, tiny_encoder, tiny_model
from tests.views.looks import look
from twinset.encoder.backbone import Backbone
from twinset.encoder.head import Dense
from twinset.encoder.look import take_rows
from twinset.errors import ModelError
from twinset.types import Look

if TYPE_CHECKING:
    from twinset.encoder import Encoder

# These number positions from an embedding table, so a permutation of position ids means something to them.
ABSOLUTE = ("bert", "roberta", "distilbert", "electra", "xlm-roberta")


def look_of(encoder: Encoder, texts: tuple[str, ...] = SENTENCES) -> Look:
    store = encoder.tokenize(texts)
    return Look(tokens=store.take(torch.arange(len(texts))))


def ids_of(look: Look, row: int) -> Tensor:
    return look.tokens.input_ids[row : row + 1, : look.tokens.lengths[row]]


def shuffled(look: Look, seed: int = 0) -> Tensor:
    """A permutation of each row's real positions; padding stays where it is."""
    generator = torch.Generator().manual_seed(seed)
    order = torch.arange(look.tokens.input_ids.shape[1]).repeat(len(look), 1)
    for row, length in enumerate(look.tokens.lengths.tolist()):
        order[row, :length] = torch.randperm(length, generator=generator)
    return order


@pytest.mark.parametrize("packs", [False, True], ids=["padded", "packed"])
@pytest.mark.parametrize("architecture", ARCHITECTURES)
@torch.no_grad()
def test_batch_equals_texts_one_by_one(architecture: str, packs: bool) -> None:
    encoder = tiny_encoder(architecture)
    backbone = encoder.backbone.eval()
    backbone.packs = packs
    look = look_of(encoder)
    vectors = backbone(look)
    for row in range(len(look)):
        alone = backbone.model(input_ids=ids_of(look, row)).last_hidden_state[0].mean(dim=0)
        torch.testing.assert_close(vectors[row], alone, atol=2e-6, rtol=1e-5)


@pytest.mark.parametrize("architecture", ABSOLUTE)
@torch.no_grad()
def test_order_equals_permuted_position_ids(architecture: str) -> None:
    encoder = tiny_encoder(architecture)
    backbone = encoder.backbone.eval()
    look = look_of(encoder)
    order = shuffled(look)
    states = backbone.hidden_states(Look(tokens=look.tokens, order=order))[0]
    first = 2 if "roberta" in architecture else 0  # RoBERTa's positions begin after its padding id, 1
    for row, length in enumerate(look.tokens.lengths.tolist()):
        positions = order[row, :length].argsort()[None] + first
        expected = backbone.model(input_ids=ids_of(look, row), position_ids=positions).last_hidden_state[0]
        torch.testing.assert_close(states[row, :length], expected, atol=2e-6, rtol=1e-5)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@torch.no_grad()
def test_order_changes_vectors(architecture: str) -> None:
    encoder = tiny_encoder(architecture)
    backbone = encoder.backbone.eval()
    look = look_of(encoder)
    moved = backbone(Look(tokens=look.tokens, order=shuffled(look)))
    assert (moved - backbone(look)).abs().amax(dim=1).min() > 1e-3


class Fixed(nn.Module):
    """An embedding layer that gives what it was told."""

    def __init__(self, states: Tensor) -> None:
        super().__init__()
        self.states = states

    def forward(self, *inputs: object, **named: object) -> Tensor:
        return self.states


def masks(look: Look, width: int) -> dict[str, Tensor]:
    generator = torch.Generator().manual_seed(1)
    rows, longest = look.tokens.input_ids.shape
    return {
        "keep_tokens": torch.rand(rows, longest, generator=generator) > 0.3,
        "keep_features": torch.rand(rows, width, generator=generator) > 0.3,
        "keep_elements": torch.rand(rows, longest, width, generator=generator) > 0.3,
        "add": torch.randn(rows, longest, width, generator=generator),
    }


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@torch.no_grad()
def test_masks_act_on_the_embedding_layer(architecture: str) -> None:
    encoder = tiny_encoder(architecture)
    backbone = encoder.backbone.eval()
    look = look_of(encoder)
    drawn = masks(look, backbone.width)
    states = backbone.model.embeddings(input_ids=look.tokens.input_ids)
    expected_states = (
        states * drawn["keep_tokens"][:, :, None] * drawn["keep_features"][:, None] * drawn["keep_elements"]
        + drawn["add"]
    )
    vectors = backbone(Look(tokens=look.tokens, **drawn))
    layer = backbone.embedding_layer(Look(tokens=look.tokens, **drawn))

    backbone.model.embeddings = Fixed(expected_states)
    mask = look.tokens.mask
    output = backbone.model(input_ids=look.tokens.input_ids, attention_mask=mask.to(torch.int64))
    for row, length in enumerate(look.tokens.lengths.tolist()):
        expected = output.last_hidden_state[row, :length].mean(dim=0)
        torch.testing.assert_close(vectors[row], expected, atol=2e-6, rtol=1e-5)
        torch.testing.assert_close(
            layer[row], expected_states[row, :length].mean(dim=0), atol=2e-6, rtol=1e-5
        )


@pytest.mark.parametrize("name", ["keep_tokens", "keep_features", "keep_elements", "add"])
@torch.no_grad()
def test_each_mask_acts_alone(name: str) -> None:
    encoder = tiny_encoder("bert")
    backbone = encoder.backbone.eval()
    look = look_of(encoder)
    drawn = masks(look, backbone.width)[name]
    vectors = backbone(Look(tokens=look.tokens, **{name: drawn}))
    assert (vectors - backbone(look)).abs().max() > 1e-2


@torch.no_grad()
def test_masks_are_gone_after_the_look() -> None:
    encoder = tiny_encoder("bert")
    backbone = encoder.backbone.eval()
    look = look_of(encoder)
    before = backbone(look)
    backbone(Look(tokens=look.tokens, **masks(look, backbone.width)))
    torch.testing.assert_close(backbone(look), before, atol=0, rtol=0)


@torch.no_grad()
def test_mask_speaks_of_positions_in_the_looks_order() -> None:
    encoder = tiny_encoder("bert")
    backbone = encoder.backbone.eval()
    look = take_rows(look_of(encoder), torch.tensor([0]))
    length = int(look.tokens.lengths[0])
    order = torch.arange(length).flip(0)[None]
    keep = torch.ones(1, length, dtype=torch.bool)
    keep[0, 0] = False  # position 0 holds the last token
    layer = backbone.embedding_layer(Look(tokens=look.tokens, order=order, keep_tokens=keep))
    states = backbone.model.embeddings(
        input_ids=look.tokens.input_ids, position_ids=torch.arange(length).flip(0)[None]
    )
    torch.testing.assert_close(layer[0], states[0, :-1].sum(dim=0) / length)


def test_width_is_the_embedding_layers() -> None:
    assert Backbone(tiny_model("electra")).width == 16
    assert Backbone(tiny_model("distilbert")).width == 32


@torch.no_grad()
def test_head_follows_the_pooling() -> None:
    encoder = tiny_encoder("bert")
    linear = nn.Linear(32, 5)
    head = nn.Sequential(Dense(linear, nn.Tanh()))
    backbone = Backbone(encoder.backbone.model, head=head).eval()
    look = look_of(encoder)
    expected = torch.tanh(encoder.backbone.eval()(look) @ linear.weight.T + linear.bias)
    torch.testing.assert_close(backbone(look), expected)


def test_gradient_reaches_every_layer() -> None:
    encoder = tiny_encoder("electra")
    encoder.backbone(look_of(encoder)).square().sum().backward()
    without = [
        name
        for name, weight in encoder.backbone.named_parameters()
        if weight.grad is None or not weight.grad.any()
    ]
    assert [name for name in without if "key.bias" not in name] == []  # softmax does not see a key's bias


def test_model_without_embeddings_module_says_so() -> None:
    class Odd(nn.Module):
        pass

    with pytest.raises(ModelError, match="Odd has no `embeddings` module"):
        _ = Backbone(Odd()).embeddings


class Far(Tensor):
    """A tensor on a device that has to be waited for."""

    def tolist(self) -> list[int]:
        raise AssertionError("waited for")


@pytest.mark.parametrize("architecture", ["bert", "modernbert"])
def test_short_texts_are_packed_without_asking_the_device_for_their_lengths(architecture: str) -> None:
    backbone = Backbone(tiny_model(architecture)).eval()
    near = look([3, 30, 4, 5, 6, 7])
    lengths = near.tokens.lengths
    far = replace(near, tokens=replace(near.tokens, lengths=lengths.as_subclass(Far), known=lengths))
    assert backbone.packs
    torch.testing.assert_close(torch.as_tensor(backbone(far)).as_subclass(Tensor), backbone(near))
