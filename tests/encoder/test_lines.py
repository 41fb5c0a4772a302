from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from twinset.encoder.lines import read_lines
from twinset.errors import DataError

if TYPE_CHECKING:
    from pathlib import Path


def test_line_i_is_row_i(tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    file.write_bytes("\ufeffeins\r\n\nzwei\u2028und\x0bhalb\ndrei".encode())
    assert list(read_lines(file)) == ["eins", "", "zwei\u2028und\x0bhalb", "drei"]


def test_bad_byte_is_named_by_its_line(tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    file.write_bytes(b"fine\nna\xefve\n")
    with pytest.raises(DataError, match=r"lines\.txt, line 2: byte 3 is not UTF-8"):
        list(read_lines(file))


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.txt: cannot be read: No such file"):
        list(read_lines(tmp_path / "none.txt"))
