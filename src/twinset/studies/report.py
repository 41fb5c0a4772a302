"""A study's result for people and for other programs, in the forms that they read."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from twinset.studies import layout
from twinset.studies.result import Against, OfVariant, StudyResult
from twinset.training.disk import Disk

_NONE = "-"


def as_text(result: StudyResult) -> str:
    """For a terminal."""
    parts = [_title(result)]
    if result.variants:
        parts.append(layout.text(_scores(result)))
        if result.against:
            parts.append(layout.text(_differences(result), left=2))
            # One comparison can be read whole; of several, the page has the rest.
            one = len(result.against) == 1
            parts.append("\n".join(_whole(each, "  ") if one else _sentence(each) for each in result.against))
        best = _best_of(result)
        if best:
            parts.append("\n".join(["the best of k runs on dev, on average on test:", layout.text(best)]))
    if result.screened:
        parts.append("\n".join(["screened on dev:", layout.text(_screened(result))]))
    parts.append("\n".join(_notes(result)))
    return "\n\n".join(part for part in parts if part)


def as_markdown(result: StudyResult) -> str:
    """For a page: the tables of the terminal, and what choosing on dev is worth."""
    parts = [f"# {result.name}", _title(result)]
    if result.variants:
        parts.append(layout.markdown(_scores(result)))
        if result.against:
            parts += [f"## Against {result.baseline}", layout.markdown(_differences(result), left=2)]
            parts += [_whole(each, "- ") for each in result.against]
        best = _best_of(result)
        if best:
            parts += ["## The best of k runs on dev, on average on test", layout.markdown(best)]
    if result.screened:
        parts += ["## Screened on dev", layout.markdown(_screened(result))]
    notes = list(_notes(result))
    if notes:
        parts += ["## Notes", "\n".join(f"- {note}" for note in notes)]
    return "\n\n".join(parts) + "\n"


def as_latex(result: StudyResult) -> str:
    """Scores and differences as two tables for booktabs."""
    seen = [layout.latex(_scores(result), f"{_title(result)}.")] if result.variants else []
    if result.against:
        holm = "; the verdict follows p (Holm)" if len(result.against) > 1 else ""
        caption = f"Against {result.baseline}, {result.metric}{holm}."
        seen.append(layout.latex(_differences(result), caption, left=2))
    return "\n\n".join(seen) + "\n"


def write_report(result: StudyResult, folder: Path) -> None:
    """report.md, report.tex, variants.csv and runs.csv, each whole or not at all."""
    files = {
        "report.md": as_markdown(result),
        "report.tex": as_latex(result),
        "variants.csv": layout.comma_separated(_variant_rows(result)),
        "runs.csv": layout.comma_separated(_run_rows(result)),
    }
    for name, content in files.items():
        Disk().put(folder / name, content.encode())


def _title(result: StudyResult) -> str:
    cells, done = result.cells
    how_far = "" if done == cells else f"; {done} of {cells} runs are done"
    return f"{result.name}: {result.suite}, {result.metric}, mean ± standard deviation over seeds{how_far}"


def _scores(result: StudyResult) -> list[list[str]]:
    several = len(result.tasks) > 1
    dev = any(variant.dev is not None for variant in result.variants)
    heading = ["variant", "runs", *(["dev"] if dev else []), *result.tasks, *(["average"] if several else [])]
    rows = [heading + (["best on dev"] if dev else [])]
    for variant in result.variants:
        scores = [_spread(*variant.on(task)) for task in result.tasks]
        average = [_spread(variant.mean, variant.sd)] if several else []
        row = [
            variant.name,
            str(len(variant.runs)),
            *([_percent(variant.dev)] if dev else []),
            *scores,
            *average,
        ]
        rows.append(row + ([_best(variant)] if dev else []))
    return rows


def _best(variant: OfVariant) -> str:
    """The run to use, beside the mean that it is not."""
    best = variant.best
    return _NONE if best is None else f"{_percent(best.average)} (seed {best.seed})"


def _differences(result: StudyResult) -> list[list[str]]:
    many = len(result.against) > 1
    level = f"{100 * result.level:g}% interval"
    rows = [["variant", "verdict", "difference", level, "p", *(["p (Holm)"] if many else [])]]
    for each in result.against:
        span = f"{_signed(each.low)} to {_signed(each.high)}"
        row = [each.variant, each.word, _signed(each.difference), span, _p(each.p)]
        rows.append(row + ([_p(each.corrected)] if many else []))
    return rows


def _screened(result: StudyResult) -> list[list[str]]:
    rows = [["variant", "seeds", "dev", ""]]
    for each in result.screened:
        word = "goes on" if each.kept else "failed" if not each.dev else "out"
        rows.append([each.variant, str(len(each.dev)), _percent(each.mean), word])
    return rows


def _best_of(result: StudyResult) -> list[list[str]]:
    most = max((len(variant.chosen) for variant in result.variants), default=0)
    shown = sorted({k for k in (1, 2, 3, 5, 10, most) if k <= most})
    rows = [["variant", *(f"k = {k}" for k in shown)]]
    for variant in result.variants:
        values = {each.k: _percent(each.test) for each in variant.chosen}
        rows.append([variant.name, *(values.get(k, _NONE) for k in shown)])
    return rows if most > 1 else []


def _whole(found: Against, mark: str) -> str:
    """Warnings stand among the notes on the whole study, once."""
    notes = [f"{mark}{note}" for note in found.notes if not note.startswith("warning: ")]
    return "\n".join([found.sentence, *(["", *notes] if mark == "- " else notes)])


def _sentence(found: Against) -> str:
    return f"{found.variant}: {found.sentence}"


def _notes(result: StudyResult) -> Iterator[str]:
    if any(len(variant.chosen) > 1 for variant in result.variants):
        yield "best on dev is the run to use; what a run of this kind scores is the mean"
    counts = {variant.settings for variant in result.variants}
    if len(counts) == 1:
        yield f"settings looked at on dev: {counts.pop()} for each variant"
    if result.variants and result.baseline not in {variant.name for variant in result.variants}:
        yield f"warning: the baseline {result.baseline} has no finished run, so nothing is compared"
    yield from (f"warning: {words}" for words in result.warnings)
    yield from (f"failed: {each.variant}, seed {each.seed}: {each.why}" for each in result.failed)


def _variant_rows(result: StudyResult) -> list[list[str]]:
    """A line for each variant, scores from 0 to 1."""
    tasks = [f"{task} {what}" for task in result.tasks for what in ("mean", "sd")]
    ends = ["difference", "low", "high", "p", "p_holm", "verdict"]
    rows = [["variant", "settings", "runs", "dev", "best_on_dev", *tasks, "mean", "sd", *ends]]
    for variant in result.variants:
        scores = [value for task in result.tasks for value in variant.on(task)]
        best = None if variant.best is None else variant.best.average
        row = [variant.name, str(variant.settings), str(len(variant.runs))]
        row += [_plain(value) for value in (variant.dev, best, *scores, variant.mean, variant.sd)]
        rows.append(row + _verdict_cells(result.verdicts.get(variant.name)))
    return rows


def _verdict_cells(found: Against | None) -> list[str]:
    if found is None:
        return [""] * 6
    values = (found.difference, found.low, found.high, found.p, found.corrected)
    return [*(_plain(value) for value in values), found.word]


def _run_rows(result: StudyResult) -> list[list[str]]:
    """A line for each run, scores from 0 to 1."""
    rows = [["variant", "seed", "dev", *result.tasks, "average"]]
    for variant in result.variants:
        for run in variant.runs:
            scores = [_plain(run.tasks[task]) for task in result.tasks]
            rows.append([variant.name, str(run.seed), _plain(run.dev), *scores, _plain(run.average)])
    return rows


def _plain(value: float | None) -> str:
    return "" if value is None or not math.isfinite(value) else f"{value:.6f}"


def _percent(value: float | None) -> str:
    return _NONE if value is None or not math.isfinite(value) else f"{100 * value:.2f}"


def _signed(value: float) -> str:
    return f"{100 * value:+.2f}" if math.isfinite(value) else _NONE


def _spread(mean: float, sd: float | None) -> str:
    return _percent(mean) if sd is None else f"{_percent(mean)} ± {_percent(sd)}"


def _p(value: float | None) -> str:
    return _NONE if value is None else "< 0.001" if value < 0.001 else f"{value:.3f}"
