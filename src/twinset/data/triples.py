"""Three texts a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from twinset.data.dataset import Aligned, Unlabelled, Unscored
from twinset.data.texts import Texts


@dataclass(frozen=True, eq=False, repr=False)
class Triples(Unlabelled, Unscored, Aligned):
    """A text, one that belongs to it and one that does not (NLI: premise, entailment, contradiction)."""

    unit: ClassVar[str] = "triples"
    text_fields: ClassVar[tuple[str, ...]] = ("anchor", "positive", "negative")

    anchor: Texts
    positive: Texts
    negative: Texts
