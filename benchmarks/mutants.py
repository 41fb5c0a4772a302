"""One fault for every mechanism: does a test notice it.

python -m benchmarks mutants --keep
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from pathlib import Path

from benchmarks import record
from tests.mutants import run


def main(arguments: list[str]) -> int:
    """Exit code 1 if a mutant survived."""
    given = record.parser(__doc__).parse_args(arguments)
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "verdicts.json"
        code = run.main(["--json", str(file)])
        verdicts = json.loads(file.read_text(encoding="utf-8"))
    rooms = Counter(verdict["file"].split("/")[0] for verdict in verdicts)
    caught = Counter(verdict["file"].split("/")[0] for verdict in verdicts if verdict["word"] == "caught")
    rows = [{"room": room, "mutants": rooms[room], "caught": caught[room]} for room in sorted(rooms)]
    missed = [verdict["name"] for verdict in verdicts if verdict["word"] != "caught"]
    record.keep("mutants", {"rows": rows, "missed": missed}, given)
    return code
