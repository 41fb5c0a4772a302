from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.encoder.tiny import tiny_encoder
from tests.training.runs import DATA, TEXTS, Stopped, quick, quiet, run, told, watch
from twinset.encoder import Encoder
from twinset.errors import WorkError
from twinset.training import Select


def test_the_card_tells_of_base_data_recipe_and_scores(tmp_path: Path) -> None:
    run(quick(select=Select(every=4)), out=tmp_path / "a", dev=told(0.5, 0.25, 0.75, 0.5, 0.5))
    card = (tmp_path / "a" / "model" / "README.md").read_text()
    assert "tiny-bert" in card
    assert f"{len(DATA)} rows of 1 text column(s)" in card
    assert "infonce" in card
    assert "0.75" in card


def test_scores_tell_of_every_look_and_of_the_best(tmp_path: Path) -> None:
    run(quick(select=Select(every=8)), out=tmp_path / "a", dev=told(0.5, 0.25, 0.75))
    assert json.loads((tmp_path / "a" / "scores.json").read_text()) == {
        "watch": [
            {"update": 0, "epoch": 0.0, "scores": {"score": 0.5}},
            {"update": 8, "epoch": 1.0, "scores": {"score": 0.25}},
            {"update": 16, "epoch": 2.0, "scores": {"score": 0.75}},
        ],
        "best": {"update": 16, "epoch": 2.0, "scores": {"score": 0.75}},
        "updates": 16,
    }


def test_the_model_has_the_pooling_of_evaluation(tmp_path: Path) -> None:
    run(quick(training_pooling="mean", evaluation_pooling="cls", steps=1), out=tmp_path / "a")
    assert Encoder.from_pretrained(tmp_path / "a" / "model", device="cpu").pooling == "cls"


@pytest.mark.parametrize("left", ["nothing", "half a model", "a draft", "the model it replaced"])
def test_a_run_killed_while_it_saved_its_model_is_finished_by_resuming(
    left: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "a"
    names = {"half a model": "model", "a draft": ".model.x1.draft", "the model it replaced": ".model.7.old"}

    def dying(self: Encoder, target: Path, **settings: object) -> None:
        if left in names:
            (target.parent / names[left]).mkdir()
            (target.parent / names[left] / "config.json").write_text("{")
        raise Stopped

    with monkeypatch.context() as patch:
        patch.setattr(Encoder, "save_pretrained", dying)
        with pytest.raises(Stopped):
            run(out=folder, dev=watch)
    found = run(out=folder, dev=watch, resume=True)
    assert sorted(path.name for path in folder.iterdir()) == [
        "environment.json",
        "log.jsonl",
        "model",
        "scores.json",
    ]
    loaded = Encoder.from_pretrained(folder / "model", device="cpu")
    assert (loaded.encode(TEXTS) == found.encoder.encode(TEXTS)).all()
    assert (loaded.encode(TEXTS) == run(dev=watch).encoder.encode(TEXTS)).all()


def test_a_model_that_cannot_be_saved_leaves_the_run_to_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Encoder, target: Path, **settings: object) -> None:
        raise WorkError(f"{target}: could not be written: the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(Encoder, "save_pretrained", full)
        with pytest.raises(WorkError, match="the disk is full"):
            run(out=tmp_path / "a", encoder=tiny_encoder("bert"))
    found = run(out=tmp_path / "a", resume=True, recording=quiet())
    assert found.updates == 16
    assert (tmp_path / "a" / "model" / "model.safetensors").is_file()
