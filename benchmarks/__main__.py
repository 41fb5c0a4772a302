"""Runs a benchmark by its name.

python -m benchmarks                    what there is
python -m benchmarks NAME [OPTIONS]     one of them; --help tells its options
"""

from __future__ import annotations

import ast
import importlib
import sys
from pathlib import Path

NO_BENCHMARK = {"__init__", "__main__", "record", "results_page"}


def benchmarks() -> dict[str, str]:
    """Every benchmark, and the first line of what it says of itself."""
    files = sorted(Path(__file__).parent.glob("*.py"))
    texts = {file.stem: ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) for file in files}
    return {name: (text or "").partition("\n")[0] for name, text in texts.items() if name not in NO_BENCHMARK}


def main(arguments: list[str]) -> int:
    known = benchmarks()
    if not arguments or arguments[0].startswith("-"):
        width = max(map(len, known))
        print("\n".join(f"{name:{width}}  {about}" for name, about in known.items()))
        return 0
    name, *rest = arguments
    if name not in known:
        sys.stderr.write(f"benchmarks: {name!r} is none of {', '.join(known)}\n")
        return 2
    return int(importlib.import_module(f"benchmarks.{name}").main(rest) or 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
