from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest

from twinset.studies.report import as_latex, as_markdown, write_report
from twinset.studies.result import Against, Chosen, Failed, OfVariant, RunScores, StudyResult
from twinset.studies.screening import Screened


def _variant(name: str, *scores: float) -> OfVariant:
    runs = tuple(
        RunScores(
            seed=seed, dev=0.5 + score / 10, average=score, tasks={"one": score - 0.1, "two": score + 0.1}
        )
        for seed, score in enumerate(scores)
    )
    chosen = tuple(Chosen(k=k, dev=0.5, test=max(scores[:k])) for k in range(1, len(scores) + 1))
    return OfVariant(name=name, settings=1, runs=runs, chosen=chosen)


def _against(name: str, word: str) -> Against:
    return Against(
        variant=name,
        word=word,
        sentence=f"{word}: {name} differs",
        notes=("a note", "warning: picked on test"),
        difference=0.05,
        low=0.01,
        high=0.09,
        p=0.0004,
        corrected=0.012,
    )


@pytest.fixture
def result() -> StudyResult:
    return StudyResult(
        name="speed_test",
        folder="out",
        suite="sts",
        metric="Spearman x 100",
        tasks=("one", "two"),
        baseline="base",
        level=0.95,
        variants=(_variant("base", 0.5, 0.52, 0.54), _variant("new", 0.55, 0.57, 0.62)),
        against=(_against("new", "better"),),
        screened=(),
        failed=(),
        warnings=(),
        cells=(6, 6),
        made_from="",
    )


def test_the_table_has_mean_and_spread(result: StudyResult) -> None:
    lines = result.table().splitlines()
    assert lines[0] == "speed_test: sts, Spearman x 100, mean ± standard deviation over seeds"
    row = next(line.split("  ") for line in lines if line.startswith("new"))
    assert [cell.strip() for cell in row if cell.strip()] == [
        "new",
        "3",
        "55.80",
        "48.00 ± 3.61",
        "68.00 ± 3.61",
        "58.00 ± 3.61",
        "62.00 (seed 2)",
    ]
    assert "new" in lines[7]
    assert "better: new differs\n  a note" in result.table()
    assert "the best of k runs on dev, on average on test:" in result.table()
    assert "settings looked at on dev: 1 for each variant" in result.table()
    assert result.verdicts["new"].word == "better"


def test_of_several_comparisons_the_page_has_the_notes(result: StudyResult) -> None:
    two = replace(result, against=(*result.against, _against("other", "worse")))
    assert "a note" not in two.table()
    assert as_markdown(two).count("- a note") == 2
    assert "p (Holm)" in two.table()
    assert "p (Holm)" not in result.table()


def test_what_is_missing_is_told(result: StudyResult) -> None:
    few = replace(
        result,
        variants=result.variants[1:],
        against=(),
        failed=(Failed(variant="base", seed=3, why="memory ran out"),),
        warnings=("picked on test",),
        screened=(Screened(variant="x", dev=(), kept=False), Screened(variant="y", dev=(0.4,), kept=False)),
        cells=(6, 3),
    )
    for told in (few.table(), as_markdown(few)):
        assert "3 of 6 runs are done" in told
        assert "warning: the baseline base has no finished run" in told
        assert told.count("warning: picked on test") == 1
        assert "failed: base, seed 3: memory ran out" in told
    assert "x            0      -  failed" in few.table()
    empty = replace(few, variants=(), screened=())
    assert "one" not in empty.table().split(":")[0]


def test_a_warning_of_every_comparison_is_told_once(result: StudyResult) -> None:
    warned = replace(result, warnings=("picked on test",))
    assert warned.table().count("picked on test") == 1
    assert as_markdown(warned).count("picked on test") == 1


def test_one_run_has_no_spread(result: StudyResult) -> None:
    one = replace(result, variants=(_variant("base", 0.5),), against=(), tasks=("one",))
    assert "±" not in one.table().split("\n", 1)[1]
    assert "best of k" not in one.table()
    assert "average" not in one.table().splitlines()[2]


def test_files_for_other_programs(result: StudyResult, tmp_path: Path) -> None:
    write_report(result, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {
        "report.md",
        "report.tex",
        "variants.csv",
        "runs.csv",
    }
    rows = list(csv.DictReader(io.StringIO((tmp_path / "variants.csv").read_text())))
    assert [row["variant"] for row in rows] == ["base", "new"]
    assert float(rows[1]["mean"]) == pytest.approx(0.58)
    assert float(rows[1]["one sd"]) == pytest.approx(0.036056, abs=1e-6)
    assert (rows[1]["verdict"], rows[0]["verdict"]) == ("better", "")
    runs = list(csv.DictReader(io.StringIO((tmp_path / "runs.csv").read_text())))
    assert len(runs) == 6
    assert (runs[5]["variant"], runs[5]["seed"], float(runs[5]["two"])) == ("new", "2", pytest.approx(0.72))
    tex = as_latex(result)
    assert tex.count(r"\begin{table}") == 2
    assert r"speed\_test" in tex
    assert r"58.00 $\pm$ 3.61" in tex
    assert r"$<$ 0.001" in tex
