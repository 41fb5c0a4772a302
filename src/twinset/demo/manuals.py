"""The demo's work: learn the manuals of the installed packages, and see what it is worth on other ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from twinset.demo import folder as place
from twinset.demo.corpus import Entry
from twinset.demo.examples import Example, examples
from twinset.demo.figures import Figures, figures
from twinset.demo.judge import Cosines
from twinset.demo.packages import Library
from twinset.demo.pairs import pairs, write_pairs
from twinset.demo.questions import KINDS, Questions, questions
from twinset.demo.sides import Sides, read_sides
from twinset.demo.stages import Stages
from twinset.encoder import Encoder
from twinset.errors import RequestError, WorkError
from twinset.recipes.perform import perform
from twinset.recipes.runfile import RunFile, TrainingData
from twinset.training import Recipe, Recording


@dataclass(frozen=True, kw_only=True)
class Manuals:
    """What came out. pairs: how many were learned from. seconds: by stage, and of the whole."""

    library: Library
    sides: Sides
    recipe: Recipe
    pairs: int
    updates: int
    figures: Figures
    examples: tuple[Example, ...]
    seconds: Mapping[str, float]
    folder: Path


def learn_manuals(folder: Path, stages: Stages, *, library: Library, recipe: Recipe) -> Manuals:
    """Read, ask, train, ask again. The folder gets the pairs, the run, and a corpus to search in."""
    for package in library:
        package.files()  # one that is missing is told before anything is done
    place.make(folder)
    with stages.stage("reading", _will_read(library)):
        sides = read_sides(library, through=stages.through)
        learned = pairs(sides.training)
        _write(folder, sides, learned)
    dev = _asked(library.dev.name, sides.dev)
    held_out = [each for name, entries in sides.held_out.items() for each in _asked(name, entries)]
    count = sum(map(len, held_out))
    stages.note(_was_read(sides, len(learned)))
    with stages.stage("asking the raw encoder", f"Asking the raw encoder {count:,} questions about them."):
        raw = Cosines(Encoder.mini(), [*dev, *held_out], progress=stages.bars)
    with stages.stage("training", "Training it on the pairs."):
        done = perform(_run(folder, recipe), out=folder / place.RUN)
    with stages.stage("asking the trained encoder", "Asking the trained one the same questions."):
        trained = Cosines(done.run.encoder, [*dev, *held_out], progress=stages.bars)
    with stages.stage("comparing", "Comparing with search by words, and with both together."):
        found = figures(dev, held_out, raw, trained)
        shown = examples([each for each in held_out if each.kind == "description"], raw, trained)
    return Manuals(
        library=library,
        sides=sides,
        recipe=recipe,
        pairs=len(learned),
        updates=done.run.updates,
        figures=found,
        examples=shown,
        seconds={**stages.seconds, "total": stages.total},
        folder=folder,
    )


def _asked(package: str, entries: tuple[Entry, ...]) -> list[Questions]:
    """The package's questions of each kind; without any there is nothing to score."""
    found = [questions(entries, kind, package=package) for kind in KINDS]
    for each in found:
        if not len(each):
            raise RequestError(
                f"the demo asks about {package}, whose docstrings give no question of kind {each.kind!r}; "
                "is it the version of constraints.txt?"
            )
    return found


def _write(folder: Path, sides: Sides, learned: list[tuple[str, str]]) -> None:
    try:
        write_pairs(learned, folder / place.PAIRS)
        texts = dict.fromkeys(entry.text for entries in sides.held_out.values() for entry in entries)
        (folder / place.CORPUS).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    except OSError as error:
        raise WorkError(f"{folder}: cannot be written to: {error.strerror}") from error


def _run(folder: Path, recipe: Recipe) -> RunFile:
    return RunFile(
        data=TrainingData(train=str(folder / place.PAIRS), kind="pairs", columns=("first", "second")),
        recipe=recipe,
        recording=Recording(progress=True),
    )


def _will_read(library: Library) -> str:
    names = ", ".join(package.name for package in library.held_out)
    return (
        f"Reading the manuals of {len(library.training)} packages to learn from, and of {names} "
        "to be asked about."
    )


def _was_read(sides: Sides, learned: int) -> str:
    asked = sum(map(len, sides.held_out.values()))
    learn_from = f"{len(sides.training):,} docstrings give {learned:,} pairs to learn from"
    return f"{learn_from}; {asked:,} others are held out."
