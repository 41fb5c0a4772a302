"""The command line in this process: what it would print, and the code it would end with."""

from __future__ import annotations

import contextlib
import io
import sys
from dataclasses import dataclass

from twinset.cli import main


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str


def twinset(*arguments: object, stdin: bytes = b"") -> Result:
    """Run one command. Nothing may escape but an exit code."""
    out, err = io.StringIO(), io.StringIO()
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main([str(argument) for argument in arguments])
    finally:
        sys.stdin = before
    return Result(code, out.getvalue(), err.getvalue())
