from __future__ import annotations

import torch
from torch import Tensor

from tests.training.steps.scenes import backbone, gradients, scene
from twinset.objectives import InfoNCE, NTXent
from twinset.training.steps import Cached
from twinset.training.steps.cached import laid_end_to_end
from twinset.types import Look


def test_holds_the_graph_of_one_chunk_at_a_time() -> None:
    encoder = backbone("bert")
    with_graph: list[bool] = []
    alive: list[int] = []

    def embed(look: Look) -> Tensor:
        vectors = encoder(look)
        with_graph.append(vectors.requires_grad)
        alive.append(len(look))
        return vectors

    gradients(Cached(), scene(encoder, InfoNCE(), embedders=(embed,) * 3, chunk_tokens=33))
    half = len(with_graph) // 2
    assert half > 3
    assert with_graph == [False] * half + [True] * half
    assert alive[:half] == alive[half:]


def test_a_view_the_loss_does_not_use_sends_no_gradient() -> None:
    # NT-Xent reads the first two views; the third's encoder is its own and must stay as it was.
    first, third = backbone("bert"), backbone("bert", seed=1)
    given = scene(first, NTXent(), embedders=(first, first, third))
    _, found = gradients(Cached(), given)
    assert all(float(value.abs().max()) == 0 for name, value in found.items() if name.startswith("1."))
    assert any(float(value.abs().max()) > 0 for name, value in found.items() if name.startswith("0."))


def test_gradients_laid_end_to_end() -> None:
    views = (torch.ones(2, 3), torch.ones(2, 3))
    laid = laid_end_to_end(views, (None, torch.full((2, 3), 5.0)))
    assert laid.tolist() == [[0.0] * 3] * 2 + [[5.0] * 3] * 2
