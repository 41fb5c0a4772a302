from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from twinset.encoder.npy import RowFile
from twinset.errors import RequestError, WorkError


@pytest.mark.parametrize("sizes", [[], [3], [1, 0, 4], [1] * 12])
def test_numpy_reads_what_was_appended(tmp_path: Path, sizes: list[int]) -> None:
    blocks = [np.random.default_rng(size).random((size, 5), dtype=np.float32) for size in sizes]
    with RowFile(tmp_path / "rows.npy", width=5) as file:
        for block in blocks:
            file.append(block)
    found = np.load(tmp_path / "rows.npy")
    assert found.dtype == np.float32
    assert np.array_equal(found, np.concatenate([np.zeros((0, 5)), *blocks]))
    assert [path.name for path in tmp_path.iterdir()] == ["rows.npy"]


def test_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "rows.npy"
    np.save(target, np.ones(3))

    def interrupted() -> None:
        with RowFile(target, width=2) as file:
            file.append(np.zeros((1, 2), dtype=np.float32))
            raise KeyError

    with pytest.raises(KeyError):
        interrupted()
    assert np.load(target).tolist() == [1, 1, 1]
    assert [path.name for path in tmp_path.iterdir()] == ["rows.npy"]


def test_full_disk() -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")
    file = RowFile(Path("/dev/full"), width=2)
    file._file = full.open("wb", buffering=0)
    with pytest.raises(WorkError, match="could not be written"):
        file.append(np.zeros((1000, 2), dtype=np.float32))


def test_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(WorkError, match=r"rows\.npy: could not be written: No such file"):  # noqa: SIM117
        with RowFile(tmp_path / "none" / "rows.npy", width=2):
            pass


def test_folder_in_its_place(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="is a folder"), RowFile(tmp_path, width=2):
        pass
