"""The demo's words: what came out, what it shows, and what it does not."""

from __future__ import annotations

from collections.abc import Iterator
from operator import add
from shlex import quote
from textwrap import fill

from twinset.demo.examples import RULE, Example, Found
from twinset.demo.figures import Figures, System
from twinset.demo.folder import CORPUS, RUN
from twinset.demo.manuals import Manuals
from twinset.demo.one_line import one_line
from twinset.demo.questions import KINDS, Kind

_TITLES: dict[Kind, str] = {
    "description": "a description finds its summary (MRR x 100)",
    "name": "a name finds its summary (MRR x 100)",
    "see_also": 'a docstring finds its "See Also" list (MAP x 100)',
}
_SHORT: dict[Kind, str] = {
    "description": "description -> summary",
    "name": "name -> summary",
    "see_also": "See Also",
}
_WORDS = {"tfidf": "TF-IDF", "bm25": "BM25"}
_SHOWN: tuple[System, ...] = ("raw", "trained", "tfidf", "bm25", "with_trained")
_HALF = 48
_WIDTH = 100


def told(story: Manuals) -> str:
    """For people."""
    parts = [
        "\n".join(_table(story.figures)),
        _notes(story.figures),
        "\n".join(_gains(story.figures)),
        _worth(story.figures),
        fill(f"{len(story.examples)} searches, before and after ({RULE}; * is right):", _WIDTH),
        *(_example(each) for each in story.examples),
        _next(story),
    ]
    return "\n\n".join(parts)


def _table(figures: Figures) -> Iterator[str]:
    both = f"{_WORDS[figures.choice.words]}+trained"
    heads = ("questions", "among", "raw", "trained", "TF-IDF", "BM25", both)
    widths = [max(8, len(head) + 2) for head in heads]

    def line(first: str, cells: tuple[str, ...]) -> str:
        return f"{first:14}" + "".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))

    yield line("", heads)
    for kind in KINDS:
        yield _TITLES[kind]
        for figure in figures.of(kind):
            asked, among = len(figure.questions), len(figure.questions.candidates)
            means = (f"{figure.mean(system):.1f}" for system in _SHOWN)
            yield line(f"  {figure.questions.package}", (f"{asked:,}", f"{among:,}", *means))
        yield line("  mean", ("", "", *(f"{figures.macro(kind, system):.1f}" for system in _SHOWN)))


def _gains(figures: Figures) -> Iterator[str]:
    words = figures.choice.words
    yield "Gains in points, and between which bounds other files of such packages would put them (95%):"
    for kind in KINDS:
        trained = _points(figures.gain(kind, "trained", "raw"))
        both = _points(figures.gain(kind, "with_trained", words))
        yield f"  {_SHORT[kind]:24}training {trained}   beside {_WORDS[words]} {both}"


def _points(gain: tuple[float, float, float]) -> str:
    return f"{gain[0]:+.1f} ({gain[1]:+.1f} to {gain[2]:+.1f})"


def _notes(figures: Figures) -> str:
    """How to read the table."""
    words, dev = _WORDS[figures.choice.words], figures.dev[0].questions.package
    shares = ", ".join(f"{figures.choice.weights['trained'][kind]:g}" for kind in KINDS)
    lists = [figure.questions for figure in figures.of("see_also")]
    files = sum(len(set(each.files)) for each in lists)
    return fill(
        f"{words}+trained adds the two scores, standardised; the encoder's share ({shares}) was chosen on "
        f"{dev} alone. See Also lists hang together: {sum(map(len, lists)):,} of them stand in {files:,} "
        "files.",
        _WIDTH,
    )


def _worth(figures: Figures) -> str:
    """What the gain proves, and what the encoder is worth beside an index of words."""
    words = _WORDS[figures.choice.words]
    return fill(
        "What this proves is the gain: nobody labelled anything, and the packages asked about were never "
        f"learned from. What 22 MB of encoder are worth is another question. Beside {words}, an index of "
        f"words that needs no training: {'; '.join(_beside(figures, kind) for kind in KINDS)}. "
        "And this is one run with one seed: the ranges speak of other files, not of other seeds.",
        _WIDTH,
    )


def _beside(figures: Figures, kind: Kind) -> str:
    """One kind of question: who finds more alone, and what both find together."""
    words = figures.choice.words
    alone, trained = figures.macro(kind, words), figures.macro(kind, "trained")
    order = "behind" if alone > trained else "ahead"
    both, with_raw = figures.macro(kind, "with_trained"), figures.macro(kind, "with_raw")
    return (
        f"for {_SHORT[kind]} it is {order} ({trained:.1f} to {alone:.1f}), and both together reach "
        f"{both:.1f} (with the raw encoder {with_raw:.1f})"
    )


def _example(example: Example) -> str:
    head = (
        fill(f'{example.package}: "{one_line(example.asked, 240)}"', _WIDTH, subsequent_indent="  ")
        + f'\n  wanted, among {example.candidates:,}: "{one_line(example.right, 70)}"'
    )
    before, after = _column("before", example.before), _column("after", example.after)
    rows = (f"  {left:{_HALF}}  {right}" for left, right in zip(before, after, strict=True))
    return "\n".join([head, *(row.rstrip() for row in rows)])


def _column(title: str, found: Found) -> list[str]:
    marks = ("* " if answer.right else "  " for answer in found.answers)
    texts = (one_line(answer.text, _HALF - 2) for answer in found.answers)
    return [f"{title}: found at {found.rank:,}", *map(add, marks, texts)]


def _next(story: Manuals) -> str:
    run, corpus = quote(str(story.folder / RUN)), quote(str(story.folder / CORPUS))
    return "\n".join(
        [
            "Look for yourself, in the packages it never saw:",
            f'  twinset search {run} {corpus} "shortest way between two points"',
            "With texts of your own, one a line (a few thousand are a good start), by SimCSE:",
            "  twinset demo --text your-texts.txt",
        ]
    )
