"""Chunks of texts of like length, and the one function through which every step embeds.

Padding is waste, yet who meets whom in the objective must not change because of it: the batch's looks are
stacked, sorted by length, cut into chunks under a token budget, embedded, and put back in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from twinset.encoder.chunks import cut
from twinset.encoder.look import stack, take_rows
from twinset.randomness import seed_of
from twinset.training.steps.scene import Scene
from twinset.types import Embedder, Look, moved


@dataclass(frozen=True, kw_only=True)
class Chunk:
    """Some rows of the stacked looks of one encoder, and the seed of their dropout masks."""

    embedder: Embedder
    look: Look
    places: Tensor  # positions in the scene's views laid end to end
    seed: int

    def embed(self) -> Tensor:
        """Vectors (rows, d). The same masks each time it is called."""
        torch.manual_seed(self.seed)
        return self.embedder(self.look)


def chunks_of(scene: Scene) -> Iterator[Chunk]:
    """The scene's looks in chunks, encoder by encoder."""
    count = len(scene.batch)
    towers: dict[int, list[int]] = {}
    for view, embedder in enumerate(scene.embedders):
        towers.setdefault(id(embedder), []).append(view)
    for tower, views in enumerate(towers.values()):
        tall = stack([scene.looks[view] for view in views])
        places = torch.cat([torch.arange(view * count, (view + 1) * count) for view in views])
        for number, rows in enumerate(
            cut(tall.tokens.lengths.cpu(), scene.chunk_tokens, packed=scene.packed)
        ):
            yield Chunk(
                embedder=scene.embedders[views[0]],
                look=take_rows(tall, rows.to(tall.tokens.lengths.device)),
                places=places[rows],
                seed=seed_of(scene.seed, "dropout", tower, number),
            )


def embed_views(
    scene: Scene, embed: Callable[[Chunk], Tensor], chunks: list[Chunk] | None = None
) -> tuple[Tensor, ...]:
    """Every look's vectors, v tensors (n, d); `embed` says how one chunk is embedded."""
    chunks = list(chunks_of(scene)) if chunks is None else chunks
    vectors = torch.cat([embed(chunk) for chunk in chunks]).float()
    back = torch.empty(len(vectors), dtype=torch.int64)
    back[torch.cat([chunk.places for chunk in chunks])] = torch.arange(len(vectors))
    return vectors[moved(back, vectors.device)].split(len(scene.batch))
