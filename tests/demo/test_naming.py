from __future__ import annotations

import doctest

import pytest

from twinset.demo import naming
from twinset.demo.naming import in_words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("read_csv", "read csv"),
        ("DiGraph.add_weighted_edges_from", "di graph add weighted edges from"),
        ("KMeans", "k means"),
        ("HTTPSConnection", "https connection"),
        ("Conv2d", "conv2d"),
        ("UMAP", "umap"),
    ],
)
def test_names_in_words(name: str, words: str) -> None:
    assert in_words(name) == words


def test_example() -> None:
    assert doctest.testmod(naming).failed == 0
