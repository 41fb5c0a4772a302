"""RESULTS.md says what the files in benchmarks/results say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import record, results_page
from benchmarks.__main__ import benchmarks, main

ROOT = Path(__file__).resolve().parent.parent


def test_the_page_is_made_from_the_files() -> None:
    assert (ROOT / "RESULTS.md").read_text(encoding="utf-8") == results_page.page()


def test_every_section_is_a_benchmark_and_every_record_has_a_section() -> None:
    names = {name for name, _, _ in results_page.SECTIONS}
    assert {name.removesuffix("_screen") for name in names} == set(benchmarks())
    files = sorted(record.RESULTS.glob("*.json"))
    assert files
    assert {json.loads(path.read_text(encoding="utf-8"))["benchmark"] for path in files} <= names


def test_what_was_not_measured_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results_page, "newest", lambda name: None)
    assert results_page.page().endswith("`first_contact`\n")
    assert "## Not measured yet\n\n`sts_protocol`, `train_stsb`" in results_page.page()


def test_benchmarks_are_listed_and_found_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert "sts_protocol" in capsys.readouterr().out
    assert main(["sts_protocl"]) == 2
    assert "none of" in capsys.readouterr().err
