from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.evidence.sides import Noisy, sts_suite
from twinset.errors import DataError, RequestError
from twinset.evaluation import SuiteScores, evaluate, write_scores
from twinset.evidence import Settings, compare
from twinset.evidence.found import find

QUICK = Settings(draws=200)


def scores_of(noise: float, seed: int = 0) -> SuiteScores:
    return evaluate(Noisy(noise, seed), sts_suite())


def a_run(folder: Path, noise: float, seed: int = 0, *, test: bool = True, dev: bool = False) -> Path:
    """A run's folder as training leaves it, its test scores beside."""
    folder.mkdir(parents=True)
    (folder / "run.toml").write_text("seed = 0\n")
    if test:
        write_scores(scores_of(noise, seed), folder / "test.json")
    content = {"seconds": 1.0, **({"dev": scores_of(noise, seed).to_json()} if dev else {})}
    (folder / "scores.json").write_text(json.dumps(content))
    return folder


def test_a_file_of_scores(tmp_path: Path) -> None:
    write_scores(scores_of(0.1), tmp_path / "mine.json")
    found = find(tmp_path / "mine.json", None)
    assert (found.name, len(found.runs), found.seeded) == ("mine", 1, False)
    assert found.runs[0].headline == scores_of(0.1).headline


def test_a_run_is_one_seed_of_a_recipe(tmp_path: Path) -> None:
    found = find(a_run(tmp_path / "first", 0.1), None)
    assert (found.name, found.seeded, len(found.runs)) == ("first", True, 1)


def test_a_folder_of_runs_is_a_recipe(tmp_path: Path) -> None:
    for seed in range(3):
        a_run(tmp_path / "mine" / f"seed-{seed}", 0.1, seed)
    (tmp_path / "mine" / "notes").mkdir()
    found = find(tmp_path / "mine", None)
    assert (found.seeded, len(found.runs)) == (True, 3)
    assert found.name == "mine"


def test_patterns_and_lists(tmp_path: Path) -> None:
    runs = [a_run(tmp_path / f"good-{seed}", 0.1, seed) for seed in range(3)]
    by_pattern = find(f"{tmp_path}/good-*", None)
    by_list = find(",".join(str(run) for run in runs), None)
    assert by_pattern.name == by_list.name == "good"
    assert [run.headline for run in by_pattern.runs] == [run.headline for run in by_list.runs]
    with pytest.raises(RequestError, match="nothing matches"):
        find(f"{tmp_path}/bad-*", None)
    with pytest.raises(RequestError, match="one of the names is empty"):
        find("a,,b", None)


def test_dev_scores_serve_where_there_are_no_others_and_say_so(tmp_path: Path) -> None:
    run = a_run(tmp_path / "first", 0.1, test=False, dev=True)
    other = a_run(tmp_path / "second", 0.5, test=False, dev=True)
    answer = compare(run, other, settings=QUICK)
    assert "warning: first: its checkpoints were picked on one, so its score there is too high" in str(answer)
    with pytest.raises(RequestError, match="no scores of its own"):
        find(a_run(tmp_path / "third", 0.1, test=False), None)


def test_checkpoints_picked_on_the_tested_data_are_told(tmp_path: Path) -> None:
    picked = a_run(tmp_path / "picked", 0.1, dev=True)
    write_scores(scores_of(0.5), tmp_path / "other.json")
    answer = compare(picked, tmp_path / "other.json", settings=QUICK)
    assert sum("picked on" in note for note in answer.verdict.notes) == 2
    clean = compare(a_run(tmp_path / "clean", 0.1), tmp_path / "other.json", settings=QUICK)
    assert not any("picked on" in note for note in clean.verdict.notes)


def test_old_scores_whose_shared_texts_are_not_known_say_so(tmp_path: Path) -> None:
    for name, noise in (("one", 0.1), ("two", 0.5)):
        record = scores_of(noise).to_json()
        for task in record["items"].values():  # type: ignore[union-attr]
            del task["clusters"], task["fingerprint"]
        (tmp_path / f"{name}.json").write_text(json.dumps(record))
    answer = compare(tmp_path / "one.json", tmp_path / "two.json", settings=QUICK)
    assert "each item is taken for independent" in str(answer)


def test_an_encoder_has_to_be_scored_first(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="mini: an encoder has to be scored first"):
        find("mini", None)
    asked: list[object] = []

    def judge(encoder: object) -> SuiteScores:
        asked.append(encoder)
        return scores_of(0.1)

    found = find("mini", judge)
    assert (found.name, found.seeded, len(asked)) == ("mini", False, 1)
    with pytest.raises(RequestError, match="has no model yet"):
        find(a_run(tmp_path / "first", 0.1), judge)


def test_files_that_are_not_what_they_should_be(tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text("{}")
    with pytest.raises(DataError, match=r"mine\.json"):
        find(tmp_path / "mine.json", None)
    run = a_run(tmp_path / "first", 0.1, test=False)
    (run / "scores.json").write_text("{")
    with pytest.raises(DataError, match=r"scores\.json: cannot be read"):
        find(run, None)
