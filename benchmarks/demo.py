"""The demo, as anybody runs it: how long each stage takes, and what comes out.

    python -m benchmarks demo --keep

In a process of its own, start and imports included. Settings were chosen on numpy's manuals alone; the
figures are of the packages that were held out.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks import record

KEPT = ("seconds", "corpus", "training", "figures", "means", "dev", "examples")


def main(arguments: list[str]) -> None:
    given = record.parser(__doc__).parse_args(arguments)
    program = Path(sys.executable).with_name("twinset")
    with tempfile.TemporaryDirectory() as place:
        command = [str(program), "demo", "--json", "--out", str(Path(place) / "demo")]
        began = time.perf_counter()
        told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        whole = time.perf_counter() - began
    found: dict[str, Any] = {name: json.loads(told)[name] for name in KEPT}
    found["seconds"]["whole process"] = round(whole, 2)
    print(json.dumps({name: found[name] for name in ("seconds", "means")}, indent=2))
    record.keep("demo", found, given)
