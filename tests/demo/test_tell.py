from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from twinset.demo.figures import Figure, System
from twinset.demo.manuals import Manuals
from twinset.demo.tell import told


def _with(story: Manuals, **values: float) -> Manuals:
    """The story with other scores: each system's are all the same."""

    def changed(figure: Figure) -> Figure:
        scores: dict[System, np.ndarray] = {
            system: np.full(len(figure.questions), values.get(system, 0.2)) for system in figure.scores
        }
        return replace(figure, scores=scores)

    held_out = tuple(changed(figure) for figure in story.figures.held_out)
    return replace(story, figures=replace(story.figures, held_out=held_out))


def test_every_figure_stands_beside_its_questions_and_candidates(story: Manuals) -> None:
    lines = told(story).splitlines()
    for figure in story.figures.held_out:
        asked = figure.questions
        means = [
            f"{figure.mean(system):.1f}" for system in ("raw", "trained", "tfidf", "bm25", "with_trained")
        ]
        cells = [asked.package, str(len(asked)), str(len(asked.candidates)), *means]
        assert sum(line.split() == cells for line in lines) >= 1
    for kind in ("description", "name", "see_also"):
        macro = [story.figures.macro(kind, system) for system in ("raw", "trained", "tfidf", "bm25")]  # type: ignore[arg-type]
        assert any(line.split()[:5] == ["mean", *(f"{mean:.1f}" for mean in macro)] for line in lines)


def test_a_gain_and_its_range_are_told(story: Manuals) -> None:
    text = told(_with(story, raw=0.1, trained=0.35))
    assert text.count("training +25.0 (+25.0 to +25.0)") == 3


@pytest.mark.parametrize(
    ("trained", "words"), [(0.1, "it is behind (10.0 to 20.0)"), (0.3, "it is ahead (30.0 to 20.0)")]
)
def test_who_is_better_alone_is_told_as_it_is(story: Manuals, trained: float, words: str) -> None:
    text = " ".join(told(_with(story, trained=trained, with_trained=0.25, with_raw=0.15)).split())
    assert text.count(words) == 3
    assert text.count("both together reach 25.0 (with the raw encoder 15.0)") == 3


def test_a_loss_is_not_hidden(story: Manuals) -> None:
    text = told(_with(story, raw=0.4, trained=0.3, with_trained=0.1))
    assert text.count("training -10.0 (-10.0 to -10.0)") == 3
    assert text.count("-10.0 (-10.0 to -10.0)") == 6


def test_the_limits_are_said(story: Manuals) -> None:
    text = " ".join(told(story).split())
    assert "16 of them stand in 4 files" in text
    assert "one run with one seed" in text
    assert "chosen on bk_dev alone" in text


def test_the_examples_are_side_by_side(story: Manuals) -> None:
    text = told(story)
    assert any(answer.right for example in story.examples for answer in example.after.answers)
    assert "picked before the training" in " ".join(text.split())
    for example in story.examples:
        assert f'"{example.asked}"' in " ".join(text.split())
        assert f"before: found at {example.before.rank:,}" in text
        assert f"after: found at {example.after.rank:,}" in text
        for answer in (*example.before.answers, *example.after.answers):
            assert ("* " if answer.right else "  ") + answer.text in text


def test_the_commands_name_what_is_there(story: Manuals) -> None:
    text = told(story)
    assert f"twinset search {story.folder / 'run'} {story.folder / 'corpus.txt'} " in text
    assert "twinset demo --text your-texts.txt" in text
    spaced = told(replace(story, folder=story.folder / "a b"))
    assert f"twinset search '{story.folder / 'a b' / 'run'}'" in spaced
