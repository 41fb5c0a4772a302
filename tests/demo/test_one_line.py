from __future__ import annotations

import doctest

from twinset.demo import one_line as module
from twinset.demo.one_line import one_line


def test_a_long_text_is_cut_and_a_short_one_is_not() -> None:
    assert one_line("x" * 100) == "x" * 100
    assert one_line("x" * 101) == "x" * 99 + "…"
    assert one_line(" a\n\n b\t ") == "a b"


def test_example() -> None:
    assert doctest.testmod(module).failed == 0
