"""RESULTS.md says what the files in benchmarks/results say."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import results_page
from benchmarks.__main__ import benchmarks, main

ROOT = Path(__file__).resolve().parent.parent


def test_the_page_is_made_from_the_files() -> None:
    assert (ROOT / "RESULTS.md").read_text(encoding="utf-8") == results_page.page()


def test_every_section_is_a_benchmark_with_a_record() -> None:
    names = [name.removesuffix("_screen") for name, _, _ in results_page.SECTIONS]
    assert set(names) <= set(benchmarks())
    assert all(results_page.newest(name) for name, _, _ in results_page.SECTIONS)


def test_benchmarks_are_listed_and_found_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert "sts_protocol" in capsys.readouterr().out
    assert main(["sts_protocl"]) == 2
    assert "none of" in capsys.readouterr().err
