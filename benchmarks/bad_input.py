"""Malformed files, run files and arguments: is each refused in words, with exit code 2.

The cases are those of the tests (tests/cli/test_bad_input.py by hand, test_fuzzed_input.py by hypothesis);
here they are run and counted. In each, nothing half-written may stay. --examples digs deeper than the
tests do.

    python -m benchmarks bad_input --examples 400 --keep
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree as ET

from benchmarks import record

ROOT = Path(__file__).resolve().parent.parent
FILES = {
    "written by hand": "tests/cli/test_bad_input.py",
    "found by hypothesis": "tests/cli/test_fuzzed_input.py",
}


def counted(file: str, examples: int) -> dict[str, int]:
    """Refused inputs and failed tests of one file: a case is one input unless it tells how many it drew."""
    with tempfile.TemporaryDirectory() as place:
        report = Path(place) / "report.xml"
        subprocess.run(
            [sys.executable, "-m", "pytest", "-q", file, f"--junitxml={report}"],
            cwd=ROOT,
            env={**os.environ, "TWINSET_EXAMPLES": str(examples)},
            stdout=sys.stderr,
            check=False,
        )
        cases = list(ET.parse(report).iter("testcase"))  # noqa: S314 - pytest wrote it just now
    refused = failed = 0
    for case in cases:
        told = {found.get("name"): int(found.get("value") or 0) for found in case.iter("property")}
        fell = case.find("failure") is not None or case.find("error") is not None
        failed += fell
        refused += told.get("refused", int("[" in str(case.get("name")) and not fell))
    return {"refused": refused, "failed tests": failed}


def main(arguments: list[str]) -> int:
    """Exit code 1 if any input met a traceback, a wrong exit code or left something behind."""
    parser = record.parser(__doc__)
    parser.add_argument("--examples", type=int, default=100, help="draws of each fuzzed test (100)")
    given = parser.parse_args(arguments)
    rows = [{"cases": name, **counted(file, given.examples)} for name, file in FILES.items()]
    for row in rows:
        print(row)
    record.keep("bad_input", {"rows": rows}, given)
    return int(any(row["failed tests"] for row in rows))
