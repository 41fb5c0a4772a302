"""A .npy file that grows by rows, whole or not there at all."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self, final

import numpy as np
from numpy.typing import DTypeLike, NDArray

from twinset.errors import RequestError, WorkError


@final
class RowFile:
    """Rows of numbers appended as they come, under a name of its own; renamed when the block ends well.

    with RowFile(path, width=384) as file:
        file.append(rows)
    """

    def __init__(self, path: Path, *, width: int, dtype: DTypeLike = np.float32) -> None:
        self.path = path
        self.rows = 0
        self._width = width
        self._dtype = np.dtype(dtype).newbyteorder("<")
        self._draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
        self._file: BinaryIO | None = None
        self._header_size = 0

    def __enter__(self) -> Self:
        if self.path.is_dir():
            raise RequestError(f"{self.path}: is a folder; name a file to write to")
        try:
            self._file = self._draft.open("wb")
            self._write_header()
            self._header_size = self._file.tell()
        except OSError as error:
            self._discard()
            raise self._failed(error) from error
        return self

    def append(self, rows: NDArray[Any]) -> None:
        """Write (n, width) rows after those before."""
        if self._file is None:
            raise RuntimeError("append outside the with block")
        try:
            rows.astype(self._dtype, copy=False).tofile(self._file)
        except OSError as error:
            raise self._failed(error) from error
        self.rows += len(rows)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None or self._file is None:
            self._discard()
            return
        try:
            self._file.seek(0)
            self._write_header()
            if self._file.tell() != self._header_size:
                raise RuntimeError("the header's size changed with the number of rows")
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            self._draft.replace(self.path)
        except OSError as failure:
            raise self._failed(failure) from failure
        finally:
            self._discard()

    def _write_header(self) -> None:
        # numpy leaves room in the header for the first axis to grow to 21 digits, so it can be written again.
        header = {"descr": self._dtype.str, "fortran_order": False, "shape": (self.rows, self._width)}
        if self._file is not None:
            np.lib.format.write_array_header_1_0(self._file, header)

    def _discard(self) -> None:
        if self._file is not None:
            self._file.close()
        self._draft.unlink(missing_ok=True)

    def _failed(self, error: OSError) -> WorkError:
        why = error.strerror or str(error)
        return WorkError(f"{self.path}: could not be written: {why}. Nothing was left behind.")
