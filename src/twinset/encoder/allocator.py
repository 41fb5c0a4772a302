"""Memory that is kept between chunks, where the system's allocator would give it back each time.

glibc returns large blocks to the kernel as soon as they are free, and gets them anew, page by page and
filled with zeros, at the next update: a sixth of a measured one. While a run or an encoding goes on, it
keeps them. Elsewhere (macOS, Windows, musl, other allocators) nothing is done.
"""

from __future__ import annotations

import ctypes
import platform
import threading
from collections.abc import Generator
from contextlib import contextmanager

_TRIM_THRESHOLD, _MMAP_MAX = -1, -4  # names of mallopt's settings
_KEEP, _NONE = 2**31 - 1, 0
_DEFAULT_TRIM, _DEFAULT_MAPS = 128 * 1024, 65_536

_lock = threading.Lock()
_inside = [0]
"""How many have asked for it and not yet ended: a run that looks at its dev score encodes meanwhile."""


@contextmanager
def keeping_memory() -> Generator[None]:
    """Inside, free memory stays with the process; afterwards what is free goes back."""
    library = _glibc()
    if library is None:
        yield
        return
    with _lock:
        _inside[0] += 1
        if _inside[0] == 1:
            library.mallopt(_MMAP_MAX, _NONE)
            library.mallopt(_TRIM_THRESHOLD, _KEEP)
    try:
        yield
    finally:
        with _lock:
            _inside[0] -= 1
            if not _inside[0]:
                library.mallopt(_MMAP_MAX, _DEFAULT_MAPS)
                library.mallopt(_TRIM_THRESHOLD, _DEFAULT_TRIM)
                library.malloc_trim(0)


def _glibc() -> ctypes.CDLL | None:
    if platform.libc_ver()[0] != "glibc":
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "mallopt") and hasattr(library, "malloc_trim") else None
