from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.cli.command import twinset
from twinset.cli.beside import raw_name


def test_what_it_must_beat_stands_beside_it(scored: Path, tiny_folder: Path) -> None:
    result = twinset("evaluate", tiny_folder, "--file", scored, "--baselines")
    assert result.code == 0
    assert "TF-IDF" in result.out
    assert f"{tiny_folder}, first_last" in result.out
    assert "over the best of them" in result.out


def test_as_json(scored: Path, tiny_folder: Path) -> None:
    told = json.loads(twinset("evaluate", tiny_folder, "--file", scored, "--baselines", "--json").out)
    beside = told["baselines"]
    assert beside["encoder"]["name"] == str(tiny_folder)
    assert {"TF-IDF (fitted on these very texts)", f"{tiny_folder}, mean"} <= {
        each["name"] for each in beside["baselines"]
    }
    assert "baselines" not in json.loads(twinset("evaluate", tiny_folder, "--file", scored, "--json").out)


def test_a_run_is_set_beside_what_it_began_with(scored: Path, tiny_folder: Path, tmp_path: Path) -> None:
    shutil.copytree(tiny_folder, tmp_path / "model")
    (tmp_path / "run.toml").write_text(f'encoder = "{tiny_folder.as_posix()}"\nseed = 1\n')
    result = twinset("evaluate", tmp_path, "--file", scored, "--baselines", "--json")
    beside = json.loads(result.out)["baselines"]
    assert beside["encoder"]["name"] == str(tmp_path / "model")
    assert f"{tiny_folder.as_posix()}, mean" in {each["name"] for each in beside["baselines"]}
    assert f"Baselines are made from {tiny_folder.as_posix()}" in result.err


def test_what_a_model_began_with(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text('encoder = "mini"\n')
    assert raw_name(str(tmp_path)) == "mini"
    (tmp_path / "run.toml").write_text("seed = 1\n")
    assert raw_name(str(tmp_path)) == str(tmp_path)
    assert raw_name("hub/name") == "hub/name"


def test_tasks_of_other_kinds_stand_beside_one_another_too(tiny_folder: Path, tmp_path: Path) -> None:
    lines = [f"text {n},another {n % 7} text,{n % 2}" for n in range(40)]
    (tmp_path / "labelled.csv").write_text("\n".join(["sentence1,sentence2,label", *lines]) + "\n")
    result = twinset(
        "evaluate", tiny_folder, "--file", str(tmp_path / "labelled.csv"), "--task", "pairs", "--baselines"
    )
    assert result.code == 0, result
    assert "average_precision x 100" in result.out
    assert "TF-IDF" in result.out
