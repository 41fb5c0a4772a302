"""From a study's folder to its result: cells read, and compared unless that was done before."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from hashlib import blake2b
from pathlib import Path
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError

from twinset.evidence import System
from twinset.studies.compare import Said, Told, against, chosen
from twinset.studies.design import Cell, Study
from twinset.studies.dev import dev_score
from twinset.studies.facts import FACTS, Facts, read_facts
from twinset.studies.order import TEST
from twinset.studies.place import RESULTS, put_json, read_json
from twinset.studies.result import Against, Failed, OfVariant, RunScores, StudyResult
from twinset.studies.screening import Screened, finalists
from twinset.studies.tested import Scored, read_scored, shown_metric
from twinset.studies.work import Work

LEVEL = 0.95
_SAME = ("packages", "processor", "device", "precision", "threads")


def collected(
    work: Work, screened: tuple[Screened, ...] | None, failed: Sequence[Failed], told: Told
) -> StudyResult:
    """The result of what is done by now, and results.json. screened: None until the finalists are known."""
    study = work.study
    facts = read_facts(work.folder / FACTS)
    counted = () if screened is None else study.counted(finalists(study, screened))
    done = [cell for cell in counted if work.is_done(cell)]
    scored = {cell: read_scored(work.place(cell) / TEST) for cell in done}
    variants = _variants(work, scored)
    key = _made_from(work, facts, done)
    known = _before(work.folder / RESULTS, key)
    result = StudyResult(
        name=study.name,
        folder=str(work.folder),
        suite=facts.suite,
        metric=shown_metric(scored.values()),
        tasks=tuple(facts.clusters),
        baseline=study.baseline,
        level=LEVEL,
        variants=variants,
        against=_against(work, scored, facts, told) if known is None else known,
        screened=screened or (),
        failed=tuple(failed),
        warnings=_warnings(work, variants, facts, done),
        cells=(len(counted), len(done)),
        made_from=key,
    )
    put_json(work.folder / RESULTS, as_json(result))
    return result


def as_json(result: StudyResult) -> dict[str, Any]:
    """A result for machines; what is not a number is null."""
    fields = cast("dict[str, Any]", json.loads(json.dumps(asdict(result)), parse_constant=lambda _: None))
    for row, variant in zip(fields["variants"], result.variants, strict=True):
        best = variant.best
        row.update(mean=_number(variant.mean), sd=_number(variant.sd), dev=_number(variant.dev))
        row.update(best_on_dev=None if best is None else best.seed)
    return fields


def failed_before(folder: Path) -> tuple[Failed, ...]:
    """What the last call told of cells that failed."""
    path = folder / RESULTS
    return () if not path.is_file() else _read(tuple[Failed, ...], read_json(path).get("failed")) or ()


def _variants(work: Work, scored: Mapping[Cell, Scored]) -> tuple[OfVariant, ...]:
    study, looked_at = work.study, settings_looked_at(work.study)
    found: list[OfVariant] = []
    for variant in study.variants:
        runs = tuple(
            RunScores(
                seed=cell.seed,
                dev=dev_score(work.place(cell), variant.run),
                average=each.average,
                tasks=each.scores,
            )
            for cell, each in scored.items()
            if cell.variant.name == variant.name
        )
        if runs:
            settings = looked_at[variant.name]
            found.append(OfVariant(name=variant.name, settings=settings, runs=runs, chosen=chosen(runs)))
    return tuple(found)


def settings_looked_at(study: Study) -> dict[str, int]:
    """For each variant, the settings of its family that were compared on dev: in a screening all of them."""
    families = [variant.family for variant in study.variants]
    return {
        variant.name: variant.tried + (families.count(variant.family) - 1 if study.screening else 0)
        for variant in study.variants
    }


def _against(work: Work, scored: Mapping[Cell, Scored], facts: Facts, told: Told) -> tuple[Against, ...]:
    runs: dict[str, list[Scored]] = {}
    for cell, each in scored.items():
        runs.setdefault(cell.variant.name, []).append(each)
    systems = [
        System(
            name=name,
            runs=tuple(each.items for each in own),
            seeded=True,
            warnings=facts.warnings.get(name, ()),
        )
        for name, own in runs.items()
    ]
    settings = work.study.settings
    said = Said(draws=settings.draws, margin=settings.margin, workers=work.share.processes, level=LEVEL)
    return against(systems, work.study.baseline, facts.clusters, said, told)


def _warnings(
    work: Work, variants: Sequence[OfVariant], facts: Facts, done: Sequence[Cell]
) -> tuple[str, ...]:
    names = [variant.name for variant in variants]
    own = [(name, words) for name in names for words in facts.warnings.get(name, ())]
    found: list[str] = []
    for words in dict.fromkeys(words for _, words in own):
        who = [name for name, each in own if each == words]
        found.append(words if len(who) == len(names) else f"{', '.join(who)}: {words}")
    budgets = {variant.name: variant.settings for variant in variants}
    if len(set(budgets.values())) > 1:
        told = ", ".join(f"{name} {count}" for name, count in budgets.items())
        found.append(f"not the same number of settings was looked at on dev ({told}): more looks find more")
    counts = {len(variant.runs) for variant in variants}
    if len(counts) > 1:
        found.append("not all variants have the same number of runs")
    return (*found, *_other_machines(work, done))


def _other_machines(work: Work, done: Sequence[Cell]) -> list[str]:
    """Runs of other versions, threads or processors are not quite the same runs."""
    seen: dict[str, set[str]] = {name: set() for name in _SAME}
    for cell in done:
        path = work.place(cell) / "environment.json"
        if path.is_file():
            record = read_json(path)
            for name in _SAME:
                seen[name].add(json.dumps(record.get(name), sort_keys=True))
    differing = [name for name, values in seen.items() if len(values) > 1]
    return [f"not all runs were made with the same {', '.join(differing)}"] if differing else []


def _made_from(work: Work, facts: Facts, done: Sequence[Cell]) -> str:
    """A hash of everything that the comparisons are a function of."""
    settings = work.study.settings
    digest = blake2b(digest_size=16)
    digest.update(repr((work.study.baseline, settings.draws, settings.margin, dict(facts.warnings))).encode())
    digest.update((work.folder / FACTS).read_bytes())
    for cell in done:
        digest.update(f"{cell}\n".encode() + (work.place(cell) / TEST).read_bytes())
    return digest.hexdigest()


def _before(path: Path, key: str) -> tuple[Against, ...] | None:
    """The comparisons of the last call, where they were made from the same."""
    if not path.is_file():
        return None
    record = read_json(path)
    return _read(tuple[Against, ...], record.get("against")) if record.get("made_from") == key else None


def _read(kind: Any, value: object) -> Any:  # noqa: ANN401 - whatever the kind is
    try:
        return TypeAdapter(kind).validate_python(value)
    except ValidationError:  # of another version, or with a null for what was no number
        return None


def _number(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
