"""Single texts, with or without a class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from twinset.data.dataset import Aligned, Unlabelled, Unscored, whole_numbers
from twinset.data.labels import check_labels
from twinset.data.texts import Texts


@dataclass(frozen=True, eq=False, repr=False)
class Sentences(Unlabelled, Unscored, Aligned):
    """Single texts: a corpus."""

    unit: ClassVar[str] = "sentences"
    text_fields: ClassVar[tuple[str, ...]] = ("texts",)

    texts: Texts


@dataclass(frozen=True, eq=False, repr=False)
class LabelledSentences(Unscored, Aligned):
    """Single texts with a class each: `labels` (n,) int64 into `label_names`."""

    unit: ClassVar[str] = "labelled sentences"
    text_fields: ClassVar[tuple[str, ...]] = ("texts",)

    texts: Texts
    labels: np.ndarray
    label_names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", whole_numbers(self.labels, "labels"))
        object.__setattr__(self, "label_names", check_labels(self.labels, self.label_names))
        super().__post_init__()
