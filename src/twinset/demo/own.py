"""The demo on the reader's own texts: SimCSE, and the neighbours of a few texts before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from twinset.data import read_sentences
from twinset.demo import folder as place
from twinset.demo.nearest import Hit, Searched
from twinset.encoder import Encoder
from twinset.errors import RequestError
from twinset.recipes.perform import perform
from twinset.recipes.runfile import RunFile, TrainingData
from twinset.recipes.simcse import simcse
from twinset.training import Recipe, Recording

MOST_TEXTS = 10_000
_FEW = 1_000
_LOOKED_AT = 3


@dataclass(frozen=True, kw_only=True)
class Neighbours:
    """One of the reader's texts, and what is nearest to it before and after."""

    text: str
    before: tuple[Hit, ...]
    after: tuple[Hit, ...]


@dataclass(frozen=True, kw_only=True)
class OwnText:
    """What came out. There is no right answer, so no score."""

    source: Path
    texts: int
    looked_at: tuple[Neighbours, ...]
    updates: int
    seconds: float
    folder: Path


def learn_own(source: Path, folder: Path, *, progress: bool = True) -> OwnText:
    """Train on the reader's texts, and look at the neighbours of a few of them."""
    texts = read_sentences(source, limit=MOST_TEXTS).columns[0].unique()
    if len(texts) < 2 * _LOOKED_AT:
        raise RequestError(f"{source}: has {len(texts)} different texts; the demo wants {2 * _LOOKED_AT}")
    place.make(folder)
    chosen = [len(texts) * number // _LOOKED_AT for number in range(_LOOKED_AT)]
    before = _neighbours(Encoder.mini(), texts, chosen)
    done = perform(_run(source, len(texts), progress=progress), out=folder / place.RUN)
    after = _neighbours(done.run.encoder, texts, chosen)
    looked_at = [
        Neighbours(text=texts[row], before=old, after=new)
        for row, old, new in zip(chosen, before, after, strict=True)
    ]
    return OwnText(
        source=source,
        texts=len(texts),
        looked_at=tuple(looked_at),
        updates=done.run.updates,
        seconds=done.run.seconds,
        folder=folder,
    )


def recipe_for(count: int) -> Recipe:
    """SimCSE as it is; a handful of texts is gone over more often, and in batches it fills."""
    recipe = simcse()
    if count >= _FEW:
        return recipe
    return replace(recipe, epochs=5, batch_size=max(2, min(recipe.batch_size, count // 2)))


def _run(source: Path, count: int, *, progress: bool) -> RunFile:
    return RunFile(
        data=TrainingData(train=str(source), kind="sentences", limit=MOST_TEXTS),
        recipe=recipe_for(count),
        recording=Recording(progress=progress),
    )


def _neighbours(encoder: Encoder, texts: Sequence[str], rows: Sequence[int]) -> list[tuple[Hit, ...]]:
    """For each of these texts, the nearest other ones."""
    searched = Searched(encoder, texts)
    found = [(row, searched.nearest(texts[row], _LOOKED_AT + 1)) for row in rows]
    return [tuple(hit for hit in hits if hit.row != row)[:_LOOKED_AT] for row, hits in found]
