"""Where this user's machine keeps what can be made again."""

from __future__ import annotations

import os
from pathlib import Path

VARIABLE = "TWINSET_CACHE"


def cache_folder() -> Path | None:
    """$TWINSET_CACHE, else `twinset` in $XDG_CACHE_HOME, else in ~/.cache; None where nobody is at home."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named).expanduser()
    shared = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if shared.is_absolute():  # the XDG specification: what is relative is not heeded
        return shared / "twinset"
    try:
        return Path.home() / ".cache" / "twinset"
    except RuntimeError:
        return None
