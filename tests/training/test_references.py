from __future__ import annotations

import copy

import pytest
import torch

from tests.encoder.tiny import ARCHITECTURES
from tests.objectives.hard_shapes import Remember
from tests.training.steps.scenes import assert_same, backbone, gradients, looks, scene, texts
from twinset.training.references import ByEmbedder, similarities
from twinset.training.steps import Cached, Plain
from twinset.types import Reference


def test_similarities_by_hand() -> None:
    first = torch.tensor([[3.0, 4.0], [1.0, 0.0]])
    second = torch.tensor([[4.0, 3.0], [0.0, 2.0]])
    found = similarities([first, second])
    assert found.shape == (2, 2, 2)
    torch.testing.assert_close(found[0, 1], torch.tensor([24 / 25, 0.0]))
    torch.testing.assert_close(found[1, 0], found[0, 1])
    torch.testing.assert_close(found[0, 0], torch.ones(2))


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_at_the_embedding_layer(architecture: str) -> None:
    """The mean over real tokens of what the model's own embedding module gives, masks applied."""
    encoder = backbone(architecture, dropout=0)
    given = looks(width=encoder.width)
    found = ByEmbedder(embed=encoder.embedding_layer)(given, texts())
    means = []
    with torch.no_grad():
        for look in given:
            order = torch.arange(look.tokens.input_ids.shape[1]).expand(len(look), -1)
            order = order if look.order is None else look.order
            states = encoder.embeddings(input_ids=look.tokens.input_ids.gather(1, order))
            if look.keep_tokens is not None:
                states = states * look.keep_tokens[:, :, None]
            if look.keep_features is not None:
                states = states * look.keep_features[:, None, :]
            if look.keep_elements is not None:
                states = states * look.keep_elements
            means.append(
                torch.stack([row[:n].mean(dim=0) for row, n in zip(states, look.tokens.lengths, strict=True)])
            )
    torch.testing.assert_close(found, similarities(means), rtol=1e-4, atol=1e-5)


def test_a_reference_has_no_gradient_even_where_one_is_asked_for() -> None:
    encoder = backbone("bert", dropout=0)
    with torch.enable_grad():
        for embed in (encoder, encoder.embedding_layer):
            found = ByEmbedder(embed=embed)(looks(width=encoder.width), texts())
            assert found.shape == (3, 3, 6)
            assert not found.requires_grad


def test_older_weights_stay_when_the_current_ones_move() -> None:
    encoder = backbone("bert", dropout=0)
    initial = ByEmbedder(embed=copy.deepcopy(encoder))
    current = ByEmbedder(embed=encoder)
    given, batch = looks(width=encoder.width), texts()
    before = initial(given, batch)
    torch.testing.assert_close(current(given, batch), before)
    with torch.no_grad():
        for parameter in encoder.parameters():
            parameter.add_(0.3 * torch.randn(parameter.shape, generator=torch.Generator().manual_seed(1)))
    assert torch.equal(initial(given, batch), before)
    assert float((current(given, batch) - before).abs().max()) > 0.01


@pytest.mark.parametrize("step", [Plain(), Cached()], ids=repr)
def test_the_objective_learns_as_if_references_were_constants(step: Plain | Cached) -> None:
    encoder = backbone("bert", dropout=0)
    older = ByEmbedder(embed=backbone("bert", seed=1, dropout=0))
    sources = {Reference.INITIAL: older, Reference.EMBEDDING_LAYER: ByEmbedder(embed=encoder.embedding_layer)}
    given = scene(encoder, Remember(), references=sources)
    fixed = {kind: source(given.looks, given.batch).clone() for kind, source in sources.items()}
    constants = {kind: (lambda looks, batch, kind=kind: fixed[kind]) for kind in fixed}
    _, expected = gradients(Plain(), scene(encoder, Remember(), references=constants))
    outcome, found = gradients(step, given)
    assert_same(expected, found)
    assert set(outcome.embedded.references) == set(fixed)
    assert not torch.allclose(fixed[Reference.INITIAL], fixed[Reference.EMBEDDING_LAYER])
