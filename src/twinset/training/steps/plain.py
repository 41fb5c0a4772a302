"""The plain step: embed everything with its graph, one loss, one backward."""

from __future__ import annotations

from dataclasses import dataclass

from twinset.training.steps.chunks import Chunk, embed_views
from twinset.training.steps.scene import Outcome, Scene
from twinset.types import Loss


@dataclass(frozen=True, kw_only=True)
class Plain:
    """Holds the activations of the whole batch; fastest while they fit."""

    def __call__(self, scene: Scene) -> Outcome:
        embedded = scene.embedded(embed_views(scene, Chunk.embed))
        loss = scene.objective(embedded)
        loss.value.backward()
        return Outcome(
            loss=Loss(value=loss.value.detach(), parts=loss.parts),
            embedded=embedded.detached(),
        )
