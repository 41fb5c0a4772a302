from __future__ import annotations

import numpy as np
import pytest

from twinset.data.raw import Collector
from twinset.data.request import Chosen
from twinset.data.texts import CHUNK
from twinset.errors import DataError


def test_rows_keep_their_numbers_over_chunks() -> None:
    collector = Collector("f", "line", Chosen(texts=("a",)))
    for i in range(CHUNK + 2):
        collector.add([str(i)], 2 * i)
    raw = collector.finish()
    assert raw.table["a"].to_pylist() == [str(i) for i in range(CHUNK + 2)]
    assert raw.at(CHUNK + 1) == f"f, line {2 * CHUNK + 2}"
    kept = raw.keep(np.array([3]), "one kept")
    assert kept.at(0) == "f, line 6"
    assert kept.notes == ("one kept",)


@pytest.mark.parametrize("value", [4, "\ud83d"])
def test_what_is_no_text_is_named_by_its_line_in_every_chunk(value: object) -> None:
    collector = Collector("f", "line", Chosen(texts=("a",)))
    for i in range(CHUNK + 3):
        collector.add(["fine"], i + 1)
    collector.add([value], 90_000)
    with pytest.raises(DataError, match="f, line 90000: "):
        collector.finish()


@pytest.mark.parametrize(
    ("value", "message"), [(4, "'a' is a int, not a text: 4"), ("\ud83d", "half a character")]
)
def test_what_is_no_text_is_named_by_its_line(value: object, message: str) -> None:
    collector = Collector("f", "line", Chosen(texts=("a",)))
    collector.add(["fine"], 1)
    collector.add([value], 7)
    with pytest.raises(DataError, match=f"f, line 7: .*{message}"):
        collector.finish()
