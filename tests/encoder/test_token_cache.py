from __future__ import annotations

import errno
import logging
import multiprocessing
import os
import signal
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from tests.encoder.tiny import SENTENCES, tiny_tokenizer
from twinset.data import Texts
from twinset.encoder import token_cache as module
from twinset.encoder.column import Column
from twinset.encoder.token_cache import TokenCache
from twinset.encoder.token_files import IDS, MANIFEST, STARTS, TokenFiles, Written
from twinset.encoder.tokens import TokenStore

TEXTS = Texts([f"{text} {number}" for number in range(5) for text in SENTENCES])
COLUMN = Column(texts=TEXTS, tokenizer=tiny_tokenizer("bert"), max_length=9, prompt="a ")


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK", 12)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of every text that is tokenised, as it happens."""
    numbers: list[int] = []
    tokenized = Column.tokenized

    def counting(self: Column, texts: Iterable[str] | None = None, *, first: int = 0) -> TokenStore:
        store = tokenized(self, texts, first=first)
        numbers.extend(range(first, first + len(store)))
        return store

    monkeypatch.setattr(Column, "tokenized", counting)
    return numbers


def same(first: TokenStore, second: TokenStore) -> bool:
    return (
        np.array_equal(first.ids, second.ids)
        and np.array_equal(first.starts, second.starts)
        and (first.pad_id, first.truncated) == (second.pad_id, second.truncated)
    )


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / COLUMN.key() / name).read_bytes() for name in (IDS, STARTS, MANIFEST)}


def _killed(folder: Path, after: int, before_manifest: bool) -> None:
    """Tokenise in a process that is killed at a chunk: before its manifest is put, or after."""
    append, put = TokenFiles.append, TokenFiles._put_manifest
    done: list[int] = []

    def dying(self: TokenFiles, before: Written, part: TokenStore) -> Written:
        found = append(self, before, part)
        done.append(1)
        if len(done) == after:
            os.kill(os.getpid(), signal.SIGKILL)
        return found

    def dying_inside(self: TokenFiles, written: Written) -> None:
        if len(done) + 1 == after and before_manifest:
            os.kill(os.getpid(), signal.SIGKILL)
        put(self, written)

    TokenFiles.append, TokenFiles._put_manifest = dying, dying_inside  # type: ignore[method-assign]
    TokenCache(folder=folder).tokens(COLUMN)


def kill(folder: Path, *, after: int, before_manifest: bool = False) -> None:
    given = (folder, after, before_manifest)
    process = multiprocessing.get_context("fork").Process(target=_killed, args=given)
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL


def test_tokens_are_those_made_in_memory(tmp_path: Path) -> None:
    expected = COLUMN.tokenized()
    assert 0 < expected.truncated < len(TEXTS)
    assert same(TokenCache(folder=tmp_path).tokens(COLUMN), expected)
    assert same(TokenCache(folder=tmp_path).tokens(COLUMN), expected)


def test_the_second_time_nothing_is_tokenised(tmp_path: Path, made: list[int]) -> None:
    cache = TokenCache(folder=tmp_path / "new" / "folder")
    cache.tokens(COLUMN)
    assert made == list(range(len(TEXTS)))
    cache.tokens(COLUMN)
    assert len(made) == len(TEXTS)


def test_other_texts_are_kept_beside_them(tmp_path: Path, made: list[int]) -> None:
    cache = TokenCache(folder=tmp_path)
    cache.tokens(COLUMN)
    other = Column(texts=TEXTS[:-1], tokenizer=COLUMN.tokenizer, max_length=9, prompt="a ")
    assert same(cache.tokens(other), other.tokenized())
    assert len(list(tmp_path.iterdir())) == 2


def test_no_texts_need_no_folder(tmp_path: Path) -> None:
    nothing = Column(texts=Texts(), tokenizer=COLUMN.tokenizer, max_length=9)
    assert len(TokenCache(folder=tmp_path).tokens(nothing)) == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("before_manifest", [False, True])
