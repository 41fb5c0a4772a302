"""What came out, for machines: one object with everything that was told, and every setting."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from twinset.demo.figures import Figure, Figures
from twinset.demo.folder import CORPUS, RUN
from twinset.demo.manuals import Manuals
from twinset.demo.packages import Library
from twinset.demo.questions import KINDS
from twinset.training.recipe import described


def facts(story: Manuals) -> dict[str, Any]:
    """Times by stage, the corpus, the settings, the figures and the examples."""
    return {
        "seconds": {name: round(seconds, 2) for name, seconds in story.seconds.items()},
        "corpus": _corpus(story),
        "training": {
            "pairs": story.pairs,
            "updates": story.updates,
            "recipe": described(story.recipe),
        },
        "figures": [_figure(figure) for figure in story.figures.held_out],
        "means": _means(story.figures),
        "dev": {
            "figures": [_figure(figure) for figure in story.figures.dev],
            "words": story.figures.choice.words,
            "weights": {name: dict(kinds) for name, kinds in story.figures.choice.weights.items()},
        },
        "examples": [asdict(each) for each in story.examples],
        "model": str(story.folder / RUN / "model"),
        "texts": str(story.folder / CORPUS),
    }


def _corpus(story: Manuals) -> dict[str, Any]:
    side = _sides(story.library)
    packages = [
        {
            "package": package.name,
            "version": package.version(),
            "side": side[package.name],
            "docstrings": story.sides.read[package.name],
            "left out as copies": story.sides.left_out.get(package.name, 0),
        }
        for package in story.library
    ]
    return {"digest": story.sides.digest, "packages": packages}


def _sides(library: Library) -> dict[str, str]:
    sides = {package.name: "training" for package in library.training}
    return {**sides, library.dev.name: "dev", **{package.name: "held out" for package in library.held_out}}


def _figure(figure: Figure) -> dict[str, Any]:
    asked = figure.questions
    return {
        "package": asked.package,
        "kind": asked.kind,
        "metric": _metric(asked.kind),
        "questions": len(asked),
        "candidates": len(asked.candidates),
        "files": len(set(asked.files)),
        "scores": {system: figure.mean(system) for system in figure.scores},
    }


def _means(figures: Figures) -> list[dict[str, Any]]:
    words = figures.choice.words
    return [
        {
            "kind": kind,
            "metric": _metric(kind),
            "scores": {system: figures.macro(kind, system) for system in figures.of(kind)[0].scores},
            "trained over raw": _gain(figures.gain(kind, "trained", "raw")),
            f"with trained over {words}": _gain(figures.gain(kind, "with_trained", words)),
        }
        for kind in KINDS
    ]


def _gain(found: tuple[float, float, float]) -> dict[str, float]:
    return dict(zip(("points", "low", "high"), found, strict=True))


def _metric(kind: str) -> str:
    return "MAP x 100" if kind == "see_also" else "MRR x 100"
