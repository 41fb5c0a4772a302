"""`python -m twinset`: the same as the command `twinset`."""

from __future__ import annotations

import sys

from twinset.cli import main

if __name__ == "__main__":
    sys.exit(main())
