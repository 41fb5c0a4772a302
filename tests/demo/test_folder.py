from __future__ import annotations

from pathlib import Path

import pytest

from twinset.demo.folder import make
from twinset.errors import RequestError


def test_a_new_folder_or_an_empty_one(tmp_path: Path) -> None:
    make(tmp_path / "a" / "b")
    make(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()


def test_a_folder_in_use_and_a_file_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine", encoding="utf-8")
    with pytest.raises(RequestError, match="not empty"):
        make(tmp_path)
    with pytest.raises(RequestError, match="is a file"):
        make(file)
    with pytest.raises(RequestError, match="cannot be made"):
        make(file / "below")
    assert file.read_text(encoding="utf-8") == "mine"
