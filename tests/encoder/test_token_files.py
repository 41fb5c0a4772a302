from __future__ import annotations

import errno
import json
import multiprocessing
import os
import time
from pathlib import Path

import numpy as np
import pytest

from twinset.encoder.token_files import IDS, MANIFEST, STARTS, TokenFiles, Written, _sum
from twinset.encoder.tokens import TokenStore


def part(*rows: list[int], truncated: int = 0) -> TokenStore:
    lengths = [len(row) for row in rows]
    return TokenStore(
        ids=np.array([token for row in rows for token in row], dtype=np.int32),
        starts=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        pad_id=0,
        truncated=truncated,
    )


FIRST, SECOND = part([5, 6, 7], [8], truncated=1), part([9, 10], truncated=2)


def filled(folder: Path) -> tuple[TokenFiles, Written]:
    files = TokenFiles(folder)
    folder.mkdir(exist_ok=True)
    files.begin(Written())
    return files, files.append(files.append(Written(), FIRST), SECOND)


def test_parts_are_read_back_as_one(tmp_path: Path) -> None:
    files, written = filled(tmp_path)
    store = files.store(written, 3)
    assert store.ids.tolist() == [5, 6, 7, 8, 9, 10]
    assert store.starts.tolist() == [0, 3, 4, 6]
    assert (store.pad_id, store.truncated) == (3, 3)
    assert store.take(np.array([2, 0])).input_ids.tolist() == [[9, 10, 3], [5, 6, 7]]


def test_the_store_is_mapped_and_not_read(tmp_path: Path) -> None:
    files, written = filled(tmp_path)
    store = files.store(written, 0)
    for values, name in ((store.ids, IDS), (store.starts, STARTS)):
        assert isinstance(values.base, np.memmap)
        assert Path(str(values.base.filename)).name == name
        assert not values.flags.writeable


def test_the_manifest_says_what_counts(tmp_path: Path) -> None:
    files, written = filled(tmp_path)
    assert files.written() == written == TokenFiles(tmp_path).written()
    assert (written.texts, written.tokens, written.truncated) == (3, 6, 3)
    assert written.sizes == {name: (tmp_path / name).stat().st_size for name in (IDS, STARTS)}


def test_nothing_there_is_nothing_written(tmp_path: Path) -> None:
    assert TokenFiles(tmp_path).written() == Written()


def test_what_the_manifest_does_not_count_is_cut_off(tmp_path: Path) -> None:
    files, _ = filled(tmp_path / "whole")
    other = TokenFiles(tmp_path / "begun")
    (tmp_path / "begun").mkdir()
    other.begin(Written())
    other.append(Written(), FIRST)
    for name in (IDS, STARTS):  # killed after some bytes of the second part
        with (tmp_path / "begun" / name).open("ab") as file:
            file.write(b"abc")
    found = other.written()
    assert found is not None
    assert found.texts == 2
    other.begin(found)
    other.append(found, SECOND)
    for name in (IDS, STARTS, MANIFEST):
        assert (tmp_path / "begun" / name).read_bytes() == (files.folder / name).read_bytes()


@pytest.mark.parametrize("name", [IDS, STARTS])
@pytest.mark.parametrize("damage", ["cut", "changed", "gone"])
def test_damage_is_seen(name: str, damage: str, tmp_path: Path) -> None:
    files, _ = filled(tmp_path)
    path = tmp_path / name
    content = path.read_bytes()
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(content[:-1] if damage == "cut" else bytes([content[0] ^ 1]) + content[1:])
    assert files.written() is None


@pytest.mark.parametrize("text", ["", "[]", "{", '{"other": 1}', '{"texts": "3"}', '{"texts": null}'])
def test_a_manifest_that_is_none_is_not_believed(text: str, tmp_path: Path) -> None:
    files, _ = filled(tmp_path)
    (tmp_path / MANIFEST).write_text(text)
    assert files.written() is None


def test_a_manifest_that_counts_otherwise_is_not_believed(tmp_path: Path) -> None:
    files, _ = filled(tmp_path)
    counted = json.loads((tmp_path / MANIFEST).read_text())
    (tmp_path / MANIFEST).write_text(json.dumps({**counted, "texts": 2}))
    assert files.written() is None


def test_sums_of_short_files(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"abc")
    assert _sum(tmp_path / "file", 3) == _sum(tmp_path / "file", 3) != _sum(tmp_path / "file", 2)
    assert _sum(tmp_path / "file", 4) is None


def test_a_large_file_is_summed_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files, written = filled(tmp_path)
    monkeypatch.setattr("twinset.encoder.token_files._AT_ONCE", 5)
    assert files.written() == written


def test_who_has_the_old_files_keeps_them(tmp_path: Path) -> None:
    files, written = filled(tmp_path)
    store, file = files.store(written, 0), (tmp_path / IDS).stat().st_ino
    files.begin(Written())
    assert (tmp_path / IDS).stat().st_ino != file  # had it been emptied, a look at the store would be the end
    assert store.ids.tolist() == [5, 6, 7, 8, 9, 10]
    assert not (tmp_path / MANIFEST).exists()
    assert (tmp_path / IDS).stat().st_size == 0


def test_cleared_nothing_is_left_but_the_lock(tmp_path: Path) -> None:
    files, _ = filled(tmp_path)
    (tmp_path / f"{MANIFEST}.draft").write_text("")
    with files.alone(waiting=lambda: None):
        files.clear()
    assert [path.name for path in tmp_path.iterdir()] == ["lock"]


def test_everything_is_on_the_disk_before_it_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    replace, sync = Path.replace, os.fsync

    def synced(handle: int) -> None:
        done.append(Path(f"/proc/self/fd/{handle}").readlink().name)
        sync(handle)

    def replaced(self: Path, target: Path) -> Path:
        done.append(f"{self.name} -> {target.name}")
        return replace(self, target)

    if not Path("/proc/self/fd").is_dir():
        pytest.skip("the system does not tell the names of open files")
    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", replaced)
    files = TokenFiles(tmp_path)
    files.begin(Written())
    files.append(Written(), FIRST)
    draft = f"{MANIFEST}.draft"
    assert done == [IDS, STARTS, draft, f"{draft} -> {MANIFEST}", tmp_path.name]


def test_what_others_made_can_be_read_without_the_right_to_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, written = filled(tmp_path)
    with files.alone(waiting=lambda: None):
        pass
    open_file = os.open

    def reading(path: Path, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_RDWR:
            raise PermissionError(errno.EACCES, "Permission denied")
        return open_file(path, flags, mode)

    monkeypatch.setattr(os, "open", reading)
    with files.alone(waiting=lambda: None):
        assert files.written() == written


def _hold(folder: Path, inside: str, leave: str) -> None:
    with TokenFiles(folder).alone(waiting=lambda: None):
        Path(inside).touch()
        while not Path(leave).exists():
            time.sleep(0.01)


@pytest.mark.parametrize("end", ["leaves", "dies"])
def test_a_second_process_waits_for_the_first(end: str, tmp_path: Path) -> None:
    inside, leave, folder = tmp_path / "inside", tmp_path / "leave", tmp_path / "files"
    other = multiprocessing.get_context("fork").Process(
        target=_hold, args=(folder, inside, leave), daemon=True
    )
    other.start()
    while not inside.exists() and other.is_alive():
        time.sleep(0.01)
    waited: list[bool] = []

    def waiting() -> None:
        waited.append(True)
        leave.touch() if end == "leaves" else other.kill()

    with TokenFiles(folder).alone(waiting=waiting):
        assert waited == [True]
    other.join()
