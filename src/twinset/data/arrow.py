"""Arrow's compute functions, under one name."""

from __future__ import annotations

from typing import Any

import pyarrow.compute

compute: Any = pyarrow.compute
"""Most of its functions are made when it is imported, so that no checker of types can know them."""
