"""What a finished run scored on dev, with the weights that were kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from twinset.errors import DataError
from twinset.recipes import RunFile
from twinset.training.record import SCORES


def dev_score(folder: Path, run: RunFile) -> float | None:
    """By the score that decides; None without dev."""
    path = folder / SCORES
    try:
        record = cast("Mapping[str, Any]", json.loads(path.read_bytes()))
        look = record["best"] if run.recipe.select.keep == "best" else (record["watch"] or [None])[-1]
        if look is None:
            return None
        scores = cast("Mapping[str, float]", look["scores"])
        return float(scores[run.recipe.select.metric or next(iter(scores))])
    except (OSError, ValueError, KeyError, TypeError, IndexError, StopIteration) as error:
        raise DataError(
            f"{path}: is not the record of a finished run: {error!r}; remove its folder"
        ) from error
