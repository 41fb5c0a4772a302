from __future__ import annotations

import pytest

from tests.demo.entries import entry
from twinset.demo.links import Links

ENTRIES = [
    entry("pk.linalg._norms:norm", "x"),  # 0
    entry("pk.sparse._norms:norm", "x"),  # 1
    entry("pk.linalg._norms:rank", "x"),  # 2
    entry("pk.graph:Graph", "x"),  # 3
    entry("pk.graph:Graph.copy", "x"),  # 4
    entry("pk.digraph:DiGraph.copy", "x"),  # 5
    entry("pk.copying:copy", "x"),  # 6
]


@pytest.mark.parametrize(
    ("row", "names", "rows"),
    [
        (2, ["norm"], (0,)),  # of two, the one in the same file
        (1, ["rank"], (2,)),
        (2, ["pk.linalg.norm"], (0,)),  # defined in a file that the public name does not tell
        (3, ["Graph.copy"], (4,)),  # the longest ending
        (0, ["DiGraph.copy", "Graph.copy"], (4, 5)),
        (5, ["copy"], ()),  # itself is nearest, and is nothing to point at
        (3, ["copy"], (4,)),  # of three, the one in the same file
        (0, ["copy"], (4, 5, 6)),  # of three, none is nearer
        (0, ["other.norm", "numpy.linalg.rank"], ()),  # another package's
        (0, ["none", "ndarray.copy"], ()),
        (0, [], ()),
    ],
)
def test_what_a_name_means(row: int, names: list[str], rows: tuple[int, ...]) -> None:
    assert Links(ENTRIES).of(row, names) == rows
