from __future__ import annotations

import doctest

import pytest

from twinset.demo import plain as module
from twinset.demo.plain import plain


@pytest.mark.parametrize(
    ("written", "words"),
    [
        (":func:`~numpy.dot` of *a* and **b**", "numpy.dot of a and b"),
        (":ref:`the guide <guide-target>` says", "the guide says"),
        (":class:`!Graph` and ``x[0]``", "Graph and x[0]"),
        ("see `the page <https://a.b/c>`__ now", "see the page now"),
        ("see [the page](https://a.b/c) or ![a picture](x.png)", "see the page or a picture"),
        ("as in [1]_ and https://a.b/c here", "as in and here"),
        ("where :math:`x^2` is $x \\times x$ squared", "where is squared"),
        ("as follows::", "as follows:"),
        ("a\n   b\tc", "a b c"),
        ("a::b stays, 2 * 3 does not", "a::b stays, 2 3 does not"),
    ],
)
def test_markup_goes_and_words_stay(written: str, words: str) -> None:
    assert plain(written) == words


def test_example() -> None:
    assert doctest.testmod(module).failed == 0
