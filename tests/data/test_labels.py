from __future__ import annotations

import pytest

from twinset.data.labels import label_order


@pytest.mark.parametrize(
    ("values", "names"),
    [
        (["b", "a"], ("a", "b")),
        (["1", "0"], ("0", "1")),
        (["1"], ("0", "1")),  # duplicates only: 1 stays 1
        (["10", "9"], tuple(str(i) for i in range(11))),
        (["-1", "1"], ("-1", "1")),
        (["1", "01"], ("01", "1")),
        (["4000", "30"], ("30", "4000")),
        ([], ()),
    ],
)
def test_codes_keep_their_value_and_words_go_by_alphabet(values: list[str], names: tuple[str, ...]) -> None:
    assert label_order(values) == names
