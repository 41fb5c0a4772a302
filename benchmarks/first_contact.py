"""What a newcomer waits for: import, help, and the two commands in a fresh clone.

    python -m benchmarks first_contact --clone --keep

--clone: also make demo and make test, in an empty environment.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks import record

ROOT = Path(__file__).resolve().parent.parent
REPEATS = 11


def seconds(command: list[str], **settings: object) -> float:
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **settings)  # type: ignore[call-overload]
    return time.perf_counter() - began


def repeated(command: list[str]) -> dict[str, float]:
    """Median and range, after one call that warms the disk's cache."""
    seconds(command)
    times = [seconds(command) for _ in range(REPEATS)]
    return {"median": statistics.median(times), "least": min(times), "most": max(times)}


def fresh_clone() -> dict[str, float]:
    """Both commands, set-up included, with nothing of this environment but path, home and pip's settings."""
    keep = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    clean = {**keep, "PATH": _without_venv(os.environ["PATH"]), "HOME": os.environ["HOME"], "LANG": "C.UTF-8"}
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as place:
        clone = Path(place) / "twinset"
        subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        for target in ("demo", "test"):
            found[f"make {target}, set-up included"] = seconds(["make", target], cwd=clone, env=clean)
            shutil.rmtree(clone / ".venv")
    return found


def _without_venv(path: str) -> str:
    return os.pathsep.join(part for part in path.split(os.pathsep) if ".venv" not in part)


def main(arguments: list[str]) -> None:
    parser = record.parser(__doc__)
    parser.add_argument("--clone", action="store_true", help="also make demo and make test, in a fresh clone")
    given = parser.parse_args(arguments)
    program = Path(sys.executable).with_name("twinset")
    found: dict[str, Any] = {
        "python -c pass": repeated([sys.executable, "-c", "pass"]),
        "import twinset": repeated([sys.executable, "-c", "import twinset"]),
        "twinset --help": repeated([str(program), "--help"]),
    }
    if given.clone:
        found["fresh clone"] = fresh_clone()
    print(json.dumps(found, indent=2))
    record.keep("first_contact", found, given)
