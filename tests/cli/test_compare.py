from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import twinset
from tests.evidence.sides import Noisy, sts_suite
from twinset.evaluation import evaluate, write_scores


@pytest.fixture
def good(tmp_path: Path) -> Path:
    write_scores(evaluate(Noisy(0.05), sts_suite()), tmp_path / "good.json")
    return tmp_path / "good.json"


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    write_scores(evaluate(Noisy(0.6), sts_suite()), tmp_path / "bad.json")
    return tmp_path / "bad.json"


def test_the_verdict_in_words(good: Path, bad: Path) -> None:
    result = twinset("compare", str(good), str(bad), "--resamples", "300")
    assert result.code == 0, result
    assert result.out.startswith("better: good differs from bad by +")
    assert "one run each: speaks of these two encoders" in result.out
    assert "average" in result.out.splitlines()[-1]


def test_the_same_for_machines(good: Path, bad: Path) -> None:
    result = twinset("compare", str(good), str(bad), "--resamples", "300", "--json")
    told = json.loads(result.out)
    assert (told["verdict"], told["resamples"], len(told["tasks"])) == ("better", 300, 2)
    again = twinset("compare", str(good), str(bad), "--resamples", "300", "--json")
    assert again.out == result.out
    other = twinset("compare", str(good), str(bad), "--resamples", "300", "--seed", "1", "--json")
    assert other.out != result.out


def test_encoders_are_scored_on_what_is_named(tiny_folder: Path, tmp_path: Path) -> None:
    lines = [f"text {number},another {number % 7} text,{number % 5}" for number in range(80)]
    (tmp_path / "pairs.csv").write_text("\n".join(["sentence1,sentence2,score", *lines]) + "\n")
    result = twinset(
        "compare", str(tiny_folder), "mini", "--file", str(tmp_path / "pairs.csv"), "--resamples", "200"
    )
    assert result.code == 0, result
    assert "80 items" in result.out


def test_a_margin_in_points(good: Path, bad: Path) -> None:
    told = twinset("compare", str(good), str(good), "--margin", "1", "--resamples", "200")
    assert told.out.startswith("no worse than 1.00 points: good (first) differs from good (second) by +0.00")


def test_runs_of_search_systems(tmp_path: Path) -> None:
    queries = range(60)
    (tmp_path / "qrels").write_text("".join(f"q{number} 0 d{number} 1\n" for number in queries))
    for name, first in (("right", 1), ("wrong", 2)):
        lines = [
            f"q{number} Q0 {document} {rank} {3 - rank} {name}\n"
            for number in queries
            for rank, document in enumerate(
                (f"d{number}", "other") if first == 1 or number % 2 else ("other", f"d{number}"), 1
            )
        ]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    sides = [str(tmp_path / f"{name}.run") for name in ("right", "wrong")]
    result = twinset("compare", *sides, "--qrels", str(tmp_path / "qrels"), "--metric", "mrr", "--json")
    assert result.code == 0, result
    told = json.loads(result.out)
    assert told["verdict"] == "better"
    assert told["overall"]["difference"] == pytest.approx(0.25)
    assert (told["first"]["name"], told["second"]["name"]) == ("right", "wrong")


def test_tables_of_another_tool(tmp_path: Path) -> None:
    for name, noise in (("ours", 0.1), ("theirs", 2.0)):
        rows = [f"{number},{number + noise * (number * 7919 % 13)},{number % 40}" for number in range(120)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["id,score,gold", *rows]) + "\n")
    result = twinset("compare", str(tmp_path / "ours.csv"), str(tmp_path / "theirs.csv"), "--json")
    assert result.code == 0, result
    told = json.loads(result.out)
    assert (told["first"]["name"], told["tasks"][0]["metric"]) == ("ours", "spearman")


def test_a_table_against_an_encoder_on_the_same_pairs(tiny_folder: Path, tmp_path: Path) -> None:
    lines = [f"text {number},another {number} thing,{number % 5}" for number in range(80)]
    (tmp_path / "pairs.csv").write_text("\n".join(["sentence1,sentence2,score", *lines]) + "\n")
    scores = [f"{number + 1},{number % 5 + number / 1000}" for number in range(80)]
    (tmp_path / "theirs.csv").write_text("\n".join(["id,score", *scores]) + "\n")
    sides = [str(tmp_path / "theirs.csv"), str(tiny_folder)]
    result = twinset("compare", *sides, "--file", str(tmp_path / "pairs.csv"), "--resamples", "200", "--json")
    assert result.code == 0, result
    told = json.loads(result.out)
    assert (told["verdict"], told["tasks"][0]["task"]) == ("better", "pairs")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("mini", "mini"), "mini: an encoder has to be scored first"),
        (("mini", "mini", "--suite", "sts"), "--suite sts: say where the data is"),
        (("a", "b", "--suite", "sts", "--file", "x.csv"), "name one of them"),
        (("a", "b", "--qrels", "q", "--suite", "sts"), "leave --suite and --file out"),
        (("mini", "mini", "--file", "x.csv", "--resamples", "3"), "resamples: 3 is below 100"),
        (("mini", "mini", "--file", "x.csv", "--level", "1.5"), "level: 1.5"),
        (("a", "b", "--split", "test"), "say of what: --file FILE"),
        (("a", "b", "--data", "."), "say of what: --file FILE"),
        (("a", "b", "--qrels", "q", "--task", "pairs"), "leave --task, --split, --dev and --data out"),
        (("a", "b", "--margin", "-1"), "--margin: -1.0 is not above 0 points"),
        (("nowhere.json", "mini"), "nowhere.json"),
        (("mini", "mini", "--file", "missing.csv"), "missing.csv"),
    ],
)
def test_what_cannot_be_compared(arguments: tuple[str, ...], message: str) -> None:
    result = twinset("compare", *arguments)
    assert result.code == 2, result
    assert result.out == ""
    assert message in result.err
    assert "Traceback" not in result.err
