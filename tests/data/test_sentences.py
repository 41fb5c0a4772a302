from __future__ import annotations

import numpy as np
import pytest

from twinset.data import LabelledSentences, Sentences
from twinset.errors import DataError


def test_sentences_have_no_labels_and_no_scores() -> None:
    data = Sentences(["one", "two"], roles=("document",))
    assert (data.labels, data.scores) == (None, None)
    assert list(data.texts) == ["one", "two"]
    assert data.roles == ("document",)


def test_labels_point_into_names() -> None:
    data = LabelledSentences(["one", "two"], np.array([1, 0]), ("bad", "good"))
    assert data.labels.dtype == np.int64
    assert LabelledSentences(["one", "two"], [1, 0]).label_names == ("0", "1")
    with pytest.raises(DataError, match="2 is none of the 2 label_names"):
        LabelledSentences(["one"], np.array([2]), ("bad", "good"))
