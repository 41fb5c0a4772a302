from __future__ import annotations

import errno
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from tests.training.runs import StoppingDisk
from twinset.errors import RequestError, WorkError
from twinset.training.checkpoint import CHECKPOINT, Saved, load_checkpoint, save_checkpoint
from twinset.training.disk import Disk


def saved(value: float = 1.5) -> Saved:
    tensors = {"w": torch.full((3, 2), value), "ids": torch.tensor([2**40, -1]), "one": torch.tensor(value)}
    return Saved(tensors=tensors, facts={"update": 3, "scores": {"z": 0.1 + 0.2, "a": 1e-300}, "none": None})


def test_round_trip_is_exact(tmp_path: Path) -> None:
    save_checkpoint(Disk(), tmp_path, saved())
    found = load_checkpoint(tmp_path)
    assert found.facts == saved().facts
    assert list(found.facts["scores"]) == ["z", "a"]  # the first score is the one that decides
    assert found.tensors.keys() == saved().tensors.keys()
    for name, value in saved().tensors.items():
        assert torch.equal(found.tensors[name], value)
        assert found.tensors[name].dtype == value.dtype


@pytest.mark.parametrize(("kind", "number"), [("write", 1), ("sync", 1), ("rename", 1)])
def test_a_full_disk_leaves_the_old_checkpoint(kind: str, number: int, tmp_path: Path) -> None:
    save_checkpoint(Disk(), tmp_path, saved(1.5))
    full = StoppingDisk(kind, number, OSError(errno.ENOSPC, "No space left on device"))
    with pytest.raises(WorkError, match="the disk is full"):
        save_checkpoint(full, tmp_path, saved(2.5))
    assert load_checkpoint(tmp_path).tensors["one"] == 1.5
    assert [path.name for path in tmp_path.iterdir()] == [CHECKPOINT]


def test_a_missing_one_is_told(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match=r"no such checkpoint\. Start the run without resume"):
        load_checkpoint(tmp_path)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.99])
def test_a_truncated_one_is_told(share: float, tmp_path: Path) -> None:
    save_checkpoint(Disk(), tmp_path, saved())
    path = tmp_path / CHECKPOINT
    content = path.read_bytes()
    path.write_bytes(content[: int(share * len(content))])
    with pytest.raises(RequestError, match=rf"{CHECKPOINT}: this is no checkpoint of a twinset run"):
        load_checkpoint(tmp_path)


@pytest.mark.parametrize("metadata", [None, {"format": "pt"}, {"facts": "{"}, {"facts": "3"}])
def test_a_foreign_one_is_told(metadata: dict[str, str] | None, tmp_path: Path) -> None:
    save_file({"w": torch.ones(2)}, tmp_path / CHECKPOINT, metadata)
    with pytest.raises(RequestError, match="no checkpoint of a twinset run"):
        load_checkpoint(tmp_path)
