"""The command line: one file per verb, and one place where errors become a line and an exit code.

0: done. 1: the work failed on the way. 2: what was asked for cannot be.
"""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Sequence

from twinset.errors import TwinsetError

# The path itself is wrong; anything else (disk full, no more handles) is the machine's trouble.
_WRONG_PATH = {errno.ENOENT, errno.EISDIR, errno.ENOTDIR, errno.EACCES, errno.EPERM, errno.ENAMETOOLONG}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code. TWINSET_DEBUG=1 shows where an error was raised."""
    from twinset.cli.app import app

    code = 0
    try:
        app(args=None if arguments is None else list(arguments), prog_name="twinset")
    except SystemExit as end:
        code = _exit_code(end)
    except KeyboardInterrupt:
        code = _interrupted()
    except TwinsetError as error:
        code = _told(str(error), error.exit_code)
    except BrokenPipeError:
        _drop_output()
    except OSError as error:
        where = "" if error.filename is None else f"{error.filename}: "
        code = _told(f"{where}{error.strerror or error}", 2 if error.errno in _WRONG_PATH else 1)
    return _flushed(code)


def _exit_code(end: SystemExit) -> int:
    if end.code == 130:  # typer's word for Ctrl-C
        return _interrupted()
    return end.code if isinstance(end.code, int) else int(end.code is not None)


def _interrupted() -> int:
    sys.stderr.write("twinset: interrupted; nothing half-written was left behind.\n")
    return 1


def _told(message: str, code: int) -> int:
    if os.environ.get("TWINSET_DEBUG") == "1":
        traceback.print_exc()
    sys.stderr.write(f"twinset: {message}\n")
    return code


def _flushed(code: int) -> int:
    """The last lines may only now find that nobody listens, as in `twinset ... | head`."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
    return code


def _drop_output() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
