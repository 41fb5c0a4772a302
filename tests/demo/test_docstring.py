from __future__ import annotations

import inspect

import pytest

from twinset.demo.docstring import Told, told_by

NUMPYDOC = """
    Return the widths of a gear. All of them, *in order*.

    The widths are measured at the :func:`rim` with a sharp instrument.

    .. versionadded:: 1.2

    Parameters
    ----------
    gear : Gear
        What is measured, with more than six words of text.

    See Also
    --------
    depth, gears.height : Other measures, of the same
        gear and, sometimes, of others.
    :func:`~gears.turn`, :meth:`Gear.stop` : Something else, too.
    `rim`
    Gear.spin: with a colon at once
    two words : is no name

    Notes
    -----
    height : never listed
    """


def test_numpydoc() -> None:
    assert told_by(inspect.cleandoc(NUMPYDOC)) == Told(
        summary="Return the widths of a gear.",
        description="The widths are measured at the rim with a sharp instrument.",
        see_also=("depth", "gears.height", "gears.turn", "Gear.stop", "rim", "Gear.spin"),
    )


def test_google() -> None:
    told = told_by("Opens the given door\n\nArgs:\n    door: a long text about the door to be opened.\n")
    assert told == Told(summary="Opens the given door", description="", see_also=())


def test_the_rest_of_the_first_paragraph_describes_if_it_is_long_enough() -> None:
    told = told_by("Open the given door. It must not be locked from the inside.\n\nAnother paragraph here.")
    assert told is not None
    assert told.description == "It must not be locked from the inside."


@pytest.mark.parametrize(
    ("docstring", "summary"),
    [
        ("Take e.g. The first one. Then more.", "Take e.g. The first one."),
        ("Take version 1.2 of it. Then more.", "Take version 1.2 of it."),
        ("turn(a, b=1) -> gear\n\nTurns the given gear.", "Turns the given gear."),
        ("turn(a,\n     b=1)\n\nTurns the given gear.", "Turns the given gear."),
    ],
)
def test_where_the_summary_is(docstring: str, summary: str) -> None:
    told = told_by(docstring)
    assert told is not None
    assert told.summary == summary


@pytest.mark.parametrize(
    "docstring",
    [
        "",
        "Two words.",
        ">>> turn(gear) and some more",
        "    Indented as a code block is",
        "- a list of things",
        ":param gear: what is turned around",
        "Parameters\n----------\nx : a number of things",
        "turn(a, b)",
    ],
)
def test_no_prose_is_no_summary(docstring: str) -> None:
    assert told_by(docstring) is None


@pytest.mark.parametrize(
    "block",
    [
        ">>> a long piece of code in here",
        "    an indented block of seven words here",
        "* an item of a list of things",
        ".. note:: a directive with a lot of words",
        "Read more in the guide that we wrote",
        "| a | table | with | a | lot | of | words |",
    ],
)
def test_what_is_no_prose_describes_nothing(block: str) -> None:
    told = told_by(f"Open the given door.\n\n{block}\n\nThis is prose of six words.")
    assert told is not None
    assert told.description == "This is prose of six words."


def test_long_texts_are_cut_at_sixty_words() -> None:
    told = told_by("word " * 70 + "\n\n" + "more " * 70)
    assert told is not None
    assert (len(told.summary.split()), len(told.description.split())) == (60, 60)
