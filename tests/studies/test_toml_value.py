from __future__ import annotations

import tomllib

from hypothesis import given
from hypothesis import strategies as st

from twinset.studies.toml_value import toml_value

values = st.recursive(
    st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(values)
def test_what_is_written_reads_back(value: object) -> None:
    assert tomllib.loads(f"value = {toml_value(value)}")["value"] == value
