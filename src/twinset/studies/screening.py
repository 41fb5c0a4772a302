"""Which variants go on: the best on dev over the screening's seeds, and always the baseline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from twinset.studies.design import Study, Variant


@dataclass(frozen=True, kw_only=True)
class Screened:
    """One variant's screening. dev: a score for each of its seeds; a variant that failed has none."""

    variant: str
    dev: tuple[float, ...]
    kept: bool

    @property
    def mean(self) -> float | None:
        return float(np.mean(self.dev)) if self.dev else None


def screened(study: Study, dev: Mapping[str, tuple[float, ...]]) -> tuple[Screened, ...]:
    """The best first. A variant with a failed run has no scores here, and is not chosen."""
    screen = study.settings.screen
    if screen is None:
        return ()
    # Sorting keeps the study file's order among equals.
    ordered = sorted(study.variants, key=lambda each: -np.mean(dev[each.name]) if dev[each.name] else np.inf)
    best = [each.name for each in ordered if dev[each.name]][: screen.keep]
    return tuple(
        Screened(
            variant=each.name,
            dev=dev[each.name],
            kept=each.name in best or each.name == study.baseline,
        )
        for each in ordered
    )


def finalists(study: Study, found: tuple[Screened, ...]) -> tuple[Variant, ...]:
    """In the study file's order; everyone where nobody was screened."""
    if not found:
        return study.variants
    kept = {each.variant for each in found if each.kept}
    return tuple(each for each in study.variants if each.name in kept)
