from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from twinset.encoder import Encoder
from twinset.errors import DataError, RequestError
from twinset.recipes import RunFile, TrainingData, read_run_file, simcse
from twinset.recipes.perform import perform, resolved
from twinset.training import Recording


@pytest.fixture
def wanted(tmp_path: Path, tiny_folder: Path) -> RunFile:
    texts = tmp_path / "texts.txt"
    texts.write_text("".join(f"text {number} on a cat\n" for number in range(12)), encoding="utf-8")
    dev = tmp_path / "dev.csv"
    dev.write_text(
        "sentence1,sentence2,score\na cat,a dog,1\nthe mat,rain,0\na car,a red car,2\n", encoding="utf-8"
    )
    return RunFile(
        encoder=str(tiny_folder),
        data=TrainingData(train=str(texts), dev=str(dev)),
        recipe=replace(simcse(), batch_size=4, epochs=1, max_length=16),
        recording=Recording(progress=False),
    )


def test_the_folder_is_the_record(wanted: RunFile, tmp_path: Path) -> None:
    out = tmp_path / "runs" / "a"
    done = perform(wanted, out=out)
    names = {path.name for path in out.iterdir()}
    assert names == {"run.toml", "environment.json", "log.jsonl", "scores.json", "model"}
    scores = json.loads((out / "scores.json").read_text())
    assert scores["updates"] == done.run.updates == 3
    assert done.dev is not None
    assert scores["dev"]["headline"]["value"] == pytest.approx(done.dev.headline)
    predicted = scores["dev"]["items"]["dev"]["predicted"]["mean"]
    first, second = (
        Encoder.from_pretrained(out / "model").encode(texts, normalize=True)
        for texts in (["a cat", "the mat", "a car"], ["a dog", "rain", "a red car"])
    )
    assert predicted == pytest.approx((first * second).sum(axis=1).tolist(), abs=1e-5)


def test_the_run_file_in_the_folder_makes_the_same_run(wanted: RunFile, tmp_path: Path) -> None:
    first = perform(wanted, out=tmp_path / "a")
    again = perform(read_run_file(tmp_path / "a" / "run.toml"), out=tmp_path / "b")
    vectors = [done.run.encoder.encode(["a cat", "a dog"]) for done in (first, again)]
    np.testing.assert_array_equal(*vectors)


def test_training_changes_the_encoder(wanted: RunFile, tmp_path: Path) -> None:
    done = perform(wanted, out=tmp_path / "a")
    before = Encoder.from_pretrained(wanted.encoder).encode(["a cat"])
    assert np.abs(done.run.encoder.encode(["a cat"]) - before).max() > 1e-4


def test_paths_are_made_whole(wanted: RunFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    relative = replace(wanted, encoder="mini", data=TrainingData(train="texts.txt", dev="dev.csv"))
    whole = resolved(relative)
    assert whole.data.train == str(tmp_path / "texts.txt")
    assert whole.data.dev == str(tmp_path / "dev.csv")
    assert whole.encoder == "mini"
    for given, kept in (("auto", "auto"), ("off", "off"), ("tokens", str(tmp_path / "tokens"))):
        recording = resolved(replace(relative, recording=Recording(token_cache=given))).recording
        assert recording.token_cache == kept


def test_a_recorded_run_is_not_overwritten(wanted: RunFile, tmp_path: Path) -> None:
    out = tmp_path / "a"
    perform(wanted, out=out)
    before = {path: path.read_bytes() for path in out.iterdir() if path.is_file()}
    with pytest.raises(RequestError, match="a run is already recorded here"):
        perform(replace(wanted, seed=5), out=out)
    with pytest.raises(RequestError, match="the run is finished"):
        perform(wanted, out=out, resume=True)
    assert {path: path.read_bytes() for path in out.iterdir() if path.is_file()} == before


def test_nothing_is_left_of_a_run_that_cannot_be(wanted: RunFile, tmp_path: Path) -> None:
    out = tmp_path / "a"
    with pytest.raises(DataError):
        perform(replace(wanted, data=TrainingData(train=str(tmp_path / "none.txt"))), out=out)
    metric = replace(wanted.recipe, select=replace(wanted.recipe.select, metric="ndcg"))
    with pytest.raises(RequestError, match=r"recipe\.select\.metric"):
        perform(replace(wanted, recipe=metric), out=out)
    with pytest.raises(RequestError, match="no run was begun here"):
        perform(wanted, out=out, resume=True)
    assert not out.exists()


def test_a_file_is_no_folder(wanted: RunFile, tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="is a file; name a folder"):
        perform(wanted, out=tmp_path / "texts.txt")
    with pytest.raises(RequestError, match="cannot be made a folder"):
        perform(wanted, out=tmp_path / "texts.txt" / "inside")
