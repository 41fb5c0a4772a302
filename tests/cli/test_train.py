from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from tests.cli.command import twinset
from twinset.encoder import Encoder
from twinset.recipes import read_run_file
from twinset.training.loop import _Loop


def test_train_evaluate_and_use_the_run(run_file: Path, tmp_path: Path, scored: Path) -> None:
    out = tmp_path / "runs" / "a"
    result = twinset("train", run_file, "--out", out, "--set", "recipe.objective.temperature=0.2", "--quiet")
    assert (result.code, result.err) == (0, "")
    assert "6 updates on 12 rows" in result.out
    assert f"model: {out / 'model'}" in result.out
    assert read_run_file(out / "run.toml").recipe.objective.temperature == 0.2
    assert {path.name for path in out.iterdir()} >= {
        "run.toml",
        "environment.json",
        "log.jsonl",
        "scores.json",
        "model",
    }
    scored_run = twinset("evaluate", out, "--file", scored, "--json")
    scores = json.loads((out / "scores.json").read_text())
    assert json.loads(scored_run.out)["headline"]["value"] == pytest.approx(
        scores["dev"]["headline"]["value"]
    )


def test_json_is_one_object_and_notes_go_to_stderr(run_file: Path, texts: Path, tmp_path: Path) -> None:
    texts.write_text(texts.read_text() + "\n\n", encoding="utf-8")
    result = twinset("train", run_file, "--out", tmp_path / "a", "--json")
    told = json.loads(result.out)
    assert told["updates"] == 6
    assert told["rows"] == 12
    assert told["seconds"] > 0
    assert set(told["first"]) == {"spearman", "pearson"}
    assert told["notes"]
    assert told["notes"][0] in result.err


def test_tokens_are_kept_where_the_run_file_says(run_file: Path, tmp_path: Path) -> None:
    kept = ["--set", f"recording.token_cache={tmp_path / 'tokens'}"]
    first = twinset("train", run_file, "--out", tmp_path / "a", *kept)
    assert "tokenising 12 texts, kept for later runs" in first.err
    second = twinset("train", run_file, "--out", tmp_path / "b", *kept)
    assert "12 texts were tokenised before" in second.err
    assert twinset("train", run_file, "--out", tmp_path / "c", "--quiet", *kept).err == ""
    models = [(tmp_path / name / "model/model.safetensors").read_bytes() for name in "abc"]
    assert models[0] == models[1] == models[2]
    (tmp_path / "file").write_text("")
    refused = twinset("train", run_file, "--set", f"recording.token_cache={tmp_path / 'file'}")
    assert refused.code == 2
    assert "recording.token_cache" in refused.err


def test_the_usual_folder(run_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert twinset("train", "run.toml", "--set", "data.dev=none").code == 0
    assert (tmp_path / "runs" / "run" / "model").is_dir()


def test_resume_is_as_if_never_stopped(
    run_file: Path, texts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, parted = tmp_path / "whole", tmp_path / "parted"
    assert twinset("train", run_file, "--out", whole).code == 0

    advance = _Loop._advance

    def until_the_third(self: _Loop, *arguments: object) -> None:
        if self.state.update == 3:
            self._stop_here()
        advance(self, *arguments)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(_Loop, "_advance", until_the_third)
        stopped = twinset("train", run_file, "--out", parted)
    assert stopped.code == 1
    assert "Interrupted after update 3" in stopped.err
    assert "no model yet" in twinset("search", parted, texts, "x").err
    assert twinset("train", parted, "--resume").code == 0
    vectors = [Encoder.from_pretrained(folder / "model").encode(["a cat"]) for folder in (whole, parted)]
    np.testing.assert_array_equal(*vectors)
    assert "the run is finished" in twinset("train", parted, "--resume").err


def test_where_a_run_is_resumed(run_file: Path, tmp_path: Path) -> None:
    for arguments, message in (
        ([tmp_path], "is a folder; name a run file"),
        ([tmp_path, "--resume", "--out", tmp_path / "b"], "leave --out out"),
        ([run_file, "--resume", "--out", tmp_path / "b"], "no run was begun here"),
    ):
        result = twinset("train", *arguments)
        assert (result.code, message in result.err) == (2, True), result.err
    shutil.rmtree(tmp_path / "models", ignore_errors=True)
    (tmp_path / "empty").mkdir()
    assert "has no run.toml" in twinset("train", tmp_path / "empty", "--resume").err
