"""Two texts a row: a pair that belongs together, with a graded score, or with a class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from twinset.data.dataset import Aligned, Unlabelled, Unscored, finite_numbers, whole_numbers
from twinset.data.labels import check_labels
from twinset.data.texts import Texts


@dataclass(frozen=True, eq=False, repr=False)
class Pairs(Unlabelled, Unscored, Aligned):
    """Two texts that belong together: duplicates, a question and its answer."""

    unit: ClassVar[str] = "pairs"
    text_fields: ClassVar[tuple[str, ...]] = ("first", "second")

    first: Texts
    second: Texts


@dataclass(frozen=True, eq=False, repr=False)
class ScoredPairs(Unlabelled, Aligned):
    """Two texts and how alike they are: `scores` (n,) float64, finite, on any scale."""

    unit: ClassVar[str] = "scored pairs"
    text_fields: ClassVar[tuple[str, ...]] = ("first", "second")

    first: Texts
    second: Texts
    scores: np.ndarray

    def __post_init__(self) -> None:
        object.__setattr__(self, "scores", finite_numbers(self.scores, "scores"))
        super().__post_init__()


@dataclass(frozen=True, eq=False, repr=False)
class LabelledPairs(Unscored, Aligned):
    """Two texts and the class of their relation: `labels` (n,) int64 into `label_names`."""

    unit: ClassVar[str] = "labelled pairs"
    text_fields: ClassVar[tuple[str, ...]] = ("first", "second")

    first: Texts
    second: Texts
    labels: np.ndarray
    label_names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", whole_numbers(self.labels, "labels"))
        object.__setattr__(self, "label_names", check_labels(self.labels, self.label_names))
        super().__post_init__()
