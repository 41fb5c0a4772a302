"""What is known before the first cell: which test items hang together, and whether dev has seen them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from twinset.data import Texts
from twinset.encoder import Encoder
from twinset.errors import RecipeError, TwinsetError
from twinset.evaluation import Suite
from twinset.recipes import RunFile
from twinset.recipes.sources import check_fit, training_data, watch
from twinset.studies.design import Study, Variant
from twinset.studies.place import put_json, read_json
from twinset.studies.tested import clusters, read_test, shared_pairs

FACTS = "items.json"


@dataclass(frozen=True, kw_only=True)
class Facts:
    """suite: its name. clusters: by task, equal numbers for items that share texts. warnings: by variant."""

    suite: str
    clusters: Mapping[str, np.ndarray]
    warnings: Mapping[str, tuple[str, ...]]


def gathered(study: Study) -> Facts:
    """Read all that the study names once, so that nothing is found missing after an hour."""
    suite = read_test(study.settings.test)
    seen: dict[object, dict[str, tuple[int, int]]] = {}
    encoders: set[str] = set()
    warnings: dict[str, tuple[str, ...]] = {}
    for variant in study.variants:
        try:
            _check(variant.run, encoders)
            warnings[variant.name] = _warnings(variant, suite, seen)
        except TwinsetError as error:
            raise RecipeError(f"variant {variant.name}: {error}") from error
    return Facts(suite=suite.name, clusters=clusters(suite), warnings=warnings)


def write_facts(facts: Facts, path: Path) -> None:
    """Keep them with the study: its report can then be shown where the data is gone."""
    content = {
        "suite": facts.suite,
        "clusters": {task: numbers.tolist() for task, numbers in facts.clusters.items()},
        "warnings": {name: list(words) for name, words in facts.warnings.items()},
    }
    put_json(path, content)


def read_facts(path: Path) -> Facts:
    """What `write_facts` wrote."""
    content = read_json(path)
    return Facts(
        suite=str(content["suite"]),
        clusters={task: np.array(numbers, np.int64) for task, numbers in content["clusters"].items()},
        warnings={name: tuple(words) for name, words in content["warnings"].items()},
    )


def _check(run: RunFile, encoders: set[str]) -> None:
    """That its data is there and fits its recipe, and its encoder can be loaded."""
    check_fit(training_data(replace(run.data, limit=2)), run.recipe)
    if run.encoder not in encoders:
        Encoder.from_pretrained(run.encoder)
        encoders.add(run.encoder)


def _warnings(
    variant: Variant, suite: Suite, seen: dict[object, dict[str, tuple[int, int]]]
) -> tuple[str, ...]:
    """Checkpoints that are picked on pairs that are scored on, too."""
    data, select = variant.run.data, variant.run.recipe.select
    watched = watch(data)
    if watched is None or (select.keep == "last" and select.patience is None):
        return ()
    key = (data.dev, data.dev_split, data.encoding)
    if key not in seen:
        columns: Sequence[Sequence[Texts]] = [watched.pairs.columns]
        seen[key] = shared_pairs(suite, columns)
    both = {task: counts for task, counts in seen[key].items() if counts[0]}
    if not both:
        return ()
    where = ", ".join(f"{task} ({count:,} of {total:,} pairs)" for task, (count, total) in both.items())
    return (f"checkpoints were picked on pairs that are scored on, too: {where}",)