@pytest.mark.parametrize("after", [1, 3, 5])
def test_killed_it_goes_on_where_it_was_and_ends_with_the_same_bytes(
    after: int, before_manifest: bool, tmp_path: Path, made: list[int]
) -> None:
    kill(tmp_path / "killed", after=after, before_manifest=before_manifest)
    store = TokenCache(folder=tmp_path / "killed").tokens(COLUMN)
    kept = min(12 * (after - before_manifest), len(TEXTS))
    assert made == list(range(kept, len(TEXTS)))
    assert same(store, COLUMN.tokenized())
    TokenCache(folder=tmp_path / "whole").tokens(COLUMN)
    assert contents(tmp_path / "killed") == contents(tmp_path / "whole")


@pytest.mark.parametrize("name", [IDS, STARTS, MANIFEST])
def test_what_is_damaged_is_made_anew(name: str, tmp_path: Path, made: list[int]) -> None:
    cache = TokenCache(folder=tmp_path)
    cache.tokens(COLUMN)
    whole = contents(tmp_path)
    made.clear()
    path = tmp_path / COLUMN.key() / name
    path.write_bytes(path.read_bytes()[:-3])
    assert same(cache.tokens(COLUMN), COLUMN.tokenized())
    assert made[: len(TEXTS)] == list(range(len(TEXTS)))
    assert contents(tmp_path) == whole


def test_processes_at_the_same_texts_make_them_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    results = context.Queue()

    def work() -> None:
        counted: list[int] = []
        append = TokenFiles.append

        def counting(self: TokenFiles, before: Written, part: TokenStore) -> Written:
            counted.append(len(part))
            return append(self, before, part)

        TokenFiles.append = counting  # type: ignore[method-assign]
        ids = TokenCache(folder=tmp_path).tokens(COLUMN).ids.tolist()
        results.put((sum(counted), ids))

    processes = [context.Process(target=work) for _ in range(4)]
    for process in processes:
        process.start()
    found = [results.get(timeout=60) for _ in processes]
    for process in processes:
        process.join()
    assert sorted(counted for counted, _ in found) == [0, 0, 0, len(TEXTS)]
    assert all(ids == COLUMN.tokenized().ids.tolist() for _, ids in found)


def full(self: TokenFiles, before: Written, part: TokenStore) -> Written:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_costs_the_next_run_s_time_and_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    append = TokenFiles.append
    with monkeypatch.context() as patched, caplog.at_level(logging.WARNING):
        patched.setattr(
            TokenFiles,
            "append",
            lambda self, before, part: (full if before.texts else append)(self, before, part),
        )
        assert same(TokenCache(folder=tmp_path).tokens(COLUMN), COLUMN.tokenized())
    assert f"{tmp_path}: tokens cannot be kept here: the disk is full" in caplog.text
    assert "TWINSET_CACHE" in caplog.text
    assert [path.name for path in (tmp_path / COLUMN.key()).iterdir()] == ["lock"], "the room is given back"
    assert same(TokenCache(folder=tmp_path).tokens(COLUMN), COLUMN.tokenized())
    assert contents(tmp_path)


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("")
    with caplog.at_level(logging.WARNING):
        store = TokenCache(folder=tmp_path / "file").tokens(COLUMN)
    assert same(store, COLUMN.tokenized())
    assert "tokens cannot be kept here: Not a directory" in caplog.text


def test_where_there_are_no_locks_nothing_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "fcntl", None)
    with caplog.at_level(logging.WARNING):
        assert same(TokenCache(folder=tmp_path).tokens(COLUMN), COLUMN.tokenized())
    assert "no file locks" in caplog.text


def test_whoever_watches_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kill(tmp_path, after=2)
    cache, folder = TokenCache(folder=tmp_path, progress=True), tmp_path / COLUMN.key()
    said: list[str] = []
    for _ in range(2):
        cache.tokens(COLUMN)
        said.append(capsys.readouterr().err)
    (folder / MANIFEST).write_text("")
    cache.tokens(COLUMN)
    said.append(capsys.readouterr().err)
    TokenFiles(folder).clear()
    cache.tokens(COLUMN)
    said.append(capsys.readouterr().err)
    assert said == [
        f"tokenising goes on at text 25 of 50: {folder}\n",
        f"50 texts were tokenised before: {folder}\n",
        f"{folder}: the tokens kept there are damaged; 50 texts are tokenised anew\n",
        f"tokenising 50 texts, kept for later runs: {folder}\n",
    ]


def test_unwatched_it_is_silent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        TokenCache(folder=tmp_path).tokens(COLUMN)
    assert capsys.readouterr() == ("", "")
