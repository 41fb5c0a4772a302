"""The demo's work: train the built-in encoder on a handful of texts, and look before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from twinset.data import read_sentences
from twinset.demo.library import Topic, topics
from twinset.demo.nearest import Hit, Searched
from twinset.demo.retrieval import Found, found_by
from twinset.encoder import Encoder
from twinset.errors import RequestError
from twinset.recipes.perform import perform
from twinset.recipes.runfile import RunFile, TrainingData
from twinset.recipes.simcse import simcse
from twinset.training import Recipe, Recording

TEXTS = "texts.txt"
RUN = "run"
MOST_TEXTS = 10_000
_FEW = 1_000
_LOOKED_AT = 3


@dataclass(frozen=True, kw_only=True)
class Story:
    """What came out on the built-in questions."""

    topics: tuple[Topic, ...]
    before: Found
    after: Found
    updates: int
    seconds: float
    folder: Path

    @property
    def better(self) -> int:
        """Questions whose first right answer moved up."""
        return sum(new < old for old, new in zip(self.before.ranks, self.after.ranks, strict=True))

    @property
    def worse(self) -> int:
        """Questions whose first right answer moved down."""
        return sum(new > old for old, new in zip(self.before.ranks, self.after.ranks, strict=True))


@dataclass(frozen=True, kw_only=True)
class Neighbours:
    """One of the reader's texts, and what is nearest to it before and after."""

    text: str
    before: tuple[Hit, ...]
    after: tuple[Hit, ...]


@dataclass(frozen=True, kw_only=True)
class OwnText:
    """What came out on the reader's own texts. There is no right answer, so no score."""

    source: Path
    texts: int
    looked_at: tuple[Neighbours, ...]
    updates: int
    seconds: float
    folder: Path


def library_story(folder: Path, *, progress: bool = True) -> Story:
    """Train on the built-in questions; the folder gets the texts and the run."""
    told = topics()
    _make(folder)
    texts = folder / TEXTS
    texts.write_text("".join(f"{text}\n" for topic in told for text in topic.known), encoding="utf-8")
    base = Encoder.mini()
    before = found_by(base, told)
    done = perform(_run(texts, 80, progress=progress), out=folder / RUN)
    return Story(
        topics=told,
        before=before,
        after=found_by(done.run.encoder, told),
        updates=done.run.updates,
        seconds=done.run.seconds,
        folder=folder,
    )


def own_story(source: Path, folder: Path, *, progress: bool = True) -> OwnText:
    """Train on the reader's texts, and look at the neighbours of a few of them."""
    texts = read_sentences(source, limit=MOST_TEXTS).columns[0].unique()
    if len(texts) < 2 * _LOOKED_AT:
        raise RequestError(f"{source}: has {len(texts)} different texts; the demo wants {2 * _LOOKED_AT}")
    _make(folder)
    base = Encoder.mini()
    chosen = [len(texts) * place // _LOOKED_AT for place in range(_LOOKED_AT)]
    before = [_neighbours(base, texts, row) for row in chosen]
    done = perform(_run(source, len(texts), progress=progress), out=folder / RUN)
    after = [_neighbours(done.run.encoder, texts, row) for row in chosen]
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


def _neighbours(encoder: Encoder, texts: Sequence[str], row: int) -> tuple[Hit, ...]:
    """The nearest other texts."""
    hits = Searched(encoder, texts).nearest(texts[row], _LOOKED_AT + 1)
    return tuple(hit for hit in hits if hit.row != row)[:_LOOKED_AT]


def _make(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise RequestError(f"{folder}: is a file; name a folder")
    if folder.is_dir() and any(folder.iterdir()):
        raise RequestError(f"{folder}: is there already and not empty; name a new folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RequestError(f"{folder}: cannot be made: {error.strerror}") from error
