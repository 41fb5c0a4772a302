from __future__ import annotations

import errno
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from tests.training.runs import Stopped, StoppingDisk
from twinset.errors import WorkError
from twinset.training.disk import Disk

FULL = OSError(errno.ENOSPC, "No space left on device")
# A put: write the draft, sync it, rename it, sync the folder's list of names.
STEPS = [("write", 1), ("sync", 1), ("rename", 1), ("sync", 2)]


def test_put_writes_and_replaces(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for content in (b"old", b"new"):
        Disk().put(path, content)
        assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_put_syncs_the_draft_before_it_takes_the_place_and_the_folder_after(tmp_path: Path) -> None:
    disk = StoppingDisk("never", 0)
    disk.put(tmp_path / "a.json", b"new")
    expected = [("write", "a.json.draft"), ("sync", "a.json.draft"), ("rename", "a.json")]
    assert disk.done == [*expected, ("sync", tmp_path.name)]


@pytest.mark.parametrize(("kind", "number"), STEPS)
def test_a_full_disk_leaves_a_whole_file_and_no_draft(kind: str, number: int, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"old")
    with pytest.raises(WorkError, match=r"a\.json: .*the disk is full.*before is kept"):
        StoppingDisk(kind, number, FULL).put(path, b"new")
    renamed = (kind, number) == ("sync", 2)
    assert path.read_bytes() == (b"new" if renamed else b"old")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(("kind", "number"), STEPS)
def test_a_kill_leaves_a_whole_file(kind: str, number: int, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"old")
    with pytest.raises(Stopped):
        StoppingDisk(kind, number).put(path, b"new")
    assert path.read_bytes() in {b"old", b"new"}
    Disk().put(path, b"newest")  # over the draft that the kill left
    assert path.read_bytes() == b"newest"
    assert list(tmp_path.iterdir()) == [path]


def test_another_error_is_told_in_the_system_s_words(tmp_path: Path) -> None:
    with pytest.raises(WorkError, match="could not be written: No such file or directory"):
        Disk().put(tmp_path / "missing" / "a.json", b"")


def test_the_first_error_is_told_even_if_the_draft_cannot_be_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path, missing_ok: bool = False) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(WorkError, match="the disk is full"):
        StoppingDisk("sync", 1, FULL).put(tmp_path / "a.json", b"new")


def test_append_and_remove(tmp_path: Path) -> None:
    path, disk = tmp_path / "log", Disk()
    disk.append(path, b"one\n")
    disk.append(path, b"two\n")
    assert path.read_bytes() == b"one\ntwo\n"
    disk.remove(path)
    disk.remove(path)
    assert not path.exists()


def test_put_tensors_takes_views_of_larger_ones(tmp_path: Path) -> None:
    whole = torch.arange(12.0, requires_grad=True).view(3, 4)
    Disk().put_tensors(tmp_path / "t.safetensors", {"rows": whole[1:], "columns": whole.T}, {})
    found = load_file(tmp_path / "t.safetensors")
    assert torch.equal(found["rows"], whole[1:])
    assert torch.equal(found["columns"], whole.T)
